// A race whose process is full, or whose books cannot be read: what is thinned, counted and stored, and what goes on.
// No server: the test moves the time.
import type { ActivityDeps } from '../../../src/activities/deps';
import type { DuePoll, PollQueue as Queue } from '../../../src/activities/polling/load/poll-queue';
import type { PollerProgress } from '../../../src/activities/polling/poller';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { inBatches } from '../../../src/store/pg/in-batches';

const POLLING = '../../../src/activities/polling';
const recordLag = jest.fn<void, [book: string, urgency: string, wallSeconds: number, rides: boolean]>();
const recordPoll = jest.fn();
const recordThinned = jest.fn<void, [book: string, urgency: string, count: number]>();

type Loaded = Pick<typeof import('../../../src/activities/polling/live-poller'), 'runLivePoller'> &
  Pick<typeof import('../../../src/activities/polling/load/poll-queue'), 'PollQueue'>;

/** Modules of their own: other tests of the process have loaded these with the real metrics. */
function withRecorders(): Loaded {
  let loaded!: Loaded;
  jest.isolateModules(() => {
    jest.doMock(`${POLLING}/collection-metrics`, () => ({ recordLag, recordPoll, recordThinned }));
    loaded = { ...require(`${POLLING}/live-poller`), ...require(`${POLLING}/load/poll-queue`) };
    jest.dontMock(`${POLLING}/collection-metrics`);
  });
  return loaded;
}

const { runLivePoller, PollQueue } = withRecorders();

const START = '2026-11-21T03:00:00.000Z';
const SECOND = 1000;

beforeEach(() => jest.useFakeTimers({ now: Date.parse(START) - 3_600_000 }));
afterEach(() => {
  jest.clearAllMocks();
  jest.useRealTimers();
});

const OTHER = (): DuePoll => ({
  startMs: Date.parse(START),
  lastAtMs: Date.now(),
  dueAtMs: Date.now(),
  intervalMs: 20_000,
  restMs: 0,
  call: null,
  start: () => undefined,
});

/** Admits nothing until one leaves. */
function fullQueue(): Queue {
  const queue = new PollQueue(Date.now);
  while (!queue.isShort) queue.enter(OTHER());
  // Still first in line: it waits for longer than the race's polls.
  return queue;
}

const verdict = { fenced: false, changed: 0, ticks: 0, startMoved: false, outOfOrder: false };
const row = { raceId: 'race', epoch: 1, tier: 'live', closed: false, holderAttempt: 0, advertisedStart: START };
const TAB = { bookmakerKey: 'tab', sourceRaceId: 'x' };

interface World {
  readonly startMoved?: boolean;
  readonly random?: number;
  booksOf?(): Promise<(typeof TAB)[]>;
}

/** One race at one book, and what its poller did. */
function oneRace({ startMoved = false, random = 0.5, booksOf = async () => [TAB] }: World = {}) {
  const did = { asked: 0, saved: [] as string[], reads: [] as number[], warned: [] as unknown[] };
  const feed = {
    fetchRace: async () => {
      did.asked += 1;
      return { kind: 'unchanged', observedAt: new Date().toISOString() };
    },
  };
  const readControl = async () => {
    did.reads.push(Date.now());
    return { ...row, unseen: null };
  };
  const savePoll = async ({ observedAt }: { observedAt: string }) => {
    did.saved.push(observedAt);
    return { ...verdict, startMoved };
  };
  const deps = {
    now: Date.now,
    clock: REAL_TIME,
    feeds: new Map([['tab', feed]]),
    stores: {
      control: { claim: async () => true, heldEpoch: async () => 1, readControl },
      races: { booksOf },
      quotes: { savePoll },
    },
    random: () => random,
    log: { warn: (_: unknown, text: string) => void did.warned.push(text) },
  } as unknown as ActivityDeps;
  const run = (queue: Queue, resume?: PollerProgress) => {
    const stop = new AbortController();
    let latest: PollerProgress | undefined;
    const host = {
      attempt: 1,
      signal: stop.signal,
      heartbeat: (progress: PollerProgress) => {
        latest = progress;
      },
      wait: (ms: number) =>
        new Promise<void>((resolve, reject) => {
          setTimeout(resolve, ms);
          stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
        }),
    };
    const tally = { add: () => undefined, flush: async () => undefined };
    const race = { raceId: 'race', epoch: 1, turn: 1, marketShut: false };
    const ended = runLivePoller(deps, race, host, tally, resume, queue).catch((error: unknown) => error);
    return {
      ended,
      progress: () => latest!,
      end: async () => {
        stop.abort(new Error('stopped'));
        await jest.advanceTimersByTimeAsync(SECOND);
        expect(await ended).toMatchObject({ message: 'stopped' });
      },
    };
  };
  return { did, run };
}

