// The best and the median of the books' closes on one runner, against which a bet is measured (reference-shapes 11).
// Only closing lines count, never a price last observed earlier (B 2.1), and never a placeholder (A 2.4 rule 2).

import { median } from '../market/median';
import { bestWin } from '../prices/best-price';
import type { ClosingLine } from './closing-line';

export interface BookClose extends Pick<ClosingLine, 'closePrice' | 'closeSecsToJump' | 'isClosingLine'> {
  readonly bookmaker: string;
}

export interface RunnerCloses {
  /** The highest close; of equal ones the fresher, then by key. Null: no book has a closing line. */
  readonly best: BookClose | null;
  /** The middle close, or the mean of the two in the middle (D23). Decimal odds. */
  readonly median: number | null;
  /** Whole seconds before the jump at which the oldest of the counted closes was last observed. */
  readonly oldestSecsToJump: number | null;
  /** Books that are counted. */
  readonly books: number;
  /** Books whose close is a placeholder. */
  readonly placeholders: readonly string[];
}

/** Of one runner, at most one close a book, in any order. */
export function runnerCloses(closes: readonly BookClose[]): RunnerCloses {
  const lines = closes.filter(({ isClosingLine }) => isClosingLine);
  const quotes = lines.map((line) => ({ ...line, price: line.closePrice, ageSeconds: line.closeSecsToJump }));
  const { best, suspects } = bestWin(quotes);
  const placeholders = suspects.map(({ bookmaker }) => bookmaker);
  const counted = lines.filter(({ bookmaker }) => !placeholders.includes(bookmaker));
  return {
    best: lines.find(({ bookmaker }) => bookmaker === best?.bookmaker) ?? null,
    median: median(counted.map(({ closePrice }) => closePrice)),
    oldestSecsToJump: counted.length === 0 ? null : Math.max(...counted.map((line) => line.closeSecsToJump)),
    books: counted.length,
    placeholders,
  };
}
