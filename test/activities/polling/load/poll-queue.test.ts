// The admission of due polls, separately and in a process simulated on its own clock: one event loop with a given
// amount of work per poll.
import { type DuePoll, PollQueue } from '../../../../src/activities/polling/load/poll-queue';
import { isNearJump } from '../../../../src/domain/time/cadence';

const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const MINUTE = 60_000;

const due = (over: Partial<DuePoll>, started: string[] = [], name = ''): DuePoll => ({
  startMs: NOON + 30 * MINUTE,
  lastAtMs: NOON - 20_000,
  intervalMs: 20_000,
  call: null,
  start: () => void started.push(name),
  ...over,
});

/** A queue that admits no further poll until one leaves. */
function fullQueue(): PollQueue {
  const queue = new PollQueue(() => NOON);
  for (let i = 0; i < 32; i++) queue.enter(due({}));
  for (let i = 0; i < 40; i++) queue.sample({ atMs: i * 1000, lateMs: 1000, storeMs: null, stored: 0 });
  return queue;
}

test('a process that keeps up starts every poll at once', () => {
  const queue = new PollQueue(() => NOON);
  const started: string[] = [];
  for (const name of ['a', 'b', 'c']) queue.enter(due({}, started, name));
  expect(started).toEqual(['a', 'b', 'c']);
  expect(queue.waitingCount).toBe(0);
});

test('races near their jump go first, then the poll that has waited for the most of its intervals', () => {
  const queue = fullQueue();
  const started: string[] = [];
  queue.enter(due({ lastAtMs: NOON - 25_000 }, started, 'late'));
  queue.enter(due({ lastAtMs: NOON - 60_000 }, started, 'latest'));
  queue.enter(due({ lastAtMs: NOON - 40_000, intervalMs: 15_000 }, started, 'later'));
  queue.enter(due({ lastAtMs: null }, started, 'first'));
  queue.enter(due({ lastAtMs: NOON - 8_000, intervalMs: 8_000, startMs: NOON + MINUTE }, started, 'near'));
  expect(started).toEqual([]);
  for (let i = 0; i < 5; i++) queue.left();
  expect(started).toEqual(['near', 'first', 'latest', 'later', 'late']);
});

test('polls that share a call are admitted together, but a far race never with a near one', () => {
  const queue = fullQueue();
  const started: string[] = [];
  queue.enter(due({ call: 'sportsbet' }, started, 'far'));
  queue.enter(due({ call: 'sportsbet', startMs: NOON + MINUTE }, started, 'near'));
  queue.enter(due({ call: 'sportsbet', startMs: NOON }, started, 'also near'));
  queue.enter(due({ call: 'betfair_ex_au' }, started, 'another book'));
  queue.left();
  expect(started).toEqual(['near', 'also near']);
});

test('a withdrawn poll is not started', () => {
  const queue = fullQueue();
  const started: string[] = [];
  const poll = due({}, started, 'gone');
  queue.enter(poll);
  queue.withdraw(poll);
  for (let i = 0; i < 32; i++) queue.left();
  expect(started).toEqual([]);
});

const STEP_MS = 25;
const COST_MS = 25;
const LATENCY_MS = 100;
const DEADLINE_MS = 5000;
const SECONDS = 100;
/** The capacity of the event loop, or of the database. */
const CAPACITY = 1000 / COST_MS;

interface Flight {
  readonly pair: Pair;
  readonly startedMs: number;
  readonly repliedMs: number;
}

interface Pair {
  readonly startMs: number;
  lastAtMs: number;
  busy: boolean;
  done: number;
  longestNearGapMs: number;
}

type Bottleneck = 'loop' | 'database' | 'database, unseen' | 'distance';

/**
 * `races` jump evenly over the next hour and are polled until then, fourteen books each. The replies queue for the
 * bottleneck: for a turn of the loop, while their deadline runs, or for the database, which has no deadline. A distant
 * database takes a second for each, however many there are.
 */
