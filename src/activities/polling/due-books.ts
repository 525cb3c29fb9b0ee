// When each book of one race is polled again: the cadence of D21 with jitter, so that races do not poll in step; the
// shared beat for a bulk book; and the pause that a book requests or that failures cause. Plain values and arithmetic;
// the clock is an argument.
import { type Bookmaker, bookmaker } from '../../domain/bookmakers';
import { cadenceOf, nextBeatMs, pollIntervalMs } from '../../domain/time/cadence';
import type { FeedFailure } from '../../feeds/feed';

export interface BookSchedule {
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
  /** Start of the last poll, race time; null before the first. */
  readonly lastAtMs: number | null;
  /** Stretches the interval by up to a tenth either way. */
  readonly jitter: number;
  /** Not before this instant: a Retry-After, or the pause after failures. */
  readonly notBeforeMs: number;
  readonly failures: number;
  /** A bulk book: one call covers many races, so all are polled on one beat. */
  readonly onBeat?: boolean;
  /** Not more often than this, whatever the cadence; race time. */
  readonly restMs?: number;
}

export interface ListedBook {
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
}

const JITTER_SHARE = 0.1;
const PATIENT_FAILURES = 3;
/** Keeps the first poll within half a minute of the book's recovery. */
const LONGEST_PAUSE_MS = 20_000;

export const jitterOf = (random: number): number => 1 + JITTER_SHARE * (2 * random - 1);

export const newSchedule = (book: ListedBook, onBeat = false, restMs = 0): BookSchedule => ({
  bookmakerKey: book.bookmakerKey,
  sourceRaceId: book.sourceRaceId,
  onBeat,
  restMs,
  lastAtMs: null,
  jitter: 1,
  notBeforeMs: 0,
  failures: 0,
});

/**
 * The instant of the book's next poll if the race starts at `startMs`. Computed at each call, so that a moved start
 * takes effect.
 */
export function dueAtMs(schedule: BookSchedule, startMs: number, nowMs: number): number {
  // A start in the future comes from a clock that has been set back since: waiting for it would freeze the book's
  // prices.
  if (schedule.lastAtMs === null || schedule.lastAtMs > nowMs) return schedule.notBeforeMs;
  return Math.max(afterLastMs(schedule, schedule.lastAtMs, startMs), schedule.notBeforeMs);
}

/** As `dueAtMs`, or now for a book that has not been polled: nothing of it is late. */
export function dueSinceMs(schedule: BookSchedule, startMs: number, nowMs: number): number {
  const isFirst = schedule.lastAtMs === null || schedule.lastAtMs > nowMs;
  return isFirst ? nowMs : dueAtMs(schedule, startMs, nowMs);
}

export function intervalMsOf({ bookmakerKey, restMs = 0 }: BookSchedule, startMs: number, nowMs: number): number {
  return Math.max(restMs, pollIntervalMs((startMs - nowMs) / 1000, bookOf(bookmakerKey)));
}

/**
 * The first instant at which the last poll is as old as the interval of that instant: an interval that begins makes no
 * earlier instant due.
 */
function afterLastMs(
  { bookmakerKey, onBeat, jitter, restMs = 0 }: BookSchedule,
  lastAtMs: number,
  startMs: number,
): number {
  let dueMs = Number.POSITIVE_INFINITY;
  for (const step of stepsOf(bookmakerKey)) {
    const beginsMs = startMs - 1000 * step.withinSeconds;
    if (dueMs < beginsMs) break;
    const intervalMs = Math.max(restMs, step.intervalMs);
    dueMs = onBeat
      ? nextBeatMs(Math.max(lastAtMs, beginsMs - 1), intervalMs)
      : Math.max(beginsMs, lastAtMs + intervalMs * jitter);
  }
  return dueMs;
}

const steps = new Map<string, ReturnType<typeof cadenceOf>>();

function stepsOf(key: string): ReturnType<typeof cadenceOf> {
  const known = steps.get(key);
  if (known) return known;
  const own = cadenceOf(bookOf(key));
  steps.set(key, own);
  return own;
}

/**
 * The first instant after `nowMs` from which a book falls due otherwise: another interval begins, or a clock that was
 * set back reaches its last poll.
 */
export function nextStepMs(books: Iterable<BookSchedule>, startMs: number, nowMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { bookmakerKey, lastAtMs } of books) {
    if (lastAtMs !== null && lastAtMs > nowMs) firstMs = Math.min(firstMs, lastAtMs);
    for (const { withinSeconds } of stepsOf(bookmakerKey)) {
      const beginsMs = startMs - 1000 * withinSeconds;
      if (beginsMs > nowMs) firstMs = Math.min(firstMs, beginsMs);
    }
  }
  return firstMs;
}

export function dueBooks(books: readonly BookSchedule[], startMs: number, nowMs: number): BookSchedule[] {
  return books.filter((schedule) => dueAtMs(schedule, startMs, nowMs) <= nowMs);
}

/** The first instant at which any book falls due; `limitMs` when there is none before it. */
export function nextDueMs(books: readonly BookSchedule[], startMs: number, nowMs: number, limitMs: number): number {
  return books.reduce((first, schedule) => Math.min(first, dueAtMs(schedule, startMs, nowMs)), limitMs);
}

/**
 * Wall. All races of a process wake on one tick, so that their requests leave and their replies are written together: a
 * statement costs more than the polls in it, and each waking of the process more than what a poll does then. A poll
 * starts half a tick late on average, against the 8 to 20 seconds between two polls of a book.
 */
const TICK_MS = 100;

/** From `nowMs`, by `performance.now()`, to the first tick that is more than `waitMs` away. */
export const untilTickMs = (nowMs: number, waitMs: number): number =>
  Math.max(1, Math.ceil((Math.floor((nowMs + Math.max(0, waitMs)) / TICK_MS) + 1) * TICK_MS - nowMs));

export const started = (schedule: BookSchedule, nowMs: number, random: number): BookSchedule => ({
  ...schedule,
  lastAtMs: nowMs,
  jitter: jitterOf(random),
});

export const answered = (schedule: BookSchedule): BookSchedule => ({ ...schedule, failures: 0 });

/**
 * Nothing was sent (over budget, or the breaker is open): retry the same poll as soon as allowed, without counting a
 * failure.
 */
export const refused = (before: BookSchedule, retryAfterMs: number, nowMs: number): BookSchedule => ({
  ...before,
  notBeforeMs: Math.max(before.notBeforeMs, nowMs + retryAfterMs),
});

/**
 * After a failure: the pause that the book requested, else from the third failure on a doubling pause, at most 20
 * seconds.
 */
export function failed(
  schedule: BookSchedule,
  reason: FeedFailure,
  retryAfterMs: number | null,
  nowMs: number,
): BookSchedule {
  const failures = schedule.failures + 1;
  return { ...schedule, failures, notBeforeMs: nowMs + (retryAfterMs ?? pauseMs(failures, reason)) };
}

function pauseMs(failures: number, reason: FeedFailure): number {
  if (reason === 'rate_limited' || reason === 'blocked' || reason === 'not_found') return LONGEST_PAUSE_MS;
  return failures < PATIENT_FAILURES ? 0 : Math.min(LONGEST_PAUSE_MS, 5000 * 2 ** (failures - PATIENT_FAILURES));
}

function bookOf(key: string): Bookmaker {
  const book = bookmaker(key);
  if (!book) throw new Error(`no bookmaker '${key}' in the table`);
  return book;
}
