// A poll worker on a clock of its own: the schedules and the queue are the real ones; replies wait in line for what the
// process is short of, its event loop or its database, which may stand still, be slow, or be far away.
import {
  type BookSchedule,
  dueAtMs,
  failed,
  intervalMsOf,
  newSchedule,
  started,
} from '../../../../src/activities/polling/due-books';
import { type DuePoll, PollQueue } from '../../../../src/activities/polling/load/poll-queue';
import { isNearJump } from '../../../../src/domain/time/cadence';

export const NOON = Date.parse('2026-11-21T01:00:00.000Z');
export const STEP_MS = 25;
const LATENCY_MS = 100;
const DEADLINE_MS = 5000;
const BOOKS = 14;
/** Race time, at the speed at which a poller looks at its polls least often. */
const BEAT_MS = 10_000;

/** From `atMs` on, wall milliseconds after the beginning. */
interface Span {
  readonly atMs: number;
  readonly forMs: number;
}

export interface Lived {
  readonly races: number;
  readonly seconds: number;
  readonly short: 'loop' | 'database';
  /** Replies a second that the event loop or the database gets through. */
  readonly perSecond: number;
  /** Added to each statement, however many there are. */
  readonly distanceMs?: number;
  /** The whole process stands still. */
  readonly stalls?: readonly Span[];
  /** What is short gets through so many times fewer. */
  readonly slow?: (Span & { readonly times: number }) | undefined;
  /** Share of the replies that are failures of the book. */
  readonly failing?: number;
  /** The races jump evenly over this long. */
  readonly overMinutes?: number;
  /** One of the books is not polled more often. */
  readonly restMs?: number;
  readonly isUnlimited?: boolean;
}

export interface Start {
  readonly pair: number;
  readonly atMs: number;
  readonly dueAtMs: number;
  readonly firstDueMs: number;
  readonly intervalMs: number;
  readonly thinned: number;
  /** By the cadence and the book's rest at this moment. */
  readonly ownIntervalMs: number;
  readonly isNear: boolean;
  /** Polls near their jump that waited, within four seconds of their due time, at this moment and a while before. */
  readonly nearWaiting: number;
}

interface Pair {
  readonly startMs: number;
  schedule: BookSchedule;
  dueAtMs: number;
  waiting: DuePoll | null;
  busy: boolean;
  done: number;
}

export interface Life {
  readonly starts: readonly Start[];
  readonly pairs: readonly { readonly startMs: number; readonly done: number }[];
  readonly stored: number;
  readonly timeouts: number;
  readonly mostInFlight: number;
  readonly mostWaiting: number;
}

function schedulePair(pair: Pair, schedule: BookSchedule): Pair {
  pair.schedule = schedule;
  pair.dueAtMs = dueAtMs(schedule, pair.startMs, Number.POSITIVE_INFINITY);
  return pair;
}

/** The order of those that wait holds for so long. */
export const ORDER_HOLDS_MS = 250;
const NEAR_IN_TIME_MS = 4000;