const thinnedSoFar = (): number => recordThinned.mock.calls.reduce((sum, [, , count]) => sum + count, 0);

test('each due time is a poll, stored with its own instant, or is counted as thinned, and stores nothing', async () => {
  const queue = fullQueue();
  const { did, run } = oneRace();
  const poller = run(queue);
  await jest.advanceTimersByTimeAsync(70 * SECOND);
  expect([did.asked, did.saved]).toEqual([0, []]);
  // Control reads go on, if fewer: the race is not near its jump.
  expect(did.reads.length).toBeGreaterThanOrEqual(70 / 4);
  expect(did.reads.length).toBeLessThan(50);

  // Two leave: the other that waits, and the race's.
  queue.left();
  queue.left();
  await jest.advanceTimersByTimeAsync(SECOND);
  expect([did.asked, did.saved.length]).toEqual([1, 1]);
  expect(Date.now() - Date.parse(did.saved[0]!)).toBeLessThanOrEqual(SECOND);
  // Due at once, then every 20 s: the times of 0, 20 and 40 s were not made, and that of 60 s starts ten late.
  expect(recordThinned).toHaveBeenCalledTimes(1);
  expect(recordThinned).toHaveBeenCalledWith('tab', 'usual', 3);
  expect(recordPoll).toHaveBeenCalledTimes(1);
  const [[, , lagSeconds, rides] = []] = recordLag.mock.calls;
  expect(lagSeconds).toBeCloseTo(10, 0);
  expect(rides).toBe(false);

  // The place of that poll is free again, so the next starts when it is due.
  await jest.advanceTimersByTimeAsync(21 * SECOND);
  expect(did.asked).toBe(2);
  expect(recordThinned).toHaveBeenCalledTimes(1);
  await poller.end();
});

test('a due time that passes before a hand-over is counted once, by the attempt that takes the race', async () => {
  const { did, run } = oneRace();
  const first = run(new PollQueue(Date.now));
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(did.asked).toBe(1);
  const full = fullQueue();
  const second = run(full, first.progress());
  await first.end();
  // Due 20 s after the poll, and every 20 s from then on.
  await jest.advanceTimersByTimeAsync(64 * SECOND);
  await second.end();
  const third = run(new PollQueue(Date.now), second.progress());
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(did.asked).toBe(2);
  const [made] = recordLag.mock.calls.slice(-1);
  expect(made![2]).toBeLessThan(20);
  await third.end();
  await jest.advanceTimersByTimeAsync(0);
  expect(thinnedSoFar()).toBe(2);
});

test('while the process is full, a start that a poll has moved has its control row read within the second', async () => {
  const queue = fullQueue();
  const { did, run } = oneRace({ startMoved: true, random: 0.99 });
  const poller = run(queue);
  await jest.advanceTimersByTimeAsync(10 * SECOND);
  const before = did.reads.length;
  while (did.reads.length === before) await jest.advanceTimersByTimeAsync(50);
  await jest.advanceTimersByTimeAsync(300);
  const reads = did.reads.length;
  queue.left();
  // Still full: another waits.
  queue.enter(OTHER());
  queue.enter(OTHER());
  queue.left();
  await jest.advanceTimersByTimeAsync(50);
  expect([did.saved.length, did.reads.length]).toEqual([1, reads]);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(did.reads.length).toBeGreaterThan(reads);
  await poller.end();
});

test('a silent connection that reads the books ends no poller that has some, and delays none of its polls', async () => {
  let read = 0;
  const booksOf = inBatches(
    async (races: readonly string[]) => {
      read += 1;
      // From the second read on, no reply.
      return read === 1 ? races.map(() => [TAB]) : new Promise<never>(() => undefined);
    },
    { lanes: 1, most: 100 },
  );
  const { did, run } = oneRace({ booksOf: () => booksOf('race') });
  const poller = run(new PollQueue(Date.now));
  await jest.advanceTimersByTimeAsync(150 * SECOND);
  expect(did.asked).toBe(Math.ceil(150 / 20));
  expect(read).toBeGreaterThan(4);
  expect(did.warned.length).toBeGreaterThan(2);
  await poller.end();
});

test('a race whose books were never read is given up to the next attempt', async () => {
  const { run } = oneRace({ booksOf: async () => Promise.reject(new Error('no reply')) });
  expect(await run(new PollQueue(Date.now)).ended).toMatchObject({ message: 'no reply' });
});
