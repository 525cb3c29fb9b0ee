// Renewals and payments of many connections at one moment are few commands, and each connection gets its own verdict.
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createRedis } from '../../../src/store/redis/redis';
import { createStreamLeases } from '../../../src/store/redis/stream-leases';
import { PATIENT_MS } from '../../support/patient';

let redis: Redis;
beforeAll(() => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
});
afterAll(() => redis.disconnect());

const streamOf = (accountId: string = randomUUID()) => ({ accountId, keyId: 'key', connection: randomUUID() });

/** Those sent from now on. */
function countScripts() {
  const names: string[] = [];
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    names.push(command.name);
    return send(command, stream);
  };
  return {
    scripts: () => names.filter((name) => name.startsWith('eval')).length,
    stop: () => {
      redis.sendCommand = send;
    },
  };
}

test('250 renewals of one moment: kept, full or replaced, as each one is', async () => {
  const leases = createStreamLeases(redis, randomUUID());
  const kept = Array.from({ length: 247 }, () => streamOf());
  const [replaced, later, holds] = [streamOf(), streamOf(), streamOf()];
  const full = streamOf(holds.accountId);
  const own = { ...later, accountId: replaced.accountId };
  for (const stream of [kept[0]!, replaced, holds]) await leases.take(stream, 1);
  await leases.take(own, 1, { replaces: replaced.connection });
  const { scripts, stop } = countScripts();
  try {
    const all = [...kept.slice(0, 100), replaced, ...kept.slice(100), full, holds];
    const verdicts = await Promise.all(all.map((stream) => leases.renew(stream, 1)));
    const expected = all.map((stream) => (stream === replaced ? 'replaced' : stream === full ? 'full' : 'kept'));
    expect(verdicts).toEqual(expected);
    expect(scripts()).toBeLessThanOrEqual(4);
  } finally {
    stop();
  }
  // A renewal that found no lease took one.
  expect(await leases.take(streamOf(kept.at(-1)!.accountId), 1)).toBe('full');
});

test('150 minutes of one moment are paid and confirmed in few commands, each for who takes its place', async () => {
  const leases = createStreamLeases(redis, randomUUID());
  const all = Array.from({ length: 150 }, () => streamOf());
  const [paid, unconfirmed, unpaid] = [all[70]!, streamOf(), streamOf()];
  const { scripts, stop } = countScripts();
  const heirOf = async (stream: (typeof all)[number]) => {
    const heir = { ...stream, connection: randomUUID() };
    return leases.take(heir, 1, { replaces: stream.connection });
  };
  try {
    const renewed = [...all, unconfirmed].map((stream) => leases.renew(stream, 1, 60_000));
    expect(new Set(await Promise.all([...renewed, leases.renew(unpaid, 1)]))).toEqual(new Set(['kept']));
    // It pays itself: it is not known whether the charge succeeds.
    expect(await heirOf(unconfirmed)).toEqual({ paidMs: 0 });
    const confirmed = await Promise.all([...all, unconfirmed, unpaid].map((stream) => leases.confirm(stream)));
    expect(confirmed).toEqual([...all.map(() => true), false, true]);
    expect(scripts()).toBeLessThanOrEqual(7);
    const { paidMs } = (await heirOf(paid)) as { paidMs: number };
    expect(paidMs).toBeGreaterThan(0);
    expect(paidMs).toBeLessThanOrEqual(60_000);
    expect(await heirOf(unpaid)).toEqual({ paidMs: 0 });
  } finally {
    stop();
  }
});

test('without a verdict for each, none counts', async () => {
  const leases = createStreamLeases(redis, randomUUID());
  // Its line cannot be read.
  const renewals = [{ ...streamOf(), keyId: '\n' }, streamOf(), streamOf()].map((one) => leases.renew(one, 1));
  const outcomes = await Promise.allSettled(renewals);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a renewal that waits while its connection ends takes no lease again, and others are renewed', async () => {
  const leases = createStreamLeases(redis, randomUUID());
  const [ended, other] = [streamOf(), streamOf()];
  for (const stream of [ended, other]) await leases.take(stream, 1);
  const renewals = [ended, other, ended].map((stream) => leases.renew(stream, 1));
  await leases.giveBack(ended);
  expect(await Promise.all(renewals)).toEqual(['left', 'kept', 'left']);
  expect(await leases.take(streamOf(ended.accountId), 1)).toEqual({ paidMs: 0 });
  expect(await leases.take(streamOf(other.accountId), 1)).toBe('full');
});

test('while Redis is away every renewal fails, and none hangs', async () => {
  const away = createRedis('redis://127.0.0.1:1', 250);
  const leases = createStreamLeases(away, randomUUID());
  const outcomes = await Promise.allSettled([streamOf(), streamOf(), streamOf()].map((one) => leases.renew(one, 1)));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  away.disconnect();
});
