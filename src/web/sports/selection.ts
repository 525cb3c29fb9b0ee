// Markets and selections of a match as text.
import type { MatchMarket } from '../../domain/sports/sports';

export const MATCH_MARKET_NAMES: Readonly<Record<MatchMarket, string>> = {
  h2h: 'Head to head',
  spreads: 'Line',
  totals: 'Total',
};

/** `−2.5`, `+2.5`, `0`; of a total without a sign. */
export function pointText(point: number, market: MatchMarket): string {
  const sign = market === 'totals' || point === 0 ? '' : point > 0 ? '+' : '−';
  return `${sign}${Math.abs(point)}`;
}

/** `Broncos −2.5`, `Storm +2.5`, `Over 40.5`. */
export const selectionText = (name: string, point: number | null, market: MatchMarket): string =>
  point === null ? name : `${name} ${pointText(point, market)}`;
