// The consensus at fixed marks before the advertised start (A 2.6): computed as the consensus endpoint does, from the
// prices that stood then.
import { marketPercentage } from '../../prices/best-price';
import { fieldConsensus, withoutQuotes } from '../field-consensus';
import { type BookLines, standingAt } from './captured';

/** Minutes before the advertised start, in order of time. */
const MINUTES = { t60: 60, t30: 30, t15: 15, t10: 10, t5: 5, t2: 2 } as const;

export type MarkName = keyof typeof MINUTES;
export const MARK_NAMES = Object.keys(MINUTES) as readonly MarkName[];

export const markMs = (name: MarkName, startMs: number): number => startMs - MINUTES[name] * 60_000;

/** The market as it stood at an instant. */
export interface MarketStanding {
  /** Books in the consensus. */
  readonly included: number;
  /** Per runner of the field; they sum to 1. Null where fewer than `minBooks` are included. */
  readonly probabilities: readonly (number | null)[];
  /** Of the field at its best prices, placeholders left out; null without a price. */
  readonly marketPct: number | null;
}

export interface MarkRules {
  readonly size: number;
  readonly minBooks: number;
  readonly nowMs: number;
}

/** Null for a future instant, and before capture had begun (A 2.6 rule 1). */
export function standingOf(books: readonly BookLines[], atMs: number, rules: MarkRules): MarketStanding | null {
  if (atMs > rules.nowMs || !hasBegun(books, atMs)) return null;
  const standing = standingAt(books, atMs);
  const { probabilities, included, dropped } = fieldConsensus(standing, rules.size, 'power', rules.minBooks);
  const kept = withoutQuotes(standing, dropped);
  const best = Array.from({ length: rules.size }, (_, at) => {
    let highest: number | null = null;
    for (const { prices } of kept) {
      const price = prices[at]!;
      if (price !== null && (highest === null || price > highest)) highest = price;
    }
    return highest;
  });
  return { included, probabilities, marketPct: marketPercentage(best) };
}

const hasBegun = (books: readonly BookLines[], atMs: number): boolean =>
  books.some(({ lines }) => lines.some((line) => line !== null && line.fromMs <= atMs));

/** Every mark; null as for `standingOf`. */
export function marksOf(
  books: readonly BookLines[],
  startMs: number,
  rules: MarkRules,
): Readonly<Record<MarkName, MarketStanding | null>> {
  const entries = MARK_NAMES.map((name) => [name, standingOf(books, markMs(name, startMs), rules)]);
  return Object.fromEntries(entries) as Record<MarkName, MarketStanding | null>;
}
