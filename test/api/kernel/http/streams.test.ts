// Rows over HTTP, on test operations: equal in every format, limits, stalls and gzip (D46).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import Ajv from 'ajv';
import type { Context } from 'koa';
import { sendStream } from '../../../../src/api/kernel/http/response/streamed';
import { rowSchema } from '../../../../src/api/operations/archive/pages/columns';
import { startApi } from '../../../support/api/api';
import { openDuckDb } from '../../../support/duckdb';
import { until } from '../../../support/races/stream-lab';
import { COLUMNS, ROW, sentBodies, TABLE } from './sent-bodies';

const bodies = sentBodies();
const { deps, keys, key, trace, closed, open } = bodies;

test('a table has the same rows as JSON, CSV and Parquet', async () => {
  const { body } = await bodies.api.get('/v1/table', key);
  const ajv = new Ajv({ strict: false, formats: { date: true, 'date-time': true } });
  expect(ajv.validate(Type.Array(rowSchema(COLUMNS)), body)).toBe(true);
  expect(body.map(Object.values)).toEqual(
    TABLE.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell))),
  );
  const csv = await bodies.api.get('/v1/table?format=csv', key);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(csv.text.split('\r\n')).toEqual([
    'seen_at,day,who,price,count,size,out',
    '2026-11-20T01:00:00.000Z,2026-11-20,"O’Brien, ""The""",2.4,1,4000000000,true',
    '2026-11-20T01:00:00.123Z,,,,-1,7,false',
    '',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'table-'));
  const duckdb = await openDuckDb();
  try {
    const path = join(folder, 'table.parquet');
    writeFileSync(path, await buffer(await open('/v1/table?format=parquet')));
    expect(await duckdb.rows(`SELECT * FROM read_parquet('${path}')`)).toEqual(TABLE);
  } finally {
    duckdb.close();
    rmSync(folder, { recursive: true });
  }
});

describe('streams', () => {
  test('are sent with gzip to a client that accepts it', async () => {
    const response = await open('/v1/rows?rows=300', { 'Accept-Encoding': 'br, gzip' });
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(gunzipSync(await buffer(response)).toString()).toBe(ROW.repeat(300));
    const plain = await open('/v1/rows?rows=300', { 'Accept-Encoding': 'gzip;q=0, br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect((await buffer(plain)).length).toBe(300 * ROW.length);
  });

  test.each(['gzip', 'identity'])(
    'that break (%s) end the connection, and their charge is refunded',
    async (encoding) => {
      const response = await open('/v1/rows?rows=9000&breaks_at=8000', { 'Accept-Encoding': encoding });
      await expect(buffer(response)).rejects.toThrow('aborted');
      await until(() => trace.includes('give back'));
    },
  );

  test('that are cut because the process ends are refunded at once', async () => {
    const stop = new AbortController();
    const ending = await startApi({ ...deps, cutOff: stop.signal });
    const response = await open('/v1/rows?rows=777777', {}, key, ending.url);
    expect(trace).toEqual(['precheck', 'charge']);
    stop.abort();
    expect(trace).toEqual(['precheck', 'charge', 'give back']);
    await Promise.all([ending.close(), expect(buffer(response)).rejects.toThrow('aborted')]);
    await until(() => closed.has(777_777));
    expect(trace).toEqual(['precheck', 'charge', 'give back']);
  });

  test('that would start after the cut-off are not charged, like JSON', async () => {
    const stop = new AbortController();
    const ending = await startApi({ ...deps, cutOff: stop.signal });
    try {
      bodies.onCharged = () => stop.abort();
      const during = await ending.get('/v1/table', key);
      expect([during.status, during.headers.get('retry-after')]).toEqual([503, '1']);
      expect(trace.splice(0)).toEqual(['precheck', 'charge', 'give back']);
      for (const path of ['/v1/table', '/v1/rows?rows=1'])
        expect((await ending.get(path, key)).body).toMatchObject({ status: 503, code: 'unavailable' });
      expect(trace).toEqual(['precheck', 'precheck']);
    } finally {
      await ending.close();
    }
  });

  test('whose source stalls end the connection and are refunded', async () => {
    const hasty = await startApi(deps, { idleMs: 400 });
    const response = await open('/v1/rows?rows=9&waits_at=5', {}, key, hasty.url);
    await expect(buffer(response)).rejects.toThrow('aborted');
    bodies.goOn();
    await until(() => trace.includes('give back'));
    expect(hasty.logged).toHaveLength(1);
    await hasty.close();
  });

  test('are limited to four at once per key; a fifth is a 429 until one has ended', async () => {
    const other = keys.add();
    const four = await Promise.all([1, 2, 3, 4].map(() => open('/v1/rows?rows=1000000')));
    const refused = await bodies.api.get('/v1/rows?rows=1', key);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limit', '5']);
    expect((await bodies.api.get('/v1/rows?rows=1', other)).status).toBe(200);
    expect((await bodies.api.send('HEAD', '/v1/rows?rows=1', { key })).status).toBe(200);
    four[0]!.destroy();
    await until(async () => (await bodies.api.get('/v1/rows?rows=1', key)).status === 200);
    for (const response of four) response.destroy();
  });

  test('are cut when their client reads nothing for too long, and are not refunded', async () => {
    const stalled = await open('/v1/rows?rows=999999', {}, key, bodies.strict.url);
    await until(() => closed.has(999_999));
    await expect(buffer(stalled)).rejects.toThrow('aborted');
    expect(trace).toEqual(['precheck', 'charge']);
  });

  test('whose client reads none of their last bytes are not refunded either', async () => {
    const socket = new Duplex({ read: () => {}, write: () => {} }) as Socket;
    const req = new IncomingMessage(socket);
    const res = new ServerResponse(req);
    res.assignSocket(socket);
    const ctx = { req, res, state: { headers: [] }, app: { emit: () => {} } } as unknown as Context;
    const source = Readable.from([ROW]);
    const ending = sendStream(ctx, { type: 'text/csv', open: async () => source }, { source, headers: {} });
    await until(() => res.writableEnded);
    res.emit('timeout', socket);
    expect(await ending).toBe('left');
  });

  test('last as long as a slow client keeps reading', async () => {
    const response = await open('/v1/rows?rows=20000', {}, key, bodies.strict.url);
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      // The kernel reports room only by hundreds of kB: many short waits, so that no wait of a busy machine looks like
      // a stall.
      if (bytes < 10_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(bytes).toBe(20_000 * ROW.length);
  });
});
