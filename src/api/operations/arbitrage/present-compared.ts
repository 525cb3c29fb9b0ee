// Rows of the operations that compare the books of a match.
import type { Static } from '@sinclair/typebox';
import { halfUp } from '../../../domain/half-up';
import { type Comparison, type Selection, spreadOf } from '../../../domain/sports/compare';
import { comparePairs, type LinePair } from '../../../domain/sports/lines/lines';
import type { PricedMatch } from '../../../domain/sports/match';
import type { LineMarket } from '../../../domain/sports/sports';
import type { Confidence } from '../../../domain/sports/trust/confidence';
import { confirmedAt, freshnessOf, identityOf } from '../sports/present-match';
import type { BestOddsMatch, BestPricesMatch, LinesArb, SportsArb } from './compared-schema';

function bestOf({ name, quotes }: Selection, nowMs: number) {
  const [best] = quotes;
  return {
    name,
    best_price: best!.price,
    best_bookmaker: best!.book.bookmaker,
    all_prices: quotes.map(({ book, seen, price, suspect, because }) => ({
      bookmaker: book.bookmaker,
      price,
      suspect,
      suspect_reason: because,
      ...confirmedAt(seen, nowMs),
    })),
  };
}

type Seen = Pick<LinePair['a'], 'book' | 'seen'>;
const seenBook = ({ book, seen }: Seen) => ({ bookmaker: book.bookmaker, ...seen });

/** Each book once, with its oldest price. */
function booksOf(pairs: readonly LinePair[]) {
  const books = new Map<string, ReturnType<typeof seenBook>>();
  for (const one of pairs.flatMap(({ a, b }) => [seenBook(a), seenBook(b)])) {
    const known = books.get(one.bookmaker);
    if (!known || one.observedAtMs < known.observedAtMs) books.set(one.bookmaker, one);
  }
  return [...books.values()];
}

/** Books whose prices were compared. */
function comparedFreshness({ selections }: Comparison, nowMs: number) {
  const books = new Map(selections.flatMap(({ quotes }) => quotes.map((one) => [one.book, seenBook(one)] as const)));
  return freshnessOf([...books.values()], nowMs);
}

/** The confidence in an opportunity, and why there is none. */
const trustOf = (confidence: Confidence | null, refused: Comparison['refused']) => ({
  suspect_reason: refused,
  confidence: confidence?.score ?? null,
  confidence_parts: confidence && {
    books: confidence.books,
    legs: confidence.legs.map(({ bookmaker, ageSeconds, distance, movedShare }) => ({
      bookmaker,
      age_seconds: ageSeconds,
      distance: halfUp(distance, 10_000),
      moved_share: halfUp(movedShare, 10_000),
    })),
  },
});

export function presentBestOdds(match: PricedMatch, found: Comparison, nowMs: number): Static<typeof BestOddsMatch> {
  return {
    id: match.eventId,
    ...identityOf(match),
    selections: found.selections.map((one) => bestOf(one, nowMs)),
    arb_exists: found.arb !== null,
    arb_profit_pct: found.arb?.profitPct ?? 0,
    ...trustOf(found.arb?.confidence ?? null, found.refused),
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
    ...trustOf(arb?.confidence ?? null, found.refused),
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
    ...freshnessOf(booksOf(found), nowMs),
  };
}

function presentPair({ a, b, isMiddle, arb, refused, confidence }: LinePair, nowMs: number) {
  const side = ({ name, point, price, suspect, because, book, seen }: LinePair['a']) => ({
    name,
    point,
    price,
    suspect,
    suspect_reason: because,
    bookmaker: book.bookmaker,
    ...confirmedAt(seen, nowMs),
  });
  return {
    side_a: side(a),
    side_b: side(b),
    is_arb: arb !== null,
    is_middle: isMiddle,
    arb_pct: arb?.profitPct ?? 0,
    ...trustOf(confidence, refused),
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
