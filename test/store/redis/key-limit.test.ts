// The limit of one key in a real Redis, shared by several processes: what a window admits, and what is reported about
// it.
import { randomUUID } from 'node:crypto';
import { createKeyLimit, type KeyLimit } from '../../../src/store/redis/key-limit';
import { createRedis } from '../../../src/store/redis/redis';
import { PATIENT_MS } from '../../support/patient';

const url = process.env.REDIS_URL;
if (!url) throw new Error('REDIS_URL is not set: run the tests through `npm test`, which starts a server');

const clients = [createRedis(url, PATIENT_MS), createRedis(url, PATIENT_MS)];
afterAll(() => {
  for (const redis of clients) redis.disconnect();
});
/** Longer than this file takes. */
const LONG_MS = 3_600_000;
const processes = (windowMs?: number): KeyLimit[] => clients.map((redis) => createKeyLimit(redis, 'test', windowMs));

test('simultaneous processes are admitted exactly the limit, and get the number that remains', async () => {
  const [one, other] = processes(LONG_MS);
  const key = randomUUID();
  const all = await Promise.all(Array.from({ length: 80 }, (_, i) => (i % 2 ? one : other)!.take(key, 30)));
  const admitted = all.filter((each) => each.admitted);
  expect(admitted.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
    Array.from({ length: 30 }, (_, i) => 29 - i),
  );
  for (const { remaining, waitMs } of all.filter((each) => !each.admitted)) {
    expect(remaining).toBe(0);
    expect(waitMs).toBeGreaterThan(LONG_MS / 2);
    expect(waitMs).toBeLessThanOrEqual(LONG_MS);
  }
});

test('no window admits more than the limit, wherever it begins', async () => {
  const WINDOW_MS = 100;
  const [one, other] = processes(WINDOW_MS);
  const key = randomUUID();
  // Redis admitted each between these two instants.
  const admitted: { sentMs: number; backMs: number }[] = [];
  let turn = 0;
  while (admitted.length < 40) {
    const sentMs = performance.now();
    if ((await (turn++ % 2 ? one : other)!.take(key, 5)).admitted) admitted.push({ sentMs, backMs: performance.now() });
  }
  for (const [i, { sentMs }] of admitted.slice(0, -5).entries())
    expect(admitted[i + 5]!.backMs - sentMs).toBeGreaterThanOrEqual(WINDOW_MS);
});

test('each key, and each deployment, has its own limit', async () => {
  const [one] = processes(LONG_MS);
  const key = randomUUID();
  expect(await one!.take(key, 1)).toMatchObject({ admitted: true, remaining: 0 });
  expect(await one!.take(key, 1)).toMatchObject({ admitted: false });
  expect(await one!.take(randomUUID(), 1)).toMatchObject({ admitted: true });
  expect(await createKeyLimit(clients[0]!, 'other').take(key, 1)).toMatchObject({ admitted: true });
});

test('a key on another plan has the same window with another limit', async () => {
  const [one] = processes(LONG_MS);
  const key = randomUUID();
  for (let i = 0; i < 5; i++) await one!.take(key, 5);
  expect(await one!.take(key, 8)).toMatchObject({ admitted: true, remaining: 2 });
  // Four of its six have to leave before a plan of three admits another.
  expect(await one!.take(key, 3)).toMatchObject({ admitted: false, remaining: 0 });
});

describe('instants already counted', () => {
  const MINUTE_US = 60_000_000;
  const [redis] = clients;
  const nowUs = async (): Promise<number> => {
    const [seconds, micros] = await redis!.time();
    return Number(seconds) * 1_000_000 + Number(micros);
  };
  /** A key whose requests were admitted this many microseconds ago, oldest first. */
  async function keyWith(...agesUs: number[]): Promise<{ key: string; list: string }> {
    const key = randomUUID();
    await createKeyLimit(redis!, key).take('key', 1);
    const [list] = (await redis!.keys('key-limit:*')).filter((name) => !seen.has(name));
    seen.add(list!);
    await redis!.del(list!);
    const now = await nowUs();
    for (const age of agesUs) await redis!.lpush(list!, String(now - age));
    return { key, list: list! };
  }
  const seen = new Set<string>();
  beforeEach(async () => {
    for (const name of await redis!.keys('key-limit:*')) seen.add(name);
  });

  test('count for a minute', async () => {
    const { key } = await keyWith(MINUTE_US + 1_000_000, MINUTE_US + 1, 20_000_000);
    const limit = createKeyLimit(redis!, key);
    const first = await limit.take('key', 3);
    expect(first).toMatchObject({ admitted: true, remaining: 1 });
    expect(first.waitMs).toBeLessThanOrEqual(40_000);
    expect(first.waitMs).toBeGreaterThan(40_000 - PATIENT_MS);
  });

  test('still count when they are ahead of a clock that was set back, unless they are of another day', async () => {
    const ahead = await keyWith(-30_000_000, -30_000_000);
    expect(await createKeyLimit(redis!, ahead.key).take('key', 2)).toMatchObject({ admitted: false });
    const far = await keyWith(-90_000_000_000, -90_000_000_000);
    expect(await createKeyLimit(redis!, far.key).take('key', 2)).toMatchObject({ admitted: true, remaining: 1 });
  });
});
