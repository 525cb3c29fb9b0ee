// Which connection plays a paid replay, what it has paid, and from where on: never two at once, never from before what
// was read.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createPaidPlays, type PlayRecord } from '../../../src/store/redis/paid-plays';
import { createRedis } from '../../../src/store/redis/redis';
import { PATIENT_MS } from '../../support/patient';

let redis: Redis;
beforeAll(() => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
});
afterAll(() => redis.disconnect());

const own = { accountId: 'account', play: 'play' };
const record: PlayRecord = { filters: 'filters', fromMs: null, paid: { race: 5 } };
const more: PlayRecord = { ...record, paid: { race: 5, other: 5 } };

function plays(lastsMs?: number) {
  const deployment = `paid-plays ${randomUUID()}`;
  const all = createPaidPlays(redis, deployment, lastsMs);
  const keep = (connection: string, read: string) => all.keep(own, connection, read, record);
  /** The connection that had it. */
  const resume = async (connection: string, id: string): Promise<string | null> => {
    const found = await all.find(own, id);
    if (found) await all.take(own, connection, { record, read: id, found });
    return found?.holder ?? null;
  };
  const lose = async (): Promise<number> => {
    const named = createHash('sha1').update(JSON.stringify([deployment, own.accountId, own.play]));
    return redis.del(`plays:${named.digest('base64url')}`);
  };
  return { ...all, keep, resume, lose };
}

test('one connection plays it at a time, and what was read only rises', async () => {
  const { keep, resume } = plays();
  expect(await resume('first', '5')).toBeNull();
  expect(await keep('first', '2')).toBe(true);
  expect(await keep('first', '1')).toBe(true);
  expect(await resume('second', '1')).toBeNull();
  expect(await resume('second', '2')).toBe('first');
  expect([await keep('first', '9'), await keep('second', '3')]).toEqual([false, true]);
  expect(await resume('third', '2')).toBeNull();
  // The same id again, by a client that got no reply.
  expect([await resume('third', '4'), await resume('fourth', '4')]).toEqual(['second', 'third']);
});

test('a play belongs to its account', async () => {
  const { keep, find } = plays();
  await keep('first', '');
  expect(await find({ ...own, accountId: 'stranger' }, '1')).toBeNull();
  expect(await find({ ...own, play: 'other' }, '1')).toBeNull();
});

test('of two that found the same, one takes it, and none takes what was corrected meanwhile', async () => {
  const { find, take, correct } = plays();
  await take(own, 'first', { record, read: '', found: null });
  const found = await find(own, '1');
  expect(found).toMatchObject({ record, holder: 'first', resumptions: 0 });
  const taking = (connection: string) => take(own, connection, { record: more, read: '1', found });
  expect((await Promise.all([taking('second'), taking('third')])).sort()).toEqual([false, true]);
  const taken = await find(own, '1');
  expect(taken).toMatchObject({ record: more, resumptions: 1 });
  expect([await correct(own, 'first', record), await correct(own, taken!.holder, record)]).toEqual([false, true]);
  expect(await take(own, 'fourth', { record: more, read: '1', found: taken })).toBe(false);
  expect(await find(own, '1')).toMatchObject({ record, resumptions: 1 });
});

test('what Redis lost is kept again by the connection that plays it', async () => {
  const { find, keep, lose } = plays();
  await keep('first', '2');
  expect(await lose()).toBe(1);
  expect(await keep('first', '3')).toBe(true);
  expect(await find(own, '2')).toBeNull();
  expect(await find(own, '3')).toMatchObject({ record, holder: 'first' });
});

test('it is forgotten when it has shown no sign for its time', async () => {
  const { keep, resume } = plays(20);
  await keep('first', '');
  const late = AbortSignal.timeout(PATIENT_MS);
  while ((await resume('second', '1')) !== null) {
    late.throwIfAborted();
    // Each sign makes it last again.
    await delay(40);
  }
  expect(await keep('third', '')).toBe(true);
});
