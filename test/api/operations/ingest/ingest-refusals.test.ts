// Invalid pushes. Nothing refused here leaves a row behind.
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isKeyed } from '../../../../src/api/kernel/endpoint/auth';
import { ENDPOINTS } from '../../../../src/api/operations';
import { ingestPrices } from '../../../../src/api/operations/ingest/ingest-prices';
import { createStores } from '../../../../src/store/create-stores';
import { createPool } from '../../../../src/store/pg/pool';
import { createReads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi } from '../../../support/api/api';
import { type Served, serve } from '../../../support/api/served';
import { push, pushedRace, pushedRunner } from '../../../support/races/push';

let served: Served;
let operator: string;
beforeAll(async () => {
  served = await serve();
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
});
afterAll(() => served.stop());
afterEach(async () => {
  expect((await served.db.pool.query('SELECT FROM races')).rowCount).toBe(0);
});

const MOST_BYTES = ingestPrices.bodyBytes!;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const send = (body: unknown, { book = 'boostbet', key = operator, headers = {} } = {}) =>
  served.api.send('POST', `/v1/ingest/${book}`, {
    key,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...JSON_TYPE, ...headers },
  });

/** The body as these bytes. */
function sendBytes(bytes: Buffer, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((done, failed) => {
    const options = { method: 'POST', headers: { ...JSON_TYPE, 'X-API-Key': operator, ...headers } };
    const call = request(`${served.api.url}/v1/ingest/boostbet`, options, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk) => chunks.push(chunk));
      reply.on('end', () => done({ status: reply.statusCode!, text: Buffer.concat(chunks).toString() }));
    });
    call.on('error', failed).end(bytes);
  });
}

test('a customer’s key is a 403 whatever it sends, and a missing key a 401 (D14)', async () => {
  const key = await served.addKey({ plan: 'scale' });
  for (const body of [push(), {}, 'nonsense']) {
    expect(await send(body, { key })).toMatchObject({ status: 403, body: { code: 'plan_required' } });
  }
  expect(await send(push(), { key: '' })).toMatchObject({ status: 401 });
});

test('a polled book is a conflict; an unknown, retired or exchange-related one is a 422 that names the right ones', async () => {
  expect(await send(push({ bookmaker_key: 'tab' }), { book: 'tab' })).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('polled') },
  });
  for (const book of ['nobody', 'ponybet', 'pinnacle']) {
    const { status, body } = await send(push({ bookmaker_key: book }), { book });
    expect([status, body.errors[0].valid_values]).toEqual([422, ['betgold', 'boostbet']]);
  }
});

test('every error is reported at its place', async () => {
  const races = [
    { ...pushedRace(), category: 'camel', race_number: 0, runners: [pushedRunner(1, { win_price: '2', wim: 1 })] },
    { source_id: 'x' },
  ];
  const { status, body } = await send({ ...push({ races }), observed_at: 'yesterday', extra: 1 });
  expect([status, body.code]).toEqual([422, 'validation']);
  const places = body.errors.map((one: { pointer: string }) => one.pointer);
  for (const pointer of [
    '/extra',
    '/observed_at',
    '/races/0/category',
    '/races/0/race_number',
    '/races/0/runners/0/win_price',
    '/races/0/runners/0/wim',
    '/races/1',
  ])
    expect(places).toContain(pointer);
});

test('a push names the book of its path, and no race twice', async () => {
  const races = [pushedRace(), pushedRace()];
  const { status, body } = await send(push({ bookmaker_key: 'betgold', races }));
  expect([status, body.errors.map((one: { pointer: string }) => one.pointer)]).toEqual([
    422,
    ['/bookmaker_key', '/races/1/source_id'],
  ]);
});

test('prices too old, or from the future, are refused with the limit; the book’s health has the error', async () => {
  const old = await send(push({ observed_at: '2026-11-21T02:29:59.000Z' }));
  expect([old.status, old.body.errors[0].detail]).toEqual([422, expect.stringContaining('the limit is 1800 s')]);
  const races = [pushedRace({ observed_at: '2026-11-21T03:00:06.000Z' })];
  const ahead = await send(push({ races }));
  expect(ahead.body.errors).toEqual([
    { pointer: '/races/0/observed_at', detail: expect.stringContaining('the limit is 5 s') },
  ]);
  const { body: rows } = await served.api.get('/v1/health', operator);
  const health = rows.find((row: { connector: string }) => row.connector === 'boostbet');
  expect(health).toMatchObject({ connector: 'boostbet', last_ok: null, status: 'error' });
  expect(health.message).toContain('in the future');
});

