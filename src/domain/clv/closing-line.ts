// The close of a series, one book's prices on one runner of one race (B 2.1): said once, for whatever scores or archives it. Knows what was
// seen and when; never carries a price further than to where it was seen.
import { isJumpClose } from '../lifecycle/lifecycle';
import { countUpTo, stoodAtOpening } from '../market/intelligence/captured';
import type { Instant } from '../race/race';

/** What is known of one series. Instants are epoch milliseconds of race time; prices decimal, above 1. */
export interface PriceSeries {
  /** Captured prices, change-only, ascending, at least one; of whoever bears the number now. Aligned to `prices`. */
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
  /** Polls at which the book was heard and not shut, in any order: each saw whatever price then stood. */
  readonly polledMs: readonly number[];
  /** The book's price on the runner in its last reply; null: none. */
  readonly shownPrice: number | null;
  /** When the book last changed, took back or gave again its price, captured or not; null: unknown. */
  readonly changedMs: number | null;
}

export interface RaceJump {
  /** Advertised start. */
  readonly startMs: number;
  /** The jump, by `jumpMsOf`. */
  readonly jumpMs: number;
}

export interface ClosingLine {
  /** First captured price; no market open unless `openIsBaseline`. */
  readonly openPrice: number;
  /** Whole seconds from the first capture to the jump. */
  readonly openSecsToJump: number;
  /** The series begins at the entry of the 60-minute window; otherwise the book joined later. */
  readonly openIsBaseline: boolean;
  readonly closePrice: number;
  /** Whole seconds from the last observation of the close to the jump; 0: it stood at the jump. */
  readonly closeSecsToJump: number;
  /** Last seen within 300 s of the jump; otherwise `closePrice` is only the last price seen. */
  readonly isClosingLine: boolean;
  /** Prices captured up to the jump. */
  readonly points: number;
}

/** The contract's bound (B 2.1, B 8). */
export const CLOSING_SECONDS = 300;

/**
 * The jump that closes are measured from (D24): the market's close, unless it is too early to be the jump, else the advertised start.
 * `closedAt`: as customers may see it, whoever asks, because what is archived is one figure for all. Epoch milliseconds.
 */
export function jumpMsOf(start: Instant, closedAt: Instant | null): number {
  return Date.parse(closedAt !== null && isJumpClose(closedAt, start) ? closedAt : start);
}

/**
 * The close of a series at the jump; null when nothing was captured up to it. What was captured later never counts.
 *
 * The price that stood at the jump, or the last one before, is observed at its capture and at every poll until the book moved it or took it
 * back. Heard with it at the jump or later, it stood at the jump; taken back before, it was last seen at the poll before that.
 */
export function closingLine(series: PriceSeries, { startMs, jumpMs }: RaceJump): ClosingLine | null {
  const points = countUpTo(series.atMs, jumpMs);
  if (points === 0) return null;
  const secsToJump = (atMs: number): number => Math.floor((jumpMs - atMs) / 1000);
  const closeSecsToJump = secsToJump(lastObservedMs(series, points, jumpMs));
  return {
    openPrice: series.prices[0]!,
    openSecsToJump: secsToJump(series.atMs[0]!),
    openIsBaseline: stoodAtOpening(series.atMs[0]!, startMs),
    closePrice: series.prices[points - 1]!,
    closeSecsToJump,
    isClosingLine: closeSecsToJump <= CLOSING_SECONDS,
    points,
  };
}

/** Never after the jump. */
function lastObservedMs(series: PriceSeries, points: number, jumpMs: number): number {
  const untilMs = series.atMs[points] ?? goneMs(series, jumpMs);
  let lastMs = series.atMs[points - 1]!;
  for (const pollMs of series.polledMs) if (pollMs < untilMs) lastMs = Math.max(lastMs, Math.min(pollMs, jumpMs));
  return lastMs;
}

/**
 * When the last captured price ceased to stand: taken back, or moved when nothing is captured, after the jump or while the race's market is
 * shut early.
 */
function goneMs({ atMs, prices, shownPrice, changedMs }: PriceSeries, jumpMs: number): number {
  if (changedMs === null || changedMs <= atMs.at(-1)!) return Number.POSITIVE_INFINITY;
  return shownPrice === prices.at(-1) && changedMs <= jumpMs ? Number.POSITIVE_INFINITY : changedMs;
}
