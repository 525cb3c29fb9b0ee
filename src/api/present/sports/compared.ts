// Rows of the operations that compare the books of a match.
import type { Static } from '@sinclair/typebox';
import { type Comparison, type Selection, spreadOf } from '../../../domain/sports/compare';
import { comparePairs, type LineMarket, type LinePair } from '../../../domain/sports/lines';
import type { PricedMatch } from '../../../domain/sports/match';
import type { BestOddsMatch, BestPricesMatch, LinesArb, SportsArb } from '../../schemas/sports/compared';
import { confirmedAt, freshnessOf, identityOf } from './match';

function bestOf({ name, quotes }: Selection, nowMs: number) {
  const [best] = quotes;
  return {
    name,
    best_price: best!.price,
    best_bookmaker: best!.book.bookmaker,
    all_prices: quotes.map(({ book, price, suspect }) => ({
      bookmaker: book.bookmaker,
      price,
      suspect,
      ...confirmedAt(book, nowMs),
    })),
  };
}

/** Of the books whose prices were compared. */
function comparedFreshness({ selections }: Comparison, nowMs: number) {
  const books = new Map(selections.flatMap(({ quotes }) => quotes.map(({ book }) => [book.bookmaker, book] as const)));
  return freshnessOf([...books.values()], nowMs);
}

export function presentBestOdds(match: PricedMatch, found: Comparison, nowMs: number): Static<typeof BestOddsMatch> {
  return {
    id: match.eventId,
    ...identityOf(match),
    selections: found.selections.map((one) => bestOf(one, nowMs)),
    arb_exists: found.arb !== null,
    arb_profit_pct: found.arb?.profitPct ?? 0,
    ...comparedFreshness(found, nowMs),
  };
}

export function presentBestPrices(
  match: PricedMatch,
  found: Comparison,
  nowMs: number,
): Static<typeof BestPricesMatch> {
  return {
    id: match.eventId,
    ...identityOf(match),
    selections: found.selections.map((one) => {
      const { worst, average, spread, overlayPct } = spreadOf(one);
      const figures = { avg_price: average, price_spread: spread, overlay_pct: overlayPct };
      return { ...bestOf(one, nowMs), worst_price: worst, ...figures };
    }),
    ...comparedFreshness(found, nowMs),
  };
}

export function presentSportsArb(match: PricedMatch, found: Comparison, nowMs: number): Static<typeof SportsArb> {
  const { arb } = found;
  const selections = found.selections.map((one) => {
    const { average, overlayPct } = spreadOf(one);
    return { ...bestOf(one, nowMs), avg_price: average, overlay_pct: overlayPct };
  });
  return {
    event_id: match.eventId,
    ...identityOf(match),
    is_arb: arb !== null,
    arb_pct: arb?.profitPct ?? 0,
    optimal_stakes:
      arb?.legs.map((leg, i) => ({ ...leg, stake: arb.stakes[i]!, profit_if_wins: arb.profits[i]! })) ?? [],
    max_overlay_pct: Math.max(...selections.map(({ overlay_pct }) => overlay_pct)),
    selections,
    ...comparedFreshness(found, nowMs),
  };
}

/** Null: no two prices of this market cover every result. */
export function presentLines(
  match: PricedMatch,
  market: LineMarket,
  leastPct: number,
  nowMs: number,
): Static<typeof LinesArb> | null {
  const found = comparePairs(match, market, nowMs).filter(
    ({ arb }) => leastPct === 0 || (arb !== null && arb.profitPct >= leastPct),
  );
  if (found.length === 0) return null;
  return {
    event_id: match.eventId,
    ...identityOf(match),
    market_type: market,
    opportunities: found.map((pair) => presentPair(pair, nowMs)),
    ...freshnessOf([...new Set(found.flatMap(({ a, b }) => [a.book, b.book]))], nowMs),
  };
}

function presentPair({ a, b, isMiddle, arb }: LinePair, nowMs: number) {
  const side = ({ name, point, price, suspect, book }: LinePair['a']) => ({
    name,
    point,
    price,
    suspect,
    bookmaker: book.bookmaker,
    ...confirmedAt(book, nowMs),
  });
  return {
    side_a: side(a),
    side_b: side(b),
    is_arb: arb !== null,
    is_middle: isMiddle,
    arb_pct: arb?.profitPct ?? 0,
    optimal_stakes: arb
      ? [a, b].map(({ name, point, book }, i) => ({
          name,
          point,
          bookmaker: book.bookmaker,
          stake: arb.stakes[i]!,
          profit_if_wins: arb.profits[i]!,
        }))
      : [],
  };
}
