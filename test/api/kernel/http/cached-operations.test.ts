// Responses cached for a second, over real HTTP: who shares one, what is still checked on every call, and how a
// response is sent.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import { request } from 'undici';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import { FREE_METER, type Meter } from '../../../../src/api/kernel/endpoint/meter';
import { BOUNDS } from '../../../../src/api/kernel/http/response/response-cache';
import { AppError } from '../../../../src/errors';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, NOW, startApi, type TestApi } from '../../../support/api/api';

const trace: string[] = [];
const keys = memoryKeys();
const free = keys.add({ plan: 'free' });
const hobby = keys.add({ plan: 'hobby' });
const plus = keys.add({ plan: 'plus' });
const operator = keys.add({ plan: 'free', role: 'internal' });
const meter: Meter = {
  ...FREE_METER,
  charge: async ({ credits }) => void trace.push(`${credits} for 200`),
};

const LONG = 'x'.repeat(5000);
const about = { tag: 'Health', summary: 's', description: 'd', auth: 'key', cost: flat(3) } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const sizes = {
  size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }),
  length: Type.Optional(Type.Integer({ 'x-alias-of': 'size', minimum: 1, maximum: 9 })),
};

const ENDPOINTS: Endpoint<unknown>[] = [
  endpoint()({
    ...about,
    method: 'get',
    path: '/v1/things',
    operationId: 'things',
    query: { ...sizes, list: Type.Optional(Type.Array(Type.String())) },
    gate: {
      text: 'g',
      errors: [],
      headers: {},
      check: ({ caller, setHeader }) => setHeader('X-Horizon-Hours', String(caller.plan.horizonHours)),
    },
    ok,
    async handler({ query, nowMs }) {
      trace.push('work');
      if (query.size === 9) throw new AppError('gone', 'It is gone.');
      return { body: { size: query.size, at: nowMs, long: LONG }, dataAgeSeconds: 7 };
    },
  }),
  endpoint()({
    ...about,
    method: 'get',
    path: '/v1/things/{thing_id}',
    operationId: 'thing',
    params: { thing_id: Type.String() },
    ok,
    async handler({ params }) {
      trace.push('work');
      return { body: params };
    },
  }),
  endpoint()({
    ...about,
    method: 'get',
    path: '/v1/news',
    operationId: 'news',
    neverCached: true,
    ok,
    async handler() {
      trace.push('work');
      return { body: { long: LONG } };
    },
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ reads: {} as Reads, keys, meter, endpoints: ENDPOINTS, responsesCachedMs: 60_000 });
});
afterAll(() => api.close());
beforeEach(() => {
  trace.splice(0);
  // The cache of the previous test has expired.
  api.now += 5_000;
});

const worked = () => trace.filter((one) => one === 'work').length;

describe('one cached response', () => {
  test('serves all equal requests of one second, each charged and with its own plan’s headers', async () => {
    api.now = Date.parse(NOW) + 60_000 + 250;
    const first = await api.get('/v1/things?size=2', free);
    api.now += 700;
    const later = await api.get('/v1/things?size=2', hobby);
    expect([later.text, later.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
    expect(first.body.at).toBe(Date.parse(NOW) + 60_000);
    expect(trace).toEqual(['work', '3 for 200', '3 for 200']);
    expect([first, later].map(({ headers }) => headers.get('x-horizon-hours'))).toEqual(['24', '24']);
    expect(first.headers.get('x-request-id')).not.toBe(later.headers.get('x-request-id'));
  });
  test('serves every spelling of the same request', async () => {
    for (const search of ['', '?size=1', '?length=1', '?size=1&length=1']) await api.get(`/v1/things${search}`, free);
    expect(worked()).toBe(1);
  });
  test.each([
    ['another parameter', '/v1/things?size=3', () => free],
    ['another path parameter', '/v1/things/b', () => free],
    ['rights that a body may show', '/v1/things', () => plus],
    ['operators', '/v1/things', () => operator],
  ])('does not serve %s', async (_, path, key) => {
    await api.get('/v1/things', free);
    await api.get('/v1/things/a', free);
    await api.get(path, key());
    expect(worked()).toBe(3);
  });
  test('does not serve the next second', async () => {
    const first = await api.get('/v1/things', free);
    api.now += 1000;
    expect((await api.get('/v1/things', free)).body.at).toBe(first.body.at + 1000);
  });
  test('is computed once for simultaneous requests', async () => {
    await Promise.all(Array.from({ length: 20 }, () => api.get('/v1/things', free)));
    expect(worked()).toBe(1);
  });
});

test('a refusal is not cached, and a wrong key or parameter is refused as without the cache', async () => {
  for (let i = 0; i < 2; i++) expect((await api.get('/v1/things?size=9', free)).status).toBe(410);
  expect(trace).toEqual(['work', 'work']);
  await api.get('/v1/things', free);
  expect((await api.get('/v1/things')).status).toBe(401);
  expect((await api.get('/v1/things?size=0', free)).status).toBe(422);
  expect((await api.get('/v1/things?size=1&size=1', free)).status).toBe(422);
});

test('a 304 is served from a cached response, uncharged', async () => {
  const first = await api.get('/v1/things', free);
  const tag = first.headers.get('etag')!;
  const again = await api.get('/v1/things', free, { 'If-None-Match': tag });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
  expect(again.headers.get('x-data-age-seconds')).toBe('7');
  expect(again.headers.get('content-length')).toBeNull();
  expect(trace).toEqual(['work', '3 for 200']);
});

const momentOver = async () => {
  const untilMs = performance.now() + BOUNDS.coalesceMs;
  while (performance.now() < untilMs) await nextTurn();
};

test('a response that is never cached is computed again as soon as its moment is over, and has no tag', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, headers } = await api.get('/v1/news', free, { 'If-None-Match': '*' });
    await momentOver();
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store']);
  }
  expect(worked()).toBe(2);
});

describe('on the wire', () => {
  const raw = (method: 'GET' | 'HEAD', encoding: string) =>
    request(`${api.url}/v1/things`, { method, headers: { 'X-API-Key': free, 'Accept-Encoding': encoding } });

  test.each([
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['deflate', 'deflate'],
    ['*', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['zstd', undefined],
  ])('for Accept-Encoding %s it is compressed as %s, with its length', async (accepted, packed) => {
    for (let i = 0; i < 2; i++) {
      const { headers, body } = await raw('GET', accepted);
      const bytes = Buffer.from(await body.arrayBuffer());
      expect([headers['content-encoding'], headers.vary]).toEqual([packed, 'Accept-Encoding']);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      if (packed === 'gzip') expect(JSON.parse(gunzipSync(bytes).toString()).long).toBe(LONG);
    }
    expect(worked()).toBe(1);
  });

  test('every encoding has the same tag', async () => {
    const whole = await raw('GET', 'identity');
    const packed = await raw('GET', 'br');
    for (const { body } of [whole, packed]) await body.dump();
    expect(packed.headers.etag).toBe(whole.headers.etag);
  });

  test('HEAD does no work, and has the headers that need none', async () => {
    const { statusCode, headers, body } = await raw('HEAD', 'br');
    await body.dump();
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'private, no-cache',
    ]);
    expect([headers.etag, headers['content-length'], headers['content-encoding']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(worked()).toBe(0);
  });
});
