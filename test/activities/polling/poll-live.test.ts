// The live tier as an activity: its heartbeats, and the slot that it gives up. No server: the test simulates everything
// that it waits for.
import { EventEmitter, once } from 'node:events';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDeps } from '../../../src/activities/deps';
import { createLiveLoad } from '../../../src/activities/polling/load/live-load';
import { pollLive } from '../../../src/activities/polling/poll-live';
import { REAL_TIME } from '../../../src/domain/time/clock';

const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const HOUR = 3_600_000;
const RACE = { raceId: 'far', epoch: 1, turn: 1, marketShut: false };
const CONTROL = { raceId: 'far', epoch: 1, tier: 'live', closed: false, holderAttempt: 0 };

/**
 * `claim`: the database's answer to the poller's first query; `row`: the content of its control row, or its reading.
 * Temporal is silent.
 */
function run(
  claim: () => Promise<boolean>,
  load = createLiveLoad(() => NOON, 200),
  row: object | (() => Promise<object>) = CONTROL,
  heldEpoch = async () => 1,
  heartbeatTimeoutMs = 400,
  heartbeatMs?: number,
) {
  const env = new MockActivityEnvironment({ heartbeatTimeoutMs }, { logger: new DefaultLogger('ERROR') });
  const advertisedStart = new Date(NOON + 2 * HOUR).toISOString();
  const deps = {
    now: () => NOON,
    clock: REAL_TIME,
    feeds: new Map(),
    stores: {
      control: {
        claim,
        heldEpoch,
        readControl: async () => ({ ...(typeof row === 'function' ? await row() : row), advertisedStart }),
      },
      races: { booksOf: async () => [] },
    },
    random: () => 0.5,
    heartbeatMs,
  } as unknown as ActivityDeps;
  const silence = { over: () => new Promise<void>(() => undefined) };
  const tally = { add: () => undefined, flush: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  return { env, ended: env.run(() => pollLive(deps, RACE, env.context, { tally, load, silence })) };
}

test('heartbeats continue while the poller waits for the database, so that a slow database does not lose the race as well', async () => {
  let answer: (claimed: boolean) => void = () => undefined;
  const { env, ended } = run(() => new Promise((resolve) => (answer = resolve)));
  const beats = new Promise<void>((resolve) => {
    let count = 0;
    env.on('heartbeat', () => {
      count += 1;
      if (count === 2) resolve();
    });
  });
  await beats;
  answer(false);
  expect(await ended).toEqual({ kind: 'fenced', held: 1 });
});

test('as often as Temporal gets one, and never less than twice in a timeout, a poller heartbeats, and hardly more often', async () => {
  jest.useFakeTimers();
  try {
    for (const [timeoutMs, heartbeatMs] of [
      [1000, undefined],
      [10_000, 10_000],
      [20_000, undefined],
      [20_000, 30_000],
      [20_000, 4000],
      [60_000, 30_000],
      [120_000, 10_000],
    ] as const) {
      let answer: (claimed: boolean) => void = () => undefined;
      const claim = () => new Promise<boolean>((resolve) => (answer = resolve));
      const { env, ended } = run(
        claim,
        createLiveLoad(() => NOON, 200),
        CONTROL,
        async () => 1,
        timeoutMs,
        heartbeatMs,
      );
      const atMs: number[] = [];
      env.on('heartbeat', () => atMs.push(performance.now()));
      const reachesMs = Math.min(heartbeatMs ?? 10_000, timeoutMs / 2);
      // Its loop waits for the database: after a minute it is given up.
      await jest.advanceTimersByTimeAsync(Math.min(60_000, 10 * reachesMs));
      const gaps = atMs.slice(1).map((ms, i) => ms - atMs[i]!);
      expect(gaps.length).toBeGreaterThan(0);
      for (const gap of gaps) {
        expect(gap).toBeGreaterThanOrEqual(0.85 * reachesMs);
        expect(gap).toBeLessThanOrEqual(0.95 * reachesMs);
      }
      answer(false);
      await ended;
    }
  } finally {
    jest.useRealTimers();
  }
});

test('heartbeats of races of which nothing falls due are made on the beats of their process, so that they are sent together', async () => {
  jest.useFakeTimers();
  try {
    const load = createLiveLoad(() => NOON, 200);
    const races: ReturnType<typeof run>[] = [];
    const gaps: number[] = [];
    const beats = new Set<number>();
    for (const afterMs of [0, 370, 1210, 2600, 40]) {
      await jest.advanceTimersByTimeAsync(afterMs);
      const race = run(
        async () => true,
        load,
        CONTROL,
        async () => 1,
        20_000,
      );
      let lastMs: number | null = null;
      race.env.on('heartbeat', () => {
        const nowMs = performance.now();
        if (lastMs !== null) {
          gaps.push(nowMs - lastMs);
          beats.add(nowMs);
        }
        lastMs = nowMs;
      });
      races.push(race);
    }
    const seconds = 45;
    await jest.advanceTimersByTimeAsync(seconds * 1000);
    expect(gaps.length).toBeGreaterThanOrEqual(races.length * 4);
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(8500);
      expect(gap).toBeLessThanOrEqual(9500);
    }
    expect([...beats].filter((atMs) => atMs % 1000 !== 0)).toEqual([]);
    const all = Promise.all(races.map(({ ended }) => expect(ended).rejects.toThrow('CANCELLED')));
    for (const { env } of races) env.cancel('CANCELLED');
    await jest.advanceTimersByTimeAsync(1000);
    await all;
  } finally {
    jest.useRealTimers();
  }
});

