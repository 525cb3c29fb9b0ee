// Answers that API processes share, in a real Redis: each instance here is a process with its own connection.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createRedis } from '../../../src/store/redis/redis';
import { createSharedAnswers, type SharedAnswers } from '../../../src/store/redis/shared-answers';
import { PATIENT_MS } from '../../support/patient';
import { tcpLine } from '../../support/servers/tcp-line';

const url = process.env.REDIS_URL;
if (!url) throw new Error('REDIS_URL is not set: run the tests through `npm test`, which starts a server');

/** Longer than any standstill of the machine, so that the lead is never lost. */
const LEAD_MS = 60_000;

let deployment: string;
const connections: Redis[] = [];
beforeEach(() => {
  deployment = randomUUID();
});
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnect();
});

interface Process {
  readonly answers: SharedAnswers;
  readonly redis: Redis;
}

function aProcess(address = url!, { of = deployment, withinMs = PATIENT_MS, leadMs = LEAD_MS } = {}): Process {
  const redis = createRedis(address, withinMs);
  connections.push(redis);
  return { answers: createSharedAnswers(redis, of, { leadMs }), redis };
}

/** A computation that counts its calls, and resolves to the count after `when`. */
function counting(when: Promise<void> = Promise.resolve()) {
  const compute = Object.assign(
    async (): Promise<{ n: number }> => {
      const n = ++compute.times;
      await when;
      return { n };
    },
    { times: 0 },
  );
  return compute;
}

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { opened, open };
}

async function until(come: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await come())) await delay(20);
}

const T0 = Date.parse('2026-11-21T03:00:00.000Z');
/** Redis expires an answer after the same wall time. */
const MAX_AGE_MS = 200_000;

test('a process answers with what another computed, and marks it as not fresh', async () => {
  const one = aProcess();
  const other = aProcess();
  const compute = counting();
  const first = await one.answers.get('q', MAX_AGE_MS, T0, compute);
  expect(first).toEqual({ value: { n: 1 }, computedAtMs: T0, fresh: true });
  const shared = { value: { n: 1 }, computedAtMs: T0, fresh: false };
  expect(await other.answers.get('q', MAX_AGE_MS, T0 + MAX_AGE_MS - 1, compute)).toEqual(shared);
  expect(await one.answers.get('q', MAX_AGE_MS, T0 + MAX_AGE_MS - 1, compute)).toEqual(shared);
  expect(compute.times).toBe(1);
});

test('an answer expires by race time, whatever the wall clock', async () => {
  const one = aProcess();
  const other = aProcess();
  const compute = counting();
  await one.answers.get('q', MAX_AGE_MS, T0, compute);
  const next = { value: { n: 2 }, computedAtMs: T0 + MAX_AGE_MS, fresh: true };
  expect(await other.answers.get('q', MAX_AGE_MS, T0 + MAX_AGE_MS, compute)).toEqual(next);
  expect(await one.answers.get('q', MAX_AGE_MS, T0 + MAX_AGE_MS, compute)).toEqual({ ...next, fresh: false });
});

test('a process whose clock is slightly behind uses the answer too', async () => {
  const ahead = aProcess();
  const behind = aProcess();
  const compute = counting();
  await ahead.answers.get('q', MAX_AGE_MS, T0, compute);
  expect(await behind.answers.get('q', MAX_AGE_MS, T0 - 40, compute)).toMatchObject({
    value: { n: 1 },
    computedAtMs: T0,
  });
  expect(await ahead.answers.get('q', MAX_AGE_MS, T0 - 40, compute)).toMatchObject({ value: { n: 1 } });
});

test('one caller computes, however many callers and processes there are', async () => {
  const processes = Array.from({ length: 4 }, () => aProcess());
  const slow = gate();
  const compute = counting(slow.opened);
  const calls = processes.flatMap(({ answers }) =>
    Array.from({ length: 5 }, () => answers.get('q', MAX_AGE_MS, T0, compute)),
  );
  await until(() => compute.times > 0);
  slow.open();
  const given = await Promise.all(calls);
  expect(compute.times).toBe(1);
  expect(given.filter((one) => one.fresh)).toHaveLength(1);
  expect(new Set(given.map((one) => JSON.stringify(one.value)))).toEqual(new Set(['{"n":1}']));
});

test('a process reads an answer from Redis once and then caches its own copy', async () => {
  const one = aProcess();
  const other = aProcess();
  const compute = counting();
  await one.answers.get('q', MAX_AGE_MS, T0, compute);
  const first = await other.answers.get('q', MAX_AGE_MS, T0 + 1, compute);
  other.redis.disconnect();
  const again = await other.answers.get('q', MAX_AGE_MS, T0 + 2, compute);
  expect(again.value).toBe(first.value);
  expect(compute.times).toBe(1);
});

test('queries, audiences and deployments never share an answer', async () => {
  const compute = counting();
  const get = (process: Process, query: string) => process.answers.get(query, MAX_AGE_MS, T0, compute);
  await get(aProcess(), 'customers q');
  await get(aProcess(), 'operators q');
  await get(aProcess(url, { of: randomUUID() }), 'customers q');
  expect(compute.times).toBe(3);
});

