// Streams and stored files over HTTP, on operations of their own: bounds, stalls, gzip (D46), conditions and parts
// (D32, D47).
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import Ajv from 'ajv';
import fc from 'fast-check';
import type { Context } from 'koa';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Meter } from '../../../../src/api/kernel/endpoint/meter';
import { ROW_TYPES, type RowFormat, rowsReply } from '../../../../src/api/kernel/http/response/rows';
import { sendStream } from '../../../../src/api/kernel/http/response/streamed';
import { rowSchema } from '../../../../src/api/operations/archive/pages/columns';
import { oneOf } from '../../../../src/api/wire/vocabulary';
import { AppError } from '../../../../src/errors';
import type { Column, Row } from '../../../../src/row-files/columns';
import { rowObjects } from '../../../../src/row-files/json';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { openDuckDb } from '../../../support/duckdb';
import { runs } from '../../../support/property';
import { until } from '../../../support/races/stream-lab';

const ROW = `${'x'.repeat(1023)}\n`;
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 251));
const sha256 = createHash('sha256').update(BYTES).digest('hex');
const TAG = `"${sha256}"`;

const COLUMNS: readonly Column[] = [
  { name: 'seen_at', type: 'instant', nullable: false, description: 'When.' },
  { name: 'day', type: 'day', nullable: true, description: 'Day.' },
  { name: 'who', type: 'text', nullable: true, description: 'Who.' },
  { name: 'price', type: 'number', nullable: true, description: 'Price.' },
  { name: 'count', type: 'integer', nullable: false, description: 'Count.' },
  { name: 'size', type: 'long', nullable: false, description: 'Size.' },
  { name: 'out', type: 'boolean', nullable: false, description: 'Out.' },
];
const TABLE: readonly Row[] = [
  ['2026-11-20T01:00:00.000Z', '2026-11-20', 'O’Brien, "The"', 2.4, 1, 4_000_000_000n, true],
  ['2026-11-20T01:00:00.123Z', null, null, null, -1, 7n, false],
];

const trace: string[] = [];
const meter: Meter = {
  uncharged: () => {},
  balance: async () => {},
  admit: async () => undefined,
  joins: async () => false,
  precheck: () => {
    trace.push('precheck');
    if (isPoor) throw new AppError('payment_required', 'No credits are left.');
  },
  charge: async () => {
    trace.push('charge');
    if (isPoor) throw new AppError('payment_required', 'No credits are left.');
    await onCharged();
    return () => void trace.push('give back');
  },
};
let isPoor = false;
let onCharged: () => void | Promise<void> = () => {};
/** By the number of rows that were requested. */
const closed = new Set<number>();

/** What lets the store answer at last. */
const hung: ((body: Readable) => void)[] = [];
/** What lets a source go on that waits. */
let goOn = () => {};

async function* rowsOf(rows: number, breaksAt: number, waitsAt: number) {
  try {
    for (let i = 0; i < rows; i++) {
      if (i === waitsAt)
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      if (i === breaksAt) throw new Error('the source broke');
      yield ROW;
    }
  } finally {
    closed.add(rows);
  }
}

const about = { method: 'get', tag: 'Health', summary: 's', description: 'd', auth: 'key', cost: flat(3) } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const ENDPOINTS: Endpoint<unknown>[] = [
  endpoint()({
    ...about,
    path: '/v1/rows',
    operationId: 'rows',
    query: {
      rows: Type.Integer({ minimum: 0 }),
      breaks_at: Type.Integer({ default: -1 }),
      waits_at: Type.Integer({ default: -1 }),
    },
    streamed: () => true,
    ok,
    handler: async ({ query: { rows, breaks_at, waits_at } }) => ({
      type: 'text/csv; charset=utf-8',
      compressible: true,
      open: () => Readable.from(rowsOf(rows, breaks_at, waits_at)),
    }),
  }),
  endpoint()({
    ...about,
    path: '/v1/table',
    operationId: 'table',
    query: { format: oneOf(['json', 'csv', 'parquet'], { default: 'json' }) },
    streamed: ({ format }) => format !== 'json',
    ok: { ...ok, schema: Type.Array(rowSchema(COLUMNS)), example: [], types: Object.values(ROW_TYPES) },
    handler: async ({ query: { format } }) =>
      format === 'json'
        ? { body: TABLE.map(rowObjects(COLUMNS)) }
        : rowsReply(format as RowFormat, 'table', async () => ({
            columns: COLUMNS,
            batches: async function* () {
              yield TABLE;
            },
            total: 0,
            offset: 0,
            next: null,
          })),
  }),
  endpoint()({
    ...about,
    path: '/v1/files/{name}',
    operationId: 'file',
    params: { name: Type.String() },
    servesFile: true,
    ok,
    handler: async ({ params: { name } }) => ({
      name: 'v1',
      sha256,
      bytes: BYTES.length,
      type: 'application/gzip',
      fileName: 'file.gz',
      open: async ({ start, end }) => {
        if (name === 'lost') return null;
        if (name === 'hung') return new Promise((resolve) => hung.push(resolve));
        if (name === 'cut') {
          const body = new PassThrough();
          body.write(BYTES.subarray(0, 50_000));
          onCharged = async () => {
            body.destroy(new Error('the store closed its connection'));
            // Not by `once`, which listens to errors.
            await new Promise((resolve) => body.on('close', resolve));
          };
          return body;
        }
        if (name === 'broken')
          return Readable.from(
            (async function* () {
              yield BYTES.subarray(0, 50_000);
              throw new Error('the disk broke');
            })(),
          );
        return Readable.from([BYTES.subarray(start, end)]);
      },
    }),
  }),
];