test('lists longer than allowed are refused by their length alone', async () => {
  const many = await send(push({ races: Array.from({ length: 201 }, () => ({})) }));
  expect([many.status, many.body.errors]).toEqual([
    422,
    [{ pointer: '/races', detail: expect.stringContaining('the maximum is 200') }],
  ]);
  const runners = Array.from({ length: 41 }, (_, i) => pushedRunner(i + 1));
  const wide = await send(push({ races: [pushedRace({ runners })] }));
  expect(wide.body.errors).toEqual([
    { pointer: '/races/0/runners', detail: expect.stringContaining('the maximum is 40') },
  ]);
  expect((await send(push({ races: [] }))).status).toBe(422);
});

test('a body full of errors does not get as many in the response', async () => {
  const races = Array.from({ length: 200 }, () => ({ runners: Array.from({ length: 40 }, () => ({})) }));
  const { status, body } = await send(push({ races }));
  expect([status, body.errors.length]).toEqual([422, 2]);
  expect(body.errors.at(-1).detail).toMatch(/more/);
});

test('size, media type and encoding are limited', async () => {
  expect((await send(`"${'x'.repeat(MOST_BYTES)}"`)).status).toBe(413);
  expect((await send(push(), { headers: { 'Content-Type': 'text/csv' } })).status).toBe(415);
  const packed = { 'Content-Encoding': 'gzip' };
  const bomb = gzipSync(Buffer.alloc(200 * MOST_BYTES, ' '));
  expect(bomb.length).toBeLessThan(MOST_BYTES);
  expect(await sendBytes(bomb, packed)).toMatchObject({ status: 413 });
  expect((await sendBytes(Buffer.from('not gzip'), packed)).status).toBe(422);
  expect((await sendBytes(gzipSync('{}').subarray(0, 12), packed)).status).toBe(422);
  expect((await sendBytes(Buffer.from('x'), { 'Content-Encoding': 'br' })).status).toBe(422);
  expect((await sendBytes(Buffer.from('{}'), { 'Content-Encoding': 'zstd' })).status).toBe(415);
  const late = gzipSync(JSON.stringify(push({ observed_at: '2026-11-20T00:00:00.000Z' })));
  expect((await sendBytes(late, packed)).text).toContain('the limit is 1800 s');
});

describe('a key that pushes for one book', () => {
  let pusher: string;
  beforeAll(async () => {
    pusher = await served.addKey({ role: 'pusher', bookmakerKey: 'boostbet' });
  });
  const pushFor = (book: string) =>
    served.api.send('POST', `/v1/ingest/${book}`, {
      key: pusher,
      headers: JSON_TYPE,
      body: JSON.stringify(push({ bookmaker_key: book })),
    });

  test.each(['betgold', 'tab', 'nobody', 'BOOSTBET'])('is refused for %s, before its body is read', async (book) => {
    const { status, body } = await served.api.send('POST', `/v1/ingest/${book}`, { key: pusher, body: '{' });
    expect([status, body.code, body.detail]).toEqual([
      403,
      'plan_required',
      'This key may only push the prices of boostbet.',
    ]);
    expect((await pushFor(book)).status).toBe(403);
  });

  test.each(
    ENDPOINTS.filter(({ auth, tag }) => isKeyed(auth) && tag !== 'Ingest').map((one) => [one.operationId, one]),
  )('sees nothing of %s, whatever it sends', async (_, { method, path }) => {
    const { status, body } = await served.api.send(method.toUpperCase(), path.replace(/\{\w+\}/g, 'boostbet'), {
      key: pusher,
    });
    expect([status, body.detail]).toEqual([403, 'This key may only push the prices of boostbet.']);
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type']);
  });
});

test('while the database is away a push is refused, to be sent again', async () => {
  const pool = createPool('postgres://127.0.0.1:1/none', 1);
  const keys = memoryKeys();
  const { ingest, health } = createStores(pool);
  const away = await startApi({ reads: createReads(pool), keys, ingest, health });
  const key = keys.add({ role: 'internal' });
  const answer = await away.send('POST', '/v1/ingest/boostbet', {
    key,
    headers: JSON_TYPE,
    body: JSON.stringify(push()),
  });
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  await away.close();
  await pool.end();
});
