// Arbs as the operations and `arb.opportunity` find them: by the same functions, at the instant of the reading. Pure.
import { compareH2h } from '../../domain/sports/compare';
import { bestLineArb } from '../../domain/sports/lines/lines';
import type { PricedMatch } from '../../domain/sports/match';
import { mayHaveArb } from '../../domain/sports/may-have-arb';
import { LINE_MARKETS, type LineMarket, type MatchMarket, sportOf } from '../../domain/sports/sports';
import type { Confidence } from '../../domain/sports/trust/confidence';
import type { ArbLeg, ArbRow } from './model';
import { bookTitle, headOf, seenAt, shownPrice } from './shown-prices';

/** The highest return first, then by start and id. Of a match at most one in each market: of its lines the best. */
export const arbsOf = (matches: readonly PricedMatch[], nowMs: number): readonly ArbRow[] =>
  matches
    .flatMap((match) => [h2hArb(match, nowMs), ...LINE_MARKETS.map((market) => lineArb(match, market, nowMs))])
    .filter((arb) => arb !== null)
    .sort((a, b) => b.profitPct - a.profitPct);

function h2hArb(match: PricedMatch, nowMs: number): ArbRow | null {
  if (!mayHaveArb(match, 'h2h', nowMs)) return null;
  const { selections, arb } = compareH2h(match, sportOf(match.sportKey)!, nowMs);
  if (arb === null) return null;
  const legs = arb.legs.map(({ name, bookmaker }, i): ArbLeg => {
    const { quotes } = selections.find((one) => one.name === name)!;
    const quote = quotes.find(({ book }) => book.bookmaker === bookmaker)!;
    return { name, point: null, price: shownPrice(quote, nowMs), stake: arb.stakes[i]! };
  });
  return arbRow(match, 'h2h', arb.profitPct, arb.confidence, legs);
}

function lineArb(match: PricedMatch, market: LineMarket, nowMs: number): ArbRow | null {
  if (!mayHaveArb(match, market, nowMs)) return null;
  const found = bestLineArb(match, market, nowMs);
  if (found === null) return null;
  const legs = [found.a, found.b].map(({ name, point, price, book, seen, because }, i): ArbLeg => {
    const shown = { price, bookmaker: bookTitle(book.bookmaker), suspect: because, ...seenAt(seen, nowMs) };
    return { name, point, price: shown, stake: found.arb.stakes[i]! };
  });
  return arbRow(match, market, found.arb.profitPct, found.confidence, legs);
}

const arbRow = (
  match: PricedMatch,
  market: MatchMarket,
  profitPct: number,
  { score, books, legs: trust }: Confidence,
  legs: readonly ArbLeg[],
): ArbRow => ({
  ...headOf(match),
  ...{ market, profitPct, legs, books },
  confidence: score,
  distance: Math.max(...trust.map(({ distance }) => distance)),
  movedShare: Math.max(...trust.map(({ movedShare }) => movedShare)),
});

/** When the first of their matches starts or of their legs becomes stale: from then on not all of them are arbs. */
export const arbsEndMs = (arbs: readonly ArbRow[]): number =>
  Math.min(
    ...arbs.flatMap(({ startMs, legs }) => [startMs, ...legs.map(({ price }) => price.staleFromMs ?? Infinity)]),
  );
