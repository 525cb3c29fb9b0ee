// The contents of `arb.opportunity` (D31): an arb on a match that the arbitrage operations would show at that instant.
// Pure.
import type { Arb } from '../sports/arbitrage';
import { compareH2h } from '../sports/compare';
import { bestLineArb, type LinePair } from '../sports/lines/lines';
import type { PricedMatch } from '../sports/match';
import { type MatchMarket, sportOf } from '../sports/sports';
import type { Confidence } from '../sports/trust/confidence';

interface Leg {
  readonly bookmaker: string;
  readonly selection: string;
  readonly odds: number;
}

export interface ArbOpportunity {
  /** The same legs at the same prices are announced once. */
  readonly key: string;
  readonly sport: string;
  /** As the event has them. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The arb on each market of the match; among lines the one that returns most. */
export function arbsOn(match: PricedMatch, nowMs: number): readonly ArbOpportunity[] {
  const found: ArbOpportunity[] = [];
  const { arb } = compareH2h(match, sportOf(match.sportKey)!, nowMs);
  if (arb) {
    const legs = arb.legs.map(({ name, bookmaker, price }) => ({ bookmaker, selection: name, odds: price }));
    found.push(opportunity(match, 'h2h', arb, arb.confidence, legs));
  }
  for (const market of ['spreads', 'totals'] as const) {
    const best = bestLineArb(match, market, nowMs);
    if (best) found.push(opportunity(match, market, best.arb, best.confidence, legsOf(best, market)));
  }
  return found;
}

/** `Brisbane Broncos -2.5`, `Over 40.5` */
const legsOf = ({ a, b }: LinePair, market: MatchMarket): readonly Leg[] =>
  [a, b].map(({ name, point, price, book }) => {
    const sign = market === 'spreads' && point > 0 ? '+' : '';
    return { bookmaker: book.bookmaker, selection: `${name} ${sign}${point}`, odds: price };
  });

function opportunity(
  match: PricedMatch,
  market: MatchMarket,
  { profitPct }: Arb,
  { score }: Confidence,
  legs: readonly Leg[],
): ArbOpportunity {
  const { eventId, sportKey, homeTeam, awayTeam, commenceTime } = match;
  const written = legs.map(({ bookmaker, selection, odds }) => `${bookmaker} ${selection} ${odds}`).join(', ');
  return {
    key: `arb.opportunity ${eventId} ${market} ${written}`,
    sport: sportKey,
    facts: {
      sport: sportKey,
      event_name: `${homeTeam} v ${awayTeam}`,
      event_id: eventId,
      commence_time: commenceTime,
      market_type: market,
      edge_pct: profitPct,
      confidence: score,
      legs,
    },
  };
}