export function live({
  races,
  seconds,
  short,
  perSecond,
  distanceMs = 0,
  stalls = [],
  slow,
  failing = 0,
  overMinutes = 60,
  restMs = 0,
  isUnlimited = false,
}: Lived): Life {
  let nowMs = NOON;
  let drawn = races;
  const random = (): number => {
    drawn = (drawn * 48_271) % 0x7fffffff;
    return drawn / 0x7fffffff;
  };
  const queue = new PollQueue(() => nowMs);
  const pairs = Array.from({ length: races * BOOKS }, (_, i): Pair => {
    const startMs = NOON + 5000 + (Math.floor(i / BOOKS) * overMinutes * 60_000) / races;
    const ownRestMs = i % BOOKS === 0 ? restMs : 0;
    const schedule = newSchedule({ bookmakerKey: 'tab', sourceRaceId: 'x' }, false, ownRestMs);
    const lastAtMs = NOON - ((i * 7919) % Math.max(20_000, ownRestMs));
    return schedulePair(
      { startMs, schedule, dueAtMs: 0, waiting: null, busy: false, done: 0 },
      { ...schedule, lastAtMs },
    );
  });
  const flying: { readonly pair: Pair; readonly startedMs: number; readonly repliedMs: number }[] = [];
  const starts: Start[] = [];
  const totals = { stored: 0, timeouts: 0, mostInFlight: 0, mostWaiting: 0 };
  const isNear = ({ startMs }: Pair, atMs: number) => isNearJump((startMs - atMs) / 1000);
  const isTimely = ({ waiting }: Pair): boolean => {
    const lateMs = waiting ? nowMs - waiting.dueAtMs : Number.NaN;
    const phaseMs = lateMs % 8000;
    return waiting?.intervalMs === 8000 && phaseMs > ORDER_HOLDS_MS && phaseMs <= NEAR_IN_TIME_MS;
  };
  let noneAtMs = 0;
  /** At one moment they only get fewer. */
  const timelyNear = (): number => {
    if (noneAtMs === nowMs) return 0;
    const count = pairs.filter((pair) => isTimely(pair) && isNear(pair, nowMs - 1000)).length;
    if (count === 0) noneAtMs = nowMs;
    return count;
  };
  const launch = (i: number, poll: DuePoll, turn: { dueAtMs: number; thinned: number }): void => {
    const pair = pairs[i]!;
    pair.waiting = null;
    const near = isNear(pair, nowMs);
    const nearWaiting = near ? 0 : timelyNear();
    const { dueAtMs: firstDueMs, intervalMs } = poll;
    const ownIntervalMs = intervalMsOf(pair.schedule, pair.startMs, nowMs);
    starts.push({ pair: i, atMs: nowMs, firstDueMs, intervalMs, ownIntervalMs, isNear: near, nearWaiting, ...turn });
    schedulePair(pair, started(pair.schedule, nowMs, random()));
    flying.push({ pair, startedMs: nowMs, repliedMs: nowMs + LATENCY_MS });
    totals.mostInFlight = Math.max(totals.mostInFlight, flying.length);
  };
  const enterDue = (): void => {
    for (const [i, pair] of pairs.entries()) {
      const { schedule, startMs, waiting } = pair;
      if (waiting) {
        // At a beat of its race.
        if ((nowMs - NOON) % BEAT_MS === 0) waiting.intervalMs = intervalMsOf(schedule, startMs, nowMs);
        if (nowMs <= startMs) continue;
        queue.withdraw(waiting);
        pair.waiting = null;
      }
      if (pair.busy || nowMs > startMs || pair.dueAtMs > nowMs) continue;
      const poll: DuePoll = {
        startMs,
        lastAtMs: schedule.lastAtMs,
        dueAtMs: pair.dueAtMs,
        intervalMs: intervalMsOf(schedule, startMs, nowMs),
        restMs: schedule.restMs ?? 0,
        call: null,
        start: (turn) => launch(i, poll, turn),
      };
      pair.busy = true;
      pair.waiting = poll;
      queue.enter(poll);
    }
  };
  let freeMs = nowMs;
  const takeReplies = (): number => {
    const at = nowMs - NOON;
    const isSlow = slow !== undefined && at >= slow.atMs && at < slow.atMs + slow.forMs;
    const costMs = (1000 / perSecond) * (isSlow ? slow.times : 1);
    let taken = 0;
    while (flying.length > 0 && flying[0]!.repliedMs + distanceMs <= nowMs && freeMs <= nowMs) {
      const { pair, startedMs, repliedMs } = flying.shift()!;
      freeMs = Math.max(freeMs, nowMs - STEP_MS) + costMs;
      pair.busy = false;
      const isLost = short === 'loop' && nowMs - startedMs > DEADLINE_MS;
      if (isLost) totals.timeouts += 1;
      const isFailure = isLost || random() < failing;
      if (isFailure) schedulePair(pair, failed(pair.schedule, 'timeout', null, nowMs));
      else {
        pair.done += 1;
        totals.stored += 1;
        taken += 1;
        if (short === 'database') queue.stored(nowMs - repliedMs + costMs);
      }
      queue.left();
    }
    return taken;
  };
  let taken = 0;
  let stoodMs = 0;
  for (; nowMs < NOON + 1000 * seconds; nowMs += STEP_MS) {
    const stall = stalls.find(({ atMs, forMs }) => nowMs - NOON >= atMs && nowMs - NOON < atMs + forMs);
    if (stall) {
      stoodMs += STEP_MS;
      freeMs = Math.max(freeMs, nowMs);
      continue;
    }
    enterDue();
    taken += takeReplies();
    totals.mostWaiting = Math.max(totals.mostWaiting, queue.waitingCount);
    if ((nowMs - NOON) % 500 !== 0 && stoodMs === 0) continue;
    const inLine = flying.filter(({ repliedMs }) => repliedMs <= nowMs).length;
    const lateMs = stoodMs + (short === 'loop' ? (1000 * inLine) / perSecond : 0);
    const { storeMs, stored } = queue.takeStored();
    const sample = { atMs: nowMs, lateMs, storeMs, stored: short === 'loop' ? taken : stored };
    queue.sample(isUnlimited ? { ...sample, lateMs: 0, storeMs: null } : sample);
    taken = 0;
    stoodMs = 0;
  }
  return { ...totals, starts, pairs };
}
