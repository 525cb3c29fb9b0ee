// The best price of each selection of a match in one market: head to head as `compare.ts` compares it; of a line market
// at the lines that most books offer.

import { compareH2h, DRAW, type MatchQuote } from './compare';
import { type Line, linesOf } from './lines/lines';
import { commonFirst } from './lines/main-lines';
import type { PricedMatch } from './match';
import { type LineMarket, type MatchMarket, sportOf } from './sports';

export interface BestPrice {
  /** The team, `Draw`, `Over` or `Under`. */
  readonly name: string;
  /** The handicap of the side, or the total; null head to head. */
  readonly point: number | null;
  /** Null: no book has a price. */
  readonly best: MatchQuote | null;
}

/** Of a match; books have one line each, and most of them the same. */
export const MOST_LINES = 3;

/**
 * Home, away, a draw that has a price; of each line home and away, or over and under. Both sides, if one has a price.
 */
export const bestPrices = (match: PricedMatch, market: MatchMarket, nowMs: number): readonly BestPrice[] =>
  market === 'h2h' ? h2hBests(match, nowMs) : lineBests(match, market, nowMs);

function h2hBests(match: PricedMatch, nowMs: number): readonly BestPrice[] {
  const { selections } = compareH2h(match, sportOf(match.sportKey)!, nowMs);
  if (selections.length === 0) return [];
  const bests = new Map(selections.map(({ name, quotes }) => [name, quotes[0]!]));
  const names = bests.has(DRAW) ? [match.homeTeam, match.awayTeam, DRAW] : [match.homeTeam, match.awayTeam];
  return names.map((name) => ({ name, point: null, best: bests.get(name) ?? null }));
}

/** Lines with prices of both sides come first. */
function lineBests(match: PricedMatch, market: LineMarket, nowMs: number): readonly BestPrice[] {
  const priced = linesOf(match, market, nowMs).filter((line) => pricedSides(line) > 0);
  const lines = new Map(priced.map((line) => [line.point, line]));
  const points = commonFirst(priced.flatMap(({ point, books }) => Array<number>(books).fill(point)));
  const ranked = points.map((point) => lines.get(point)!).sort((a, b) => pricedSides(b) - pricedSides(a));
  const isTotal = market === 'totals';
  return ranked.slice(0, MOST_LINES).flatMap(({ point, home: [home], away: [away] }) => [
    { name: isTotal ? 'Over' : match.homeTeam, point, best: home ?? null },
    { name: isTotal ? 'Under' : match.awayTeam, point: isTotal ? point : 0 - point, best: away ?? null },
  ]);
}

const pricedSides = ({ home, away }: Line): number => Math.min(home.length, 1) + Math.min(away.length, 1);
