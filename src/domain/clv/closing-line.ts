// The close of a series, one book's prices on one runner of one race (B 2.1): one rule for scoring and for the archive.
// Never extends a price beyond the last poll that observed it.
import { isJumpClose } from '../lifecycle/lifecycle';
import { countUpTo, openingCapture, stoodAtOpening } from '../market/intelligence/captured';
import { LATEST_JUMP_MS } from '../race/board-state';
import type { Instant } from '../race/race';
import type { Stand } from './stands';

/** The observations of one series. Instants are epoch milliseconds of race time; prices decimal, above 1. */
export interface PriceSeries {
  /**
   * Instants of captured prices, changes only, ascending, at least one; of the runner that has the number now. Aligned
   * to `prices`.
   */
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
  /**
   * When they were on offer, ascending: one begins at each capture, and one each time that the captured price was shown
   * again.
   */
  readonly stands: readonly Stand[];
}

export interface RaceJump {
  /** Advertised start. */
  readonly startMs: number;
  /** The jump, by `jumpMsOf`. */
  readonly jumpMs: number;
}

export interface ClosingLine {
  /** The price when the 60-minute window opened; the first captured price unless `openIsBaseline`. */
  readonly openPrice: number;
  /** Whole seconds from its capture to the jump. */
  readonly openSecsToJump: number;
  /** False: the book joined after the window opened. */
  readonly openIsBaseline: boolean;
  readonly closePrice: number;
  /** Whole seconds from the last observation of the close to the jump; 0: it stood at the jump. */
  readonly closeSecsToJump: number;
  /** Last observed within 300 s of the jump; otherwise `closePrice` is only the last-seen price. */
  readonly isClosingLine: boolean;
  /** Prices captured up to the jump. */
  readonly points: number;
}

/** The contract's bound (B 2.1, B 8). */
export const CLOSING_SECONDS = 300;

/**
 * The jump that closes are measured from (D24): the market's close, unless it is too early to be the jump, or was seen
 * so late that the race was found after its end (D63), else the advertised start. `closedAt`: as customers may see it,
 * also for operators, because the archive has one figure for all. Epoch milliseconds.
 */
export function jumpMsOf(start: Instant, closedAt: Instant | null): number {
  const startMs = Date.parse(start);
  if (closedAt === null || !isJumpClose(closedAt, start)) return startMs;
  const closedMs = Date.parse(closedAt);
  return closedMs <= startMs + LATEST_JUMP_MS ? closedMs : startMs;
}

/**
 * The close of a series at the jump; null when nothing was captured up to it. What was captured later never counts.
 *
 * The price that stood at the jump, or the last one before, was last observed at the last poll that still showed it. If
 * a poll at the jump or later still did, it stood at the jump; if it was withdrawn before, what was offered again after
 * the jump does not count.
 */
export function closingLine(series: PriceSeries, { startMs, jumpMs }: RaceJump): ClosingLine | null {
  const points = countUpTo(series.atMs, jumpMs);
  if (points === 0) return null;
  const secsToJump = (atMs: number): number => Math.floor((jumpMs - atMs) / 1000);
  const open = openingCapture(series.atMs, startMs);
  const closeSecsToJump = secsToJump(lastObservedMs(series, jumpMs));
  return {
    openPrice: series.prices[open]!,
    openSecsToJump: secsToJump(series.atMs[open]!),
    openIsBaseline: stoodAtOpening(series.atMs[open]!, startMs),
    closePrice: series.prices[points - 1]!,
    closeSecsToJump,
    isClosingLine: closeSecsToJump <= CLOSING_SECONDS,
    points,
  };
}

/** Whether a poll after its capture still saw the close. Of a series that has one. */
export const isConfirmed = (series: PriceSeries, jumpMs: number): boolean =>
  lastObservedMs(series, jumpMs) > series.atMs[countUpTo(series.atMs, jumpMs) - 1]!;

/** Never after the jump. */
function lastObservedMs({ stands }: PriceSeries, jumpMs: number): number {
  const last = stands.findLast(({ fromMs }) => fromMs <= jumpMs)!;
  return Math.min(last.seenMs, jumpMs);
}
