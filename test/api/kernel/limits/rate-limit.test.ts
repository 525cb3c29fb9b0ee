// The rate limit of keys over two API processes and one Redis: exact, in the headers of every response, through stalls
// of the process, and by each process alone while Redis is unavailable.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import { createKeyCount } from '../../../../src/api/kernel/limits/key-count';
import type { Services } from '../../../../src/api/operations';
import { connectors } from '../../../../src/api/operations/connectors/connectors';
import { ingestSportPrices } from '../../../../src/api/operations/ingest/ingest-sport-prices';
import { PLANS } from '../../../../src/plans/plans';
import type { Reads } from '../../../../src/store/reads/reads';
import { createKeyLimit } from '../../../../src/store/redis/key-limit';
import { createRedis } from '../../../../src/store/redis/redis';
import { type Answer, memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { createPatience, PATIENT_MS } from '../../../support/patient';
import { runs } from '../../../support/property';
import { type TcpLine, tcpLine } from '../../../support/servers/tcp-line';

const about = { tag: 'Health', summary: 's', description: 'd', cost: flat(1), method: 'get' } as const;
const ok = { description: 'ok', schema: Type.Any(), example: {} };
const ENDPOINTS: Endpoint<Services>[] = [
  endpoint()({
    ...about,
    path: '/v1/thing',
    operationId: 'thing',
    auth: 'key',
    query: { size: Type.Integer({ default: 1, minimum: 1, maximum: 9 }) },
    ok,
    handler: async () => ({ body: { a: 1 } }),
  }),
  endpoint()({
    ...about,
    path: '/v1/secret',
    operationId: 'secret',
    auth: 'internal',
    ok,
    handler: async () => ({ body: {} }),
  }),
  connectors,
  ingestSportPrices,
];

const STALL_MS = 900;
/** Longer than this file takes. */
const WINDOW_MS = 3_600_000;

/** For this run: an earlier one's counts are still in Redis. */
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
    const keyLimit = createKeyLimit(own, deployment, WINDOW_MS);
    apis.push(await startApi({ reads, keys, keyLimit, processes: () => 2, endpoints: ENDPOINTS }));
  }
  // A stall of the tests is longer than they wait for a reply.
  for (const _ of [1, 2]) redis.push(createRedis(line.url, STALL_MS / 2));
  for (const one of redis.slice(2)) await one.connect();
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

