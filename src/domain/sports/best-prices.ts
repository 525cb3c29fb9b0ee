// The best price of each selection of a match in one market: head to head as `compare.ts` compares it; of a line market at the lines that most books
// offer.

import { compareH2h, type Quote } from './compare';
import { type LineMarket, linesOf } from './lines';
import { commonFirst } from './main-lines';
import type { PricedMatch } from './match';
import { type Market, sportOf } from './sports';

export interface BestPrice {
  /** The team, `Draw`, `Over` or `Under`. */
  readonly name: string;
  /** The handicap of the side, or the total; null head to head. */
  readonly point: number | null;
  readonly best: Quote;
}

/** Of a match; books have one line each, and most of them the same. */
export const MOST_LINES = 3;

/** Home, away, draw; of each line home and away, or over and under. A selection without a price is left out. */
export function bestPrices(match: PricedMatch, market: Market, nowMs: number): readonly BestPrice[] {
  if (market !== 'h2h') return lineBests(match, market, nowMs);
  const { selections } = compareH2h(match, sportOf(match.sportKey)!, nowMs);
  return selections.map(({ name, quotes }) => ({ name, point: null, best: quotes[0]! }));
}

function lineBests(match: PricedMatch, market: LineMarket, nowMs: number): readonly BestPrice[] {
  const names = market === 'totals' ? ['Over', 'Under'] : [match.homeTeam, match.awayTeam];
  const lines = new Map(linesOf(match, market, nowMs).map((line) => [line.point, line]));
  const shown = commonFirst([...lines.values()].flatMap(({ point, books }) => Array<number>(books).fill(point)));
  return shown.slice(0, MOST_LINES).flatMap((point) => {
    const { home, away } = lines.get(point)!;
    return [home, away].flatMap(([best], i) => (best ? [{ name: names[i]!, point: best.point, best }] : []));
  });
}