test('a failed computation is not cached, in its own process or in others', async () => {
  const one = aProcess();
  const other = aProcess();
  const compute = counting();
  const fail = () => Promise.reject(new Error('no database'));
  const both = [one.answers.get('q', MAX_AGE_MS, T0, fail), one.answers.get('q', MAX_AGE_MS, T0, fail)];
  for (const each of both) await expect(each).rejects.toThrow('no database');
  expect(await other.answers.get('q', MAX_AGE_MS, T0, compute)).toMatchObject({ value: { n: 1 }, fresh: true });
  expect(await one.answers.get('q', MAX_AGE_MS, T0, compute)).toMatchObject({ value: { n: 1 }, fresh: false });
});

test('a process that dies while computing delays the others briefly, and then one of them computes', async () => {
  const [dying, ...living] = [aProcess(url, { leadMs: 1000 }), aProcess(), aProcess()];
  const started = gate();
  void dying.answers.get('q', MAX_AGE_MS, T0, () => {
    started.open();
    return new Promise(() => undefined);
  });
  await started.opened;
  dying.redis.disconnect();
  const compute = counting();
  const given = await Promise.all(living.map(({ answers }) => answers.get('q', MAX_AGE_MS, T0, compute)));
  expect([compute.times, given.filter((one) => one.fresh).length]).toEqual([1, 1]);
});

test('the others wait for a long computation, because its lease is extended', async () => {
  // Longer than a lead that is not extended, and eight seconds shorter than one that was extended at nine.
  const leadMs = 12_000;
  const slow = aProcess(url, { leadMs });
  const other = aProcess();
  const started = gate();
  const compute = counting();
  const first = slow.answers.get('q', MAX_AGE_MS, T0, async () => {
    started.open();
    await delay(leadMs + 1000);
    return { n: 'slow' };
  });
  await started.opened;
  expect(await other.answers.get('q', MAX_AGE_MS, T0, compute)).toMatchObject({ value: { n: 'slow' }, fresh: false });
  expect([(await first).fresh, compute.times]).toEqual([true, 0]);
});

describe('without Redis', () => {
  test('a process caches its own answers, at once and without an error', async () => {
    const one = aProcess('redis://127.0.0.1:1');
    const compute = counting();
    expect(await one.answers.get('q', MAX_AGE_MS, T0, compute)).toMatchObject({ value: { n: 1 }, fresh: true });
    expect(await one.answers.get('q', MAX_AGE_MS, T0 + 1, compute)).toMatchObject({ value: { n: 1 }, fresh: false });
    const alone = createSharedAnswers(null, deployment);
    expect(await alone.get('q', MAX_AGE_MS, T0, compute)).toMatchObject({ value: { n: 2 }, fresh: true });
    expect(await alone.get('q', MAX_AGE_MS, T0 + MAX_AGE_MS, compute)).toMatchObject({ value: { n: 3 }, fresh: true });
  });

  test('processes continue without a stopped Redis, and share again when it is back', async () => {
    const line = await tcpLine(url);
    const near = aProcess(line.url);
    const far = aProcess();
    const compute = counting();
    const isFresh = async ({ answers }: Process, query: string) =>
      (await answers.get(query, MAX_AGE_MS, T0, compute)).fresh;
    expect([await isFresh(far, 'before'), await isFresh(near, 'before')]).toEqual([true, false]);
    await line.cut();
    expect([await isFresh(far, 'gone'), await isFresh(near, 'gone')]).toEqual([true, true]);
    await line.mend();
    let n = 0;
    await until(async () => {
      await isFresh(far, `back ${++n}`);
      return !(await isFresh(near, `back ${n}`));
    });
    await line.close();
  });

  test('a hanging Redis delays one call briefly and the next not at all', async () => {
    const line = await tcpLine(url);
    const withinMs = 1000;
    const near = aProcess(line.url, { withinMs });
    const compute = counting();
    await near.answers.get('before', MAX_AGE_MS, T0, compute);
    line.silence();
    await near.answers.get('a', MAX_AGE_MS, T0, compute);
    let waited = false;
    const asLong = delay(withinMs).then(() => {
      waited = true;
    });
    for (const query of ['b', 'c', 'd']) await near.answers.get(query, MAX_AGE_MS, T0, compute);
    // Not measured by time, because the machine may stand still: they resolve before anything else has its turn.
    expect([waited, compute.times]).toEqual([false, 5]);
    await asLong;
    await line.close();
  });
});

test('two megabytes pass between processes unchanged', async () => {
  const one = aProcess();
  const other = aProcess();
  const big = {
    pieces: Array.from({ length: 20_000 }, (_, i) => `"price":${i / 100},"name":"Löwe \\"${i}\\" 馬"…`.repeat(2)),
  };
  const first = await one.answers.get('big', MAX_AGE_MS, T0, async () => big);
  const second = await other.answers.get('big', MAX_AGE_MS, T0, async () => Promise.reject(new Error('not called')));
  expect(second.value).toEqual(first.value);
});

test.each([
  [{}, 200],
  [{ most: 3 }, 3],
])('the cache is bounded, %j, and keeps the newest answers', async (options, most) => {
  const alone = createSharedAnswers(null, deployment, options);
  const compute = counting();
  for (let i = 0; i <= most; i++) await alone.get(`q${i}`, MAX_AGE_MS, T0, compute);
  expect((await alone.get(`q${most}`, MAX_AGE_MS, T0, compute)).fresh).toBe(false);
  expect((await alone.get('q0', MAX_AGE_MS, T0, compute)).fresh).toBe(true);
});