test('of simultaneous requests on two processes exactly as many are admitted as the plan allows', async () => {
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

test('every response reports the remaining requests, in both families of headers, and every status counts', async () => {
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

test('the limit is the plan’s: a key that is moved keeps its window', async () => {
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

test('a request without a valid key has no key limit', async () => {
  const { status, headers } = await get('nonsense');
  expect([status, headers.has('x-ratelimit-limit'), headers.has('ratelimit')]).toEqual([401, false, false]);
});

/**
 * Out of 20 pushes of a book’s sports, those admitted and those refused; `of`: the process and the key's owner of each.
 */
async function pushed(book: string, of: (i: number) => 0 | 1): Promise<readonly number[]> {
  const senders = [keys.add({ role: 'internal' }), keys.add({ role: 'pusher', bookmakerKey: book })];
  // A body that is refused: the limit is judged before it is read.
  const send = (at: 0 | 1) => apis[at]!.send('POST', `/v1/ingest/sports/${book}`, { key: senders[at]!, body: '{' });
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => send(of(i))));
  for (const { headers, body } of all.filter(({ status }) => status === 429))
    expect([body.code, headers.get('retry-after')]).toEqual(['rate_limit', String(body.retry_after_seconds)]);
  return [415, 429].map((status) => all.filter((one) => one.status === status).length);
}

test('pushes of one book’s sports are limited to six a minute over both processes, whoever sends them', async () => {
  expect(await pushed('tab', (i) => (i % 2) as 0 | 1)).toEqual([6, 14]);
  expect(await pushed('sportsbet', () => 0)).toEqual([6, 14]);
});

test('during a Redis outage each process admits its share; afterwards the count is exact again', async () => {
  const key = keys.add();
  const other = keys.add();
  const operator = keys.add({ role: 'internal' });
  const reported = async (path: string, by?: string) => (await apis[0]!.get(path, by)).body.rate_limits;
  const reports = async (state: string) =>
    (await reported('/healthz')) === state && (await reported('/v1/health/connectors', operator)) === state;
  const served = async (by: string, i: number) =>
    (await Promise.all(Array.from({ length: 35 }, () => get(by, '/v1/thing', {}, i)))).filter(
      ({ status }) => status === 200,
    );
  expect(await reports('enforced')).toBe(true);
  expect((await get(key)).status).toBe(200);
  await line.cut();
  // Half of the plan's 30, of which one was admitted before.
  expect(await served(key, 0)).toHaveLength(14);
  expect(await served(key, 1)).toHaveLength(15);
  expect((await served(other, 0)).map((one) => limitOf(one).remaining).at(-1)).toBe('0');
  expect(await pushed('pointsbetau', () => 1)).toEqual([3, 17]);
  expect(await reports('by_process')).toBe(true);
  await line.mend();
  await until(() => reports('enforced'));
  // One was counted before. A process judges by itself what Redis answers too late, and its share is used up.
  expect((await served(key, 0)).length).toBeLessThanOrEqual(29);
  await until(async () => {
    const { length } = await served(keys.add(), 0);
    expect(length).toBeLessThanOrEqual(30);
    return length === 30;
  });
});

test('a stalled process does not count as a loss of Redis: the count stays exact', async () => {
  const sharedByAll: boolean[] = [];
  for (const i of [1, 2, 3]) {
    const key = keys.add({ keyId: `stalled ${i}` });
    const limit = createKeyCount(createKeyLimit(redis[2]!, deployment, WINDOW_MS));
    const takes = Array.from({ length: 100 }, () => limit.take(key, 30));
    standStill();
    const counted = await Promise.all(takes);
    sharedByAll.push(limit.state() === 'all' && counted.every(({ by }) => by === 'all'));
    if (sharedByAll.at(-1)) expect(counted.filter(({ admitted }) => admitted)).toHaveLength(30);
  }
  // A machine on which Redis itself is late may spoil one of them; a limit that is judged before the sockets are read
  // spoils each.
  expect(sharedByAll).toContain(true);
});

type Step = { readonly takes: number; readonly at: 0 | 1 } | 'stall' | 'cut' | 'silence' | 'mend';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ takes: fc.integer({ min: 1, max: 25 }), at: fc.constantFrom(0 as const, 1) }) },
    { weight: 2, arbitrary: fc.constant<Step>('stall') },
    { weight: 2, arbitrary: fc.constantFrom<Step>('cut', 'silence') },
    { weight: 2, arbitrary: fc.constant<Step>('mend') },
  ),
  { minLength: 4, maxLength: 14 },
);

// All of a run is one window, so that every request of it counts against every other.
test('two processes with stalls and an unstable Redis admit at most the limit, or twice that after a loss', async () => {
  const MOST = 20;
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const key = randomUUID();
      const counts = [2, 3].map((i) => createKeyCount(createKeyLimit(redis[i]!, deployment, WINDOW_MS), () => 2));
      let admitted = 0;
      let lost = false;
      for (const step of drawn) {
        if (step === 'mend') await line.mend();
        else if (step === 'cut') await line.cut();
        else if (step === 'silence') line.silence();
        else {
          const takers = step === 'stall' ? counts : [counts[step.at]!];
          const each = step === 'stall' ? 8 : step.takes;
          const takes = takers.flatMap((one) => Array.from({ length: each }, () => one.take(key, MOST)));
          if (step === 'stall') standStill();
          const all = await Promise.all(takes);
          admitted += all.filter((one) => one.admitted).length;
          lost ||= all.some(({ by }) => by === 'process');
        }
      }
      await line.mend();
      for (const one of redis.slice(2)) await until(async () => (await one.ping().catch(() => '')) === 'PONG');
      expect(admitted).toBeLessThanOrEqual(lost ? 2 * MOST : MOST);
    }),
    { numRuns: runs(15, 5) },
  );
});

/** On purpose: nothing else of this process may run meanwhile. Takes no processor time from others. */
function standStill(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const patience = createPatience(PATIENT_MS);
  while (!(await holds())) {
    if (patience.isOver()) throw new Error('waited in vain');
    // An immediate failure would keep the connection from opening.
    await delay(5);
  }
}
