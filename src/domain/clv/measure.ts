// Closing line value: how much better the price taken was than the price at the close (reference-shapes 11). A bet that
// cannot be measured has a reason and no figure.
import type { BookClose, RunnerCloses } from './runner-closes';

/** References for a bet that names no book. */
export const REFERENCES = ['best', 'median'] as const;
export type Reference = (typeof REFERENCES)[number];

type Unmeasured =
  /** Nothing was captured up to the jump, or no book has a price within 300 s of it. */
  | 'no_close'
  /** The named book's last price was observed more than 300 s before the jump. */
  | 'last_seen_only'
  /** The named book's close is a placeholder (A 2.4 rule 2). */
  | 'placeholder_close';

/** The price that a bet is, or would be, measured against. */
export interface Close {
  readonly price: number;
  /** Null for the median, which is no single book's. */
  readonly bookmaker: string | null;
  /** Of the median, the oldest of its books'. */
  readonly secsToJump: number;
  readonly isClosingLine: boolean;
}

/** `close` is there with a reason when it is not good enough to measure against. */
export type Measure =
  | { readonly close: Close; readonly reason: null }
  | { readonly close: Close | null; readonly reason: Unmeasured };

/**
 * Percent by which `price` is above `close`, both decimal odds: 100 x (price / close - 1). Negative: the market went on
 * to offer more.
 */
export const clvPct = (price: number, close: number): number => 100 * (price / close - 1);

/** Against the best or the median of the books' closing lines. */
export function againstAll({ best, median, oldestSecsToJump }: RunnerCloses, reference: Reference): Measure {
  if (best === null || median === null || oldestSecsToJump === null) return { close: null, reason: 'no_close' };
  if (reference === 'best') return { close: closeAt(best), reason: null };
  return { close: { price: median, bookmaker: null, secsToJump: oldestSecsToJump, isClosingLine: true }, reason: null };
}

/** Against one book's own close; `all` decides whether it is a placeholder among the other books. */
export function againstBook(close: BookClose | undefined, all: RunnerCloses): Measure {
  if (close === undefined) return { close: null, reason: 'no_close' };
  if (!close.isClosingLine) return { close: closeAt(close), reason: 'last_seen_only' };
  const reason = all.placeholders.includes(close.bookmaker) ? 'placeholder_close' : null;
  return { close: closeAt(close), reason };
}

const closeAt = ({ closePrice, bookmaker, closeSecsToJump, isClosingLine }: BookClose): Close => ({
  price: closePrice,
  bookmaker,
  secsToJump: closeSecsToJump,
  isClosingLine,
});
