// A race whose process is full: its due polls are thinned, which is counted, and stores nothing. No server: the test
// moves the time.
import type { ActivityDeps } from '../../../src/activities/deps';
import { recordLag, recordPoll, recordThinned } from '../../../src/activities/polling/collection-metrics';
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import { type DuePoll, PollQueue } from '../../../src/activities/polling/load/poll-queue';
import { REAL_TIME } from '../../../src/domain/time/clock';

jest.mock('../../../src/activities/polling/collection-metrics');

const START = '2026-11-21T03:00:00.000Z';
const SECOND = 1000;

beforeEach(() => jest.useFakeTimers({ now: Date.parse(START) - 3_600_000 }));
afterEach(() => jest.useRealTimers());

/** Admits nothing until one leaves. */
function fullQueue(): PollQueue {
  const queue = new PollQueue(Date.now);
  const other: DuePoll = {
    startMs: Date.parse(START),
    lastAtMs: Date.now(),
    dueAtMs: Date.now(),
    intervalMs: 20_000,
    call: null,
    start: () => undefined,
  };
  while (!queue.isShort) queue.enter({ ...other });
  // Still first in line: it waits for longer than the race's polls.
  return queue;
}

test('each due time is a poll, stored with its own instant, or is counted as thinned, and stores nothing', async () => {
  const queue = fullQueue();
  const saved: string[] = [];
  let asked = 0;
  const stop = new AbortController();
  const feed = {
    fetchRace: async () => {
      asked += 1;
      return { kind: 'unchanged', observedAt: new Date().toISOString() };
    },
  };
  const row = { raceId: 'race', epoch: 1, tier: 'live', closed: false, holderAttempt: 0, advertisedStart: START };
  const verdict = { fenced: false, changed: 0, ticks: 0, startMoved: false, outOfOrder: false };
  let reads = 0;
  const readControl = async () => {
    reads += 1;
    return { ...row, unseen: null };
  };
  const savePoll = async ({ observedAt }: { observedAt: string }) => {
    saved.push(observedAt);
    return verdict;
  };
  const deps = {
    now: Date.now,
    clock: REAL_TIME,
    feeds: new Map([['tab', feed]]),
    stores: {
      control: { claim: async () => true, heldEpoch: async () => 1, readControl },
      races: { booksOf: async () => [{ bookmakerKey: 'tab', sourceRaceId: 'x' }] },
      quotes: { savePoll },
    },
    random: () => 0.5,
    log: { warn: (...given: unknown[]) => void console.log(given) },
  } as unknown as ActivityDeps;
  const host = {
    attempt: 1,
    signal: stop.signal,
    heartbeat: () => undefined,
    wait: (ms: number) =>
      new Promise<void>((resolve, reject) => {
        setTimeout(resolve, ms);
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
      }),
  };
  const tally = { add: () => undefined, flush: async () => undefined };
  const ended = runLivePoller(
    deps,
    { raceId: 'race', epoch: 1, turn: 1, marketShut: false },
    host,
    tally,
    undefined,
    queue,
  );
  const resumed = ended.catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(70 * SECOND);
  expect([asked, saved]).toEqual([0, []]);
  // Control reads go on, if fewer: the race is not near its jump.
  expect(reads).toBeGreaterThanOrEqual(70 / 4);
  expect(reads).toBeLessThan(50);

  // Two leave: the other that waits, and the race's.
  queue.left();
  queue.left();
  await jest.advanceTimersByTimeAsync(SECOND);
  expect([asked, saved.length]).toEqual([1, 1]);
  expect(Date.now() - Date.parse(saved[0]!)).toBeLessThanOrEqual(SECOND);
  // Due at once, then every 20 s: the times of 0, 20 and 40 s were not made, and that of 60 s starts ten late.
  expect(recordThinned).toHaveBeenCalledTimes(1);
  expect(recordThinned).toHaveBeenCalledWith('tab', 'usual', 3);
  expect(recordPoll).toHaveBeenCalledTimes(1);
  const [[, , lagSeconds]] = jest.mocked(recordLag).mock.calls as [[string, string, number]];
  expect(lagSeconds).toBeCloseTo(10, 0);

  // The place of that poll is free again, so the next starts when it is due.
  await jest.advanceTimersByTimeAsync(21 * SECOND);
  expect(asked).toBe(2);
  expect(recordThinned).toHaveBeenCalledTimes(1);
  stop.abort(new Error('stopped'));
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(await resumed).toMatchObject({ message: 'stopped' });
});
