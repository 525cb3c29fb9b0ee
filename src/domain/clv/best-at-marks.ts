// The value of a runner's best price at fixed marks before the advertised start (A 2.6), by the close (B 2.1): closing
// line value of a bet that could have been struck then. Pure.
import { type BookLines, standingAt } from '../market/intelligence/captured';
import { MARK_NAMES, type MarkName, markMs } from '../market/intelligence/marks';
import { bestWin } from '../prices/best-price';
import { clvPct } from './measure';

export interface StandingBest {
  readonly price: number;
  readonly bookmaker: string;
}

export interface MarkedBest {
  readonly mark: MarkName;
  /** Highest standing price, placeholders left out; null: none stood. */
  readonly best: StandingBest | null;
  /** Percent, as `clv_pct`; null without a price or a close. */
  readonly clvPct: number | null;
}

/**
 * Of one runner: `place` is its place in the field of `lines`. `close`: decimal odds; null: no book has a closing line.
 */
export function bestAtMarks(
  lines: readonly BookLines[],
  place: number,
  close: number | null,
  startMs: number,
): readonly MarkedBest[] {
  return MARK_NAMES.map((mark) => {
    const best = standingBest(lines, place, markMs(mark, startMs));
    return { mark, best, clvPct: best === null || close === null ? null : clvPct(best.price, close) };
  });
}

/** The highest price that stood at an instant, placeholders left out (A 2.4 rule 2). `place`: as of `bestAtMarks`. */
export function standingBest(lines: readonly BookLines[], place: number, atMs: number): StandingBest | null {
  const quotes = standingAt(lines, atMs).flatMap(({ bookmaker, prices }) => {
    const price = prices[place] ?? null;
    return price === null ? [] : [{ bookmaker, price, ageSeconds: 0 }];
  });
  const { best } = bestWin(quotes);
  return best && { price: best.price, bookmaker: best.bookmaker };
}
