// How often a book is polled about a race (D21), and the windows that depend on seconds to the jump. Depends only on
// the time to the advertised start and the book's row in the table, never on load or on the last poll's response.
import type { Bookmaker } from '../bookmakers';
import type { RefreshTier } from '../race/race';

/** A race is `live` inside three hours of the jump (A 2.4 rule 4). */
export const LIVE_TIER_SECONDS = 10_800;
/** The live row is purged 10 minutes after the jump (A 3). */
export const BOARD_AFTER_JUMP_SECONDS = 600;

const CARD_INTERVAL_MS = 900_000;

interface CadenceStep {
  /** Seconds before the advertised start. */
  readonly withinSeconds: number;
  readonly intervalMs: number;
}

/** Live intervals by seconds to the jump, nearest first (D21). */
const LIVE_INTERVALS: readonly CadenceStep[] = [
  { withinSeconds: 120, intervalMs: 8_000 },
  { withinSeconds: 600, intervalMs: 15_000 },
  { withinSeconds: Number.POSITIVE_INFINITY, intervalMs: 20_000 },
];

/** How many seconds before the advertised start a race, or one book's quotes on it, become `live` (D21). */
export const liveWithinSeconds = (book?: Bookmaker): number =>
  Math.min(LIVE_TIER_SECONDS, (book?.liveInsideMinutes ?? Number.POSITIVE_INFINITY) * 60);

/**
 * The tier of a race, or of one book's quotes on it if a book is given (D21: a book may be live only nearer the jump).
 * `secsToJump` counts to the advertised start and is negative after it; a race past its start stays live until it
 * leaves the board.
 */
export function tierAt(secsToJump: number, book?: Bookmaker): RefreshTier {
  return secsToJump <= liveWithinSeconds(book) ? 'live' : 'card';
}

/**
 * Milliseconds of racing time between two polls of this book `secsToJump` seconds before the advertised start (D21).
 */
export function pollIntervalMs(secsToJump: number, book: Bookmaker): number {
  if (tierAt(secsToJump, book) === 'card') return CARD_INTERVAL_MS;
  return LIVE_INTERVALS.find((row) => secsToJump <= row.withinSeconds)!.intervalMs;
}

/** The intervals of a book on the way to the jump, the card's first. */
export function cadenceOf(book: Bookmaker): readonly CadenceStep[] {
  const live = liveWithinSeconds(book);
  const steps = LIVE_INTERVALS.toReversed().map(({ withinSeconds, intervalMs }) => ({
    withinSeconds: Math.min(withinSeconds, live),
    intervalMs,
  }));
  return [{ withinSeconds: Number.POSITIVE_INFINITY, intervalMs: CARD_INTERVAL_MS }, ...steps];
}

/**
 * The first instant after `afterMs` on the beat that all races share: multiples of the interval on the race clock. A
 * bulk book uses it, so that races with the same interval are polled together in one call.
 */
export function nextBeatMs(afterMs: number, intervalMs: number): number {
  return (Math.floor(afterMs / intervalMs) + 1) * intervalMs;
}

/** Whether a race is so near its jump that it is polled before others if a book's budget runs short. */
export function isNearJump(secsToJump: number): boolean {
  return secsToJump <= LIVE_INTERVALS[0]!.withinSeconds;
}