function simulate(races: number, bottleneck: Bottleneck, samples = true) {
  let nowMs = NOON;
  const queue = new PollQueue(() => nowMs);
  const pairs = Array.from({ length: races * 14 }, (_, i): Pair => {
    const startMs = NOON + 5000 + (Math.floor(i / 14) * 60 * MINUTE) / races;
    return { startMs, lastAtMs: NOON - ((i * 7919) % 20_000), busy: false, done: 0, longestNearGapMs: 0 };
  });
  const flying: Flight[] = [];
  let timeouts = 0;
  let done = 0;
  let freeMs = nowMs;
  const isNear = ({ startMs }: Pair, atMs: number) => isNearJump((startMs - atMs) / 1000);
  const intervalOf = (pair: Pair) => (isNear(pair, nowMs) ? 8000 : 20_000);
  const launch = (pair: Pair) => {
    if (isNear(pair, pair.lastAtMs) && nowMs > NOON + 40_000)
      pair.longestNearGapMs = Math.max(pair.longestNearGapMs, nowMs - pair.lastAtMs);
    pair.lastAtMs = nowMs;
    flying.push({ pair, startedMs: nowMs, repliedMs: nowMs + LATENCY_MS });
  };
  for (; nowMs < NOON + SECONDS * 1000; nowMs += STEP_MS) {
    for (const pair of pairs) {
      if (pair.busy || nowMs > pair.startMs || nowMs - pair.lastAtMs < intervalOf(pair)) continue;
      pair.busy = true;
      const { startMs, lastAtMs } = pair;
      queue.enter({ startMs, lastAtMs, intervalMs: intervalOf(pair), call: null, start: () => launch(pair) });
    }
    const distantMs = bottleneck === 'distance' ? 1000 : 0;
    while (flying.length > 0 && flying[0]!.repliedMs + distantMs <= nowMs && (distantMs > 0 || freeMs <= nowMs)) {
      const { pair, startedMs, repliedMs } = flying.shift()!;
      freeMs = Math.max(freeMs, nowMs) + COST_MS;
      if (bottleneck === 'loop' && nowMs - startedMs > DEADLINE_MS) timeouts += 1;
      else pair.done += 1;
      pair.busy = false;
      if (bottleneck === 'database' || bottleneck === 'distance') queue.stored(nowMs - repliedMs + COST_MS);
      else done += 1;
      queue.left();
    }
    if (!samples || (nowMs - NOON) % 500 !== 0) continue;
    const lateMs = flying.filter(({ repliedMs }) => repliedMs <= nowMs).length * COST_MS;
    const { storeMs, stored } = queue.takeStored();
    queue.sample({ atMs: nowMs, lateMs: bottleneck === 'loop' ? lateMs : 0, storeMs, stored: stored + done });
    done = 0;
  }
  const near = pairs.filter(({ startMs }) => startMs < NOON + SECONDS * 1000);
  const far = pairs.filter(({ startMs }) => startMs > NOON + 300_000).map(({ done }) => done);
  return {
    perSecond: pairs.reduce((sum, { done }) => sum + done, 0) / SECONDS,
    timeouts,
    longestNearGapMs: Math.max(...near.map(({ longestNearGapMs }) => longestNearGapMs)),
    fewestFar: Math.min(...far),
    mostFar: Math.max(...far),
  };
}

/** This many races need all the capacity of the bottleneck. */
const FULL_LOAD = Math.round((CAPACITY * 18) / 14);

test.each(['loop', 'database'] as const)(
  'at six times what the %s can do it still does that much, loses nothing, and thins evenly, races near the jump last',
  (bottleneck) => {
    const best = simulate(FULL_LOAD, bottleneck);
    const six = simulate(6 * FULL_LOAD, bottleneck);
    expect(best.perSecond).toBeGreaterThan(0.8 * CAPACITY);
    expect(six.perSecond).toBeGreaterThan(0.9 * best.perSecond);
    expect(six.timeouts).toBe(0);
    expect(six.longestNearGapMs).toBeLessThan(8000 + 2000);
    expect(six.mostFar - six.fewestFar).toBeLessThanOrEqual(1);
  },
);

test('unlimited, the same load is lost to deadlines, and a race near its jump waits with all others', () => {
  expect(simulate(6 * FULL_LOAD, 'loop', false).timeouts).toBeGreaterThan(500);
  expect(simulate(6 * FULL_LOAD, 'database, unseen').longestNearGapMs).toBeGreaterThan(20_000);
});

test('a database that is slow for each poll, however few there are, is not a reason to poll less', () => {
  const due = (6 * FULL_LOAD * 14) / 20;
  expect(simulate(6 * FULL_LOAD, 'distance').perSecond).toBeGreaterThan(0.75 * due);
});
