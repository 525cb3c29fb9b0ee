// What is limited by address: everything without a key together, except the sandbox, and everything refused for its
// key.

import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Reads } from '../../../../src/store/reads/reads';
import type { AddressBudget } from '../../../../src/store/redis/address-budget';
import { memoryKeys, newKey, startApi, type TestApi } from '../../../support/api/api';

const about = { method: 'get', tag: 'Health', summary: 's', description: 'd', cost: flat(0) } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const handler = async () => ({ body: {} });
const ENDPOINTS: Endpoint<unknown>[] = [
  endpoint()({ ...about, path: '/v1/free', operationId: 'free', auth: 'none', ok, handler }),
  endpoint()({ ...about, path: '/v1/sample', operationId: 'sample', auth: 'none', perMinutePerIp: 2, ok, handler }),
  endpoint()({
    ...about,
    path: '/v1/link',
    operationId: 'link',
    auth: 'none',
    tag: 'Sports',
    perMinutePerIp: 2,
    ok,
    handler,
  }),
  endpoint()({ ...about, path: '/v1/things', operationId: 'things', auth: 'key', ok, handler }),
];

/** Nothing is replenished, however slow the machine is. */
function countedForEver(): AddressBudget {
  const taken = new Map<string, number>();
  return {
    async take(address, perMinute) {
      const count = taken.get(address) ?? 0;
      if (count >= perMinute) return 12_345;
      taken.set(address, count + 1);
      return 0;
    },
    giveBack: async () => {},
  };
}

const keys = memoryKeys();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    reads: { ping: async () => {} } as unknown as Reads,
    keys,
    endpoints: ENDPOINTS,
    addressBudget: countedForEver(),
    trustedProxies: 1,
    keylessPerMinute: 5,
  });
});
afterAll(() => api.close());

const get = (path: string, address: string, key?: string) => api.get(path, key, { 'X-Forwarded-For': address });

test('pages, documents, operations and unknown paths count together, with an IPv6 /64 as one address', async () => {
  const paths = ['/', '/docs/try', '/openapi.json', '/v1/free', '/race/0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10'];
  const statuses: number[] = [];
  for (const [i, path] of paths.entries()) statuses.push((await get(path, `2001:db8:0:1::${i + 1}`)).status);
  expect(statuses).toEqual([404, 200, 200, 200, 404]);
  for (const path of [...paths, '/docs/swagger-ui-bundle.js', '/nothing']) {
    const { status, body, headers } = await get(path, '2001:db8:0:1:ffff::');
    expect([path, status, body.code, headers.get('retry-after')]).toEqual([path, 429, 'rate_limit', '13']);
  }
  expect((await get('/docs/try', '2001:db8:0:2::1')).status).toBe(200);
});

test('unknown, retired and disallowed requests under /v1 count too', async () => {
  const paths = ['/v1/nothing', '/v1/value/x', '/v1/arb/racing', '/v1/things/x'];
  const home = '192.0.2.9';
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await get(path, home)).status);
  const headers = { 'X-Forwarded-For': home };
  statuses.push((await api.send('POST', '/v1/things', { headers })).status);
  expect(statuses).toEqual([404, 410, 410, 404, 405]);
  for (const path of paths) expect([path, (await get(path, home)).status]).toEqual([path, 429]);
  expect((await api.send('POST', '/v1/things', { headers })).status).toBe(429);
  expect((await get('/v1/value/x', '192.0.2.8')).status).toBe(410);
  const preflight = { ...headers, Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
  expect((await api.send('OPTIONS', '/v1/things', { headers: preflight })).status).toBe(204);
  expect((await get('/v1/things', home, keys.add())).status).toBe(200);
});

test('the sandbox, keys and the health check still work at an address that has used its limit up', async () => {
  const home = '192.0.2.1';
  for (const _ of [1, 2, 3, 4, 5]) await get('/docs/try', home);
  expect((await get('/docs/try', home)).status).toBe(429);
  expect((await get('/v1/things', home, keys.add())).status).toBe(200);
  expect((await get('/healthz', home)).status).toBe(200);
  const sample = async () => (await get('/v1/sample', home)).status;
  expect([await sample(), await sample(), await sample()]).toEqual([200, 200, 429]);
  expect((await get('/v1/sample', '192.0.2.2')).status).toBe(200);
  // The same number, and another tag: a separate limit.
  expect((await get('/v1/link', home)).status).toBe(200);
});

test('requests refused for their key count together, whatever is wrong with it, and never block a valid key (D37)', async () => {
  const expiresAt = '2026-11-20T00:00:00.000Z';
  const replaced = keys.add({ expiresAt });
  const foreign = keys.add({ allowedAddresses: ['203.0.113.0/24'] });
  const refused = [undefined, 'nonsense', newKey(), replaced, foreign];
  const all = async (address: string) => {
    const statuses: number[] = [];
    for (const key of refused) statuses.push((await get('/v1/things', address, key)).status);
    return statuses;
  };
  for (let i = 0; i < 12; i++) expect(await all(`2001:db8:0:7::${i}`)).toEqual([401, 401, 401, 401, 403]);
  const home = '2001:db8:0:7:ffff::';
  expect(await all(home)).toEqual([429, 429, 429, 429, 429]);
  const { body, headers } = await get('/v1/things', home);
  expect([body.code, headers.get('retry-after')]).toEqual(['rate_limit', '13']);
  expect((await get('/v1/things', home, keys.add())).status).toBe(200);
  expect((await get('/v1/things', '203.0.113.7', foreign)).status).toBe(200);
  expect(await all('2001:db8:0:8::1')).toEqual([401, 401, 401, 401, 403]);
});
