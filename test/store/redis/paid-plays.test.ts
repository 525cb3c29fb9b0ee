// Which connection plays a paid replay, and from where on: never two at once, never from before what was read.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createPaidPlays } from '../../../src/store/redis/paid-plays';
import { createRedis } from '../../../src/store/redis/redis';
import { PATIENT_MS } from '../../support/patient';

let redis: Redis;
beforeAll(() => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
});
afterAll(() => redis.disconnect());

const plays = (lastsMs?: number) => createPaidPlays(redis, `paid-plays ${randomUUID()}`, lastsMs);
const own = { accountId: 'account', play: 'play' };

test('one connection plays it at a time, and what was read only rises', async () => {
  const { keep, resume } = plays();
  expect(await resume(own, 'first', '5')).toBeNull();
  expect(await keep(own, 'first', '2')).toBe(true);
  expect(await keep(own, 'first', '1')).toBe(true);
  expect(await resume(own, 'second', '1')).toBeNull();
  expect(await resume(own, 'second', '2')).toBe('first');
  expect([await keep(own, 'first', '9'), await keep(own, 'second', '3')]).toEqual([false, true]);
  expect(await resume(own, 'third', '2')).toBeNull();
  // The same id again, by a client that got no reply.
  expect([await resume(own, 'third', '4'), await resume(own, 'fourth', '4')]).toEqual(['second', 'third']);
});

test('a play belongs to its account', async () => {
  const { keep, resume } = plays();
  await keep(own, 'first', '');
  expect(await resume({ ...own, accountId: 'stranger' }, 'theirs', '1')).toBeNull();
  expect(await resume({ ...own, play: 'other' }, 'mine', '1')).toBeNull();
});

test('the connection that plays it can have it forgotten, another one cannot', async () => {
  const { keep, resume, forget } = plays();
  await keep(own, 'first', '');
  await resume(own, 'second', '1');
  expect([await forget(own, 'first'), await resume(own, 'third', '1')]).toEqual([false, 'second']);
  expect([await forget(own, 'third'), await resume(own, 'fourth', '1')]).toEqual([true, null]);
  expect(await forget(own, 'fourth')).toBe(true);
});

test('it is forgotten when it has shown no sign for its time', async () => {
  const { keep, resume } = plays(20);
  await keep(own, 'first', '');
  const late = AbortSignal.timeout(PATIENT_MS);
  while ((await resume(own, 'second', '1')) !== null) {
    late.throwIfAborted();
    // Each sign makes it last again.
    await delay(40);
  }
  expect(await keep(own, 'third', '')).toBe(true);
});