test('one heartbeat may be lost, whenever a loop begins to wait', async () => {
  jest.useFakeTimers();
  try {
    for (const waitsAfterMs of [0, 900, 4300, 7600, 8450, 8950, 9050, 9400]) {
      const waits = Promise.withResolvers<void>();
      let isSlow = false;
      const read = async () => {
        if (isSlow) await waits.promise;
        return CONTROL;
      };
      const { env, ended } = run(
        async () => true,
        createLiveLoad(() => NOON, 200),
        read,
        async () => 1,
        20_000,
      );
      const atMs: number[] = [];
      env.on('heartbeat', () => atMs.push(performance.now()));
      await jest.advanceTimersByTimeAsync(9500 + waitsAfterMs);
      isSlow = true;
      await jest.advanceTimersByTimeAsync(30_000);
      const gaps = atMs.slice(1).map((ms, i) => ms - atMs[i]!);
      expect(gaps.length).toBeGreaterThanOrEqual(4);
      for (const gap of gaps) {
        expect(gap).toBeGreaterThanOrEqual(8500);
        expect(gap).toBeLessThanOrEqual(9500);
      }
      env.cancel('CANCELLED');
      waits.resolve();
      await Promise.all([expect(ended).rejects.toThrow('CANCELLED'), jest.advanceTimersByTimeAsync(1000)]);
    }
  } finally {
    jest.useRealTimers();
  }
});

test.each([
  ['its worker stops', 'WorkerShutdown', 1],
  ['it yields its slot', 'SlotYielded', 1],
  ['its database fails', 'database', 1],
  ['it is cancelled', 'CANCELLED', 0],
] as const)('an attempt reports its last turn when %s, unless it was given up', async (_, failure, reports) => {
  jest.useFakeTimers();
  try {
    let isNear = false;
    const near = { raceId: 'near', startTime: new Date(NOON + 60_000).toISOString(), unpolled: true };
    const far = { raceId: 'far', startTime: new Date(NOON + 2 * HOUR).toISOString(), unpolled: false };
    const watch = { latest: () => (isNear ? [near, far] : [far]), stop: () => undefined };
    const claimed = Promise.withResolvers<boolean>();
    let isFailing = false;
    const read = async () => {
      if (isFailing) throw new Error('database');
      return CONTROL;
    };
    const load = createLiveLoad(() => NOON, 1, watch);
    const { env, ended } = run(
      () => claimed.promise,
      load,
      read,
      async () => 1,
      20_000,
    );
    const details: unknown[] = [];
    env.on('heartbeat', (latest) => details.push(latest));
    await jest.advanceTimersByTimeAsync(9500);
    claimed.resolve(true);
    await jest.advanceTimersByTimeAsync(3000);
    // Of the wait for its claim; those of its turns are not due.
    expect(details).toEqual([undefined]);
    const end = ended.then(
      () => 'no failure',
      (error: Error & { type?: string }) => error.type ?? error.message,
    );
    if (failure === 'WorkerShutdown')
      env.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    if (failure === 'CANCELLED') env.cancel('CANCELLED');
    isNear = failure === 'SlotYielded';
    isFailing = failure === 'database';
    await jest.advanceTimersByTimeAsync(4000);
    expect(await end).toBe(failure);
    expect(details.slice(1)).toEqual(Array.from({ length: reports }, () => ({ polls: 0, books: [] })));
  } finally {
    jest.useRealTimers();
  }
});

test('a full process gives a far race’s slot to a near race that no worker polls', async () => {
  const near = { raceId: 'near', startTime: new Date(NOON + 60_000).toISOString(), unpolled: true };
  const far = { raceId: 'far', startTime: new Date(NOON + 2 * HOUR).toISOString(), unpolled: false };
  const watch = { latest: () => [near, far], stop: () => undefined };
  const { ended } = run(
    async () => true,
    createLiveLoad(() => NOON, 1, watch),
  );
  await expect(ended).rejects.toMatchObject({ type: 'SlotYielded', category: 'BENIGN', nextRetryDelay: 20_000 });
});

test('with a free slot it continues', async () => {
  const near = { raceId: 'near', startTime: new Date(NOON + 60_000).toISOString(), unpolled: true };
  const far = { raceId: 'far', startTime: new Date(NOON + 2 * HOUR).toISOString(), unpolled: false };
  const watch = { latest: () => [near, far], stop: () => undefined };
  const { env, ended } = run(
    async () => true,
    createLiveLoad(() => NOON, 2, watch),
  );
  await new Promise((resolve) => env.once('heartbeat', resolve));
  env.cancel('CANCELLED');
  await expect(ended).rejects.toThrow('CANCELLED');
});

test('cancelled by the SDK because Temporal is silent, it keeps polling without a heartbeat until another attempt has the race', async () => {
  const turns = new EventEmitter();
  let holderAttempt = 0;
  const row = {
    ...CONTROL,
    get holderAttempt() {
      turns.emit('turn');
      return holderAttempt;
    },
  };
  const { env, ended } = run(
    async () => true,
    createLiveLoad(() => NOON, 200),
    row,
  );
  await once(env, 'heartbeat');
  env.cancel('TIMED_OUT', new ActivityCancellationDetails({ timedOut: true, notFound: true }));
  let beats = 0;
  env.on('heartbeat', () => (beats += 1));
  await once(turns, 'turn');
  await once(turns, 'turn');
  holderAttempt = 2_000_000;
  expect(await ended).toEqual({ kind: 'fenced', held: 1 });
  expect(beats).toBe(0);
});

test('a database that fails on closing fails only this attempt and leaves no unhandled rejection', async () => {
  const failing = () => Promise.reject(new Error('timeout exceeded when trying to connect'));
  const closed = { ...CONTROL, closed: true };
  const { ended } = run(
    async () => true,
    createLiveLoad(() => NOON, 200),
    closed,
    failing,
  );
  await expect(ended).rejects.toThrow('timeout exceeded');
});