const keys = memoryKeys();
const key = keys.add();
let api: TestApi;
/** It cuts a client that takes nothing within moments; the other waits longer than any test. */
let strict: TestApi;
beforeAll(async () => {
  const deps = { reads: {} as Reads, keys, meter, endpoints: ENDPOINTS };
  [api, strict] = await Promise.all([startApi(deps), startApi({ ...deps, stalledAfterMs: 400 })]);
});
afterAll(() => Promise.all([api.close(), strict.close()]));
beforeEach(() => {
  trace.splice(0);
  isPoor = false;
  onCharged = () => {};
});

async function open(
  path: string,
  headers: Record<string, string> = {},
  as = key,
  url = api.url,
): Promise<IncomingMessage> {
  const [response] = await once(
    get(url + path, { agent: false, headers: { 'X-API-Key': as, ...headers } }),
    'response',
  );
  return response as IncomingMessage;
}

test('a table has the same rows as JSON, CSV and Parquet', async () => {
  const { body } = await api.get('/v1/table', key);
  const ajv = new Ajv({ strict: false, formats: { date: true, 'date-time': true } });
  expect(ajv.validate(Type.Array(rowSchema(COLUMNS)), body)).toBe(true);
  expect(body.map(Object.values)).toEqual(
    TABLE.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell))),
  );
  const csv = await api.get('/v1/table?format=csv', key);
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
  test('are sent with gzip to a client that takes it', async () => {
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

  test.each(['gzip', 'identity'])('that break (%s) end the connection and are given back', async (encoding) => {
    const response = await open('/v1/rows?rows=9000&breaks_at=8000', { 'Accept-Encoding': encoding });
    await expect(buffer(response)).rejects.toThrow('aborted');
    await until(() => trace.includes('give back'));
  });

  test('that are cut because the process ends are given back at once', async () => {
    const stop = new AbortController();
    const ending = await startApi({ reads: {} as Reads, keys, meter, endpoints: ENDPOINTS, cutOff: stop.signal });
    const response = await open('/v1/rows?rows=777777', {}, key, ending.url);
    expect(trace).toEqual(['precheck', 'charge']);
    stop.abort();
    expect(trace).toEqual(['precheck', 'charge', 'give back']);
    await Promise.all([ending.close(), expect(buffer(response)).rejects.toThrow('aborted')]);
    await until(() => closed.has(777_777));
    expect(trace).toEqual(['precheck', 'charge', 'give back']);
  });

  test('that would begin after the cut-off are not charged, as JSON is not', async () => {
    const stop = new AbortController();
    const ending = await startApi({ reads: {} as Reads, keys, meter, endpoints: ENDPOINTS, cutOff: stop.signal });
    try {
      onCharged = () => stop.abort();
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

  test('whose source stalls end the connection and are given back', async () => {
    const hasty = await startApi({ reads: {} as Reads, keys, meter, endpoints: ENDPOINTS }, { idleMs: 400 });
    const response = await open('/v1/rows?rows=9&waits_at=5', {}, key, hasty.url);
    await expect(buffer(response)).rejects.toThrow('aborted');
    goOn();
    await until(() => trace.includes('give back'));
    expect(hasty.logged).toHaveLength(1);
    await hasty.close();
  });

  test('a key has four at once; a fifth is a 429 until one has ended', async () => {
    const other = keys.add();
    const four = await Promise.all([1, 2, 3, 4].map(() => open('/v1/rows?rows=1000000')));
    const refused = await api.get('/v1/rows?rows=1', key);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limit', '5']);
    expect((await api.get('/v1/rows?rows=1', other)).status).toBe(200);
    expect((await api.send('HEAD', '/v1/rows?rows=1', { key })).status).toBe(200);
    four[0]!.destroy();
    await until(async () => (await api.get('/v1/rows?rows=1', key)).status === 200);
    for (const response of four) response.destroy();
  });

  test('are cut when their client takes nothing for too long, and are not given back', async () => {
    const stalled = await open('/v1/rows?rows=999999', {}, key, strict.url);
    await until(() => closed.has(999_999));
    await expect(buffer(stalled)).rejects.toThrow('aborted');
    expect(trace).toEqual(['precheck', 'charge']);
  });

  test('whose client takes nothing of their tail are not given back either', async () => {
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

  test('last as long as a slow client takes some', async () => {
    const response = await open('/v1/rows?rows=20000', {}, key, strict.url);
    let bytes = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      // The kernel reports room only by hundreds of kB: many short waits, so that none of a busy machine looks like a
      // stall.
      if (bytes < 10_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(bytes).toBe(20_000 * ROW.length);
  });
});

const fetchFile = async (headers: Record<string, string> = {}, name = 'whole', method = 'GET') => {
  const response = await fetch(`${api.url}/v1/files/${name}`, { method, headers: { 'X-API-Key': key, ...headers } });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
};

describe('files', () => {
  test('are sent whole, with a strong tag over their bytes and no Content-Encoding', async () => {
    const { status, headers, body } = await fetchFile({ 'Accept-Encoding': 'gzip' });
    expect([status, headers.get('etag'), headers.get('accept-ranges')]).toEqual([200, TAG, 'bytes']);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-disposition')).toBe('attachment; filename="file.gz"');
    expect(body.equals(BYTES)).toBe(true);
    expect(trace).toEqual(['charge']);
  });

  test('that the client has are a free 304, whatever its balance', async () => {
    isPoor = true;
    for (const tag of [TAG, `"x", ${TAG}`, `W/${TAG}`, '*']) {
      const { status, headers, body } = await fetchFile({ 'If-None-Match': tag, Range: 'bytes=0-9' });
      expect([status, headers.get('etag'), body.length]).toEqual([304, TAG, 0]);
    }
    expect(trace).toEqual([]);
    expect((await fetchFile({ 'If-None-Match': '"other"' })).status).toBe(402);
  });

  test('that the store does not open end with their clients, and free the key', async () => {
    const waiting = keys.add();
    const requests = [1, 2, 3, 4].map(() =>
      get(`${api.url}/v1/files/hung`, { agent: false, headers: { 'X-API-Key': waiting } }).on('error', () => {}),
    );
    await until(() => hung.length === 4);
    expect((await api.get('/v1/rows?rows=1', waiting)).status).toBe(429);
    for (const request of requests) request.destroy();
    await until(async () => (await api.get('/v1/rows?rows=1', waiting)).status === 200);
    const late = new PassThrough();
    hung[0]!(late);
    await until(() => late.destroyed);
  });

  test('are described to HEAD, which is free', async () => {
    const { status, headers } = await fetchFile({ Range: 'bytes=0-9' }, 'whole', 'HEAD');
    expect([status, headers.get('content-length'), headers.get('etag')]).toEqual([200, String(BYTES.length), TAG]);
    expect(trace).toEqual([]);
  });

  const size = BYTES.length;
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=5-9', 5, 10],
    ['bytes=99990-', 99_990, size],
    ['bytes=-10', 99_990, size],
    ['bytes=-200000', 0, size],
    ['bytes=99999-200000', 99_999, size],
    ['bytes = 5 - 9', 5, 10],
  ])('%s is a part', async (Range, start, end) => {
    const { status, headers, body } = await fetchFile({ Range, 'If-Range': TAG });
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
    expect(headers.get('content-length')).toBe(String(end - start));
    expect(body.equals(BYTES.subarray(start, end))).toBe(true);
  });

  test.each(['bytes=0-1,5-9', 'bytes=9-5', 'bytes=', 'bytes=-', 'rows=0-1', 'bytes=a-b'])(
    '%s is the whole',
    async (Range) => {
      expect((await fetchFile({ Range })).status).toBe(200);
    },
  );

  test('a part of another version is the whole', async () => {
    for (const ifRange of ['"other"', `W/${TAG}`, 'Sat, 21 Nov 2026 00:00:00 GMT'])
      expect((await fetchFile({ Range: 'bytes=0-9', 'If-Range': ifRange })).status).toBe(200);
  });

  test.each(['bytes=100000-', 'bytes=100000-100001', 'bytes=-0'])('%s is beyond the end, and free', async (Range) => {
    const { status, headers, body } = await fetchFile({ Range });
    expect([status, headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'range_not_satisfiable' });
    expect(trace).toEqual([]);
  });

  test('parts put together are the file', () =>
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: size - 1 }), { maxLength: 3 }), async (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), size];
        const parts: Buffer[] = [];
        for (const [i, end] of ends.entries())
          parts.push((await fetchFile({ Range: `bytes=${ends[i - 1] ?? 0}-${end - 1}` })).body);
        expect(Buffer.concat(parts).equals(BYTES)).toBe(true);
      }),
      { numRuns: runs(50) },
    ));

  test('one that is not there is a free 503, and one that breaks is given back', async () => {
    expect((await fetchFile({}, 'lost')).status).toBe(503);
    expect(trace).toEqual([]);
    await expect(fetchFile({}, 'broken')).rejects.toThrow('terminated');
    await until(() => trace.includes('give back'));
  });

  test('one that breaks while it is charged is given back, and the API goes on', async () => {
    await expect(fetchFile({}, 'cut')).rejects.toThrow('fetch failed');
    await until(() => trace.includes('give back'));
    expect(trace).toEqual(['charge', 'give back']);
    onCharged = () => {};
    expect((await fetchFile()).status).toBe(200);
  });
});
