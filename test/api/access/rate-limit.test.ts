// The rate limit of keys over two API processes and one Redis: exact, in the headers of every response, and open while Redis is away.
import { randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat } from '../../../src/api/endpoint';
import { connectors } from '../../../src/api/endpoints/health/connectors';
import { PLANS } from '../../../src/plans/plans';
import type { Reads } from '../../../src/store/reads/reads';
import { createKeyLimit } from '../../../src/store/redis/key-limit';
import { createRedis } from '../../../src/store/redis/redis';
import { type Answer, memoryKeys, startApi, type TestApi } from '../../support/api/api';
import { PATIENT_MS } from '../../support/patient';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

const about = { tag: 'Test', summary: 's', description: 'd', cost: flat(1), method: 'get' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const ENDPOINTS: Endpoint[] = [
  endpoint({
    ...about,
    path: '/v1/thing',
    operationId: 'thing',
    auth: 'key',
    query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
    ok,
    handler: async () => ({ body: { a: 1 } }),
  }),
  endpoint({
    ...about,
    path: '/v1/secret',
    operationId: 'secret',
    auth: 'internal',
    ok,
    handler: async () => ({ body: {} }),
  }),
  connectors,
];

/** Longer than this file takes. */
const WINDOW_MS = 3_600_000;

/** Of this run: an earlier one's counts are still in Redis. */
const deployment = randomUUID();

const keys = memoryKeys();
let line: TcpLine;
const redis: ReturnType<typeof createRedis>[] = [];
const apis: TestApi[] = [];
beforeAll(async () => {
  line = await tcpLine(process.env.REDIS_URL!);
  for (const _ of [1, 2]) {
    const own = createRedis(line.url, PATIENT_MS);
    redis.push(own);
    const reads = {
      ping: async () => {},
      connectorStatus: async () => [],
      sportCoverage: async () => [],
    } as unknown as Reads;
    apis.push(
      await startApi({ reads, keys, keyLimit: createKeyLimit(own, deployment, WINDOW_MS), endpoints: ENDPOINTS }),
    );
  }
});
afterAll(async () => {
  for (const api of apis) await api.close();
  for (const one of redis) one.disconnect();
  await line.close();
});

const [free] = PLANS;
const get = (key: string, path = '/v1/thing', headers = {}, i = 0): Promise<Answer> => apis[i]!.get(path, key, headers);
const limitOf = ({ headers }: Answer) => ({
  limit: headers.get('x-ratelimit-limit'),
  remaining: headers.get('x-ratelimit-remaining'),
  reset: headers.get('x-ratelimit-reset'),
});

test('of requests at once on two processes exactly as many are admitted as the plan allows', async () => {
  const key = keys.add({ plan: 'hobby' });
  const all = await Promise.all(Array.from({ length: 110 }, (_, i) => get(key, '/v1/thing', {}, i % 2)));
  const [served, refused] = [200, 429].map((status) => all.filter((one) => one.status === status));
  expect([served!.length, refused!.length]).toEqual([60, 50]);
  expect(new Set(served!.map((one) => limitOf(one).remaining)).size).toBe(60);
  for (const { headers, body } of refused!) {
    expect(body).toMatchObject({ code: 'rate_limit', detail: 'The Hobby plan allows each key 60 requests a minute.' });
    expect(headers.get('retry-after')).toBe(String(body.retry_after_seconds));
    expect(headers.get('x-ratelimit-reset')).toBe(headers.get('retry-after'));
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(WINDOW_MS / 1000);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
});

test('every response reports what is left, in both families of headers, and every status counts', async () => {
  const key = keys.add();
  const first = await get(key);
  expect(limitOf(first)).toEqual({ limit: '30', remaining: '29', reset: '3600' });
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-ratelimit-policy': '30 requests per minute per key, 3000 credits per month (Free)',
    'ratelimit-policy': '"minute";q=30;w=60',
    ratelimit: '"minute";r=29;t=3600',
  });
  const rest = [
    await get(key, '/v1/thing?size=0'),
    await get(key, '/v1/secret'),
    await get(key, '/v1/thing', { 'If-None-Match': first.headers.get('etag')! }),
    await apis[0]!.send('HEAD', '/v1/thing', { key }),
  ];
  expect(rest.map(({ status }) => status)).toEqual([422, 403, 304, 200]);
  expect(rest.map((one) => limitOf(one).remaining)).toEqual(['28', '27', '26', '25']);
  expect(rest.every(({ headers }) => headers.has('ratelimit') && headers.has('x-ratelimit-policy'))).toBe(true);
});

test('the number is the plan’s: a key that is moved keeps its window', async () => {
  const small = keys.add({ keyId: 'moved' });
  const moved = keys.add({ keyId: 'moved', plan: 'scale' });
  for (let i = 0; i < 30; i++) await get(small);
  expect((await get(small)).status).toBe(429);
  expect(limitOf(await get(moved))).toMatchObject({ limit: '3000', remaining: String(3000 - 31) });
});

test.each(['internal', 'pusher'] as const)('a key of role %s is not limited', async (role) => {
  const key = keys.add({ role, bookmakerKey: role === 'pusher' ? 'boostbet' : null });
  const all = await Promise.all(Array.from({ length: free!.requestsPerMinute + 1 }, () => get(key, '/v1/thing')));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([role === 'internal' ? 200 : 403]));
  expect(limitOf(all.at(-1)!)).toEqual({ limit: 'unlimited', remaining: 'unlimited', reset: '0' });
});

test('a request without a good key has no limit of a key', async () => {
  const { status, headers } = await get('nonsense');
  expect([status, headers.has('x-ratelimit-limit'), headers.has('ratelimit')]).toEqual([401, false, false]);
});

test('while Redis is away every request is served, and when it is back the count is exact again', async () => {
  const key = keys.add();
  const operator = keys.add({ role: 'internal' });
  const reported = async (path: string, by?: string) => (await apis[0]!.get(path, by)).body.rate_limits;
  const reports = async (state: string) =>
    (await reported('/healthz')) === state && (await reported('/v1/health/connectors', operator)) === state;
  expect((await get(key)).status).toBe(200);
  await line.cut();
  const away = await Promise.all(Array.from({ length: free!.requestsPerMinute + 5 }, () => get(key)));
  expect(new Set(away.map(({ status }) => status))).toEqual(new Set([200]));
  expect(limitOf(away.at(-1)!)).toEqual({ limit: '30', remaining: '30', reset: '0' });
  await until(() => reports('not_enforced'));
  await line.mend();
  await until(() => reports('enforced'));
  const back = await Promise.all(Array.from({ length: 35 }, () => get(key)));
  // One was counted before.
  expect(back.filter(({ status }) => status === 200)).toHaveLength(29);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + PATIENT_MS;
  while (!(await holds())) if (Date.now() > untilMs) throw new Error('waited in vain');
}
