// The head-to-head comparison of every match of a sport, or of all, for the operations that show it.
import { type Comparison, compareH2h } from '../../../domain/sports/compare';
import { onlyWanted, type PricedMatch } from '../../../domain/sports/match';
import { isAlternate, type OfferedMarket, sportOf } from '../../../domain/sports/sports';
import type { Audience } from '../../kernel/endpoint/visibility';
import type { SportsBoard } from '../sports/sports-board';

interface Query {
  /** Null: every sport. */
  readonly sportKey: string | null;
  readonly maxAgeMinutes: number;
  readonly audience: Audience;
  readonly nowMs: number;
}

/** With the prices of these markets, without older ones. */
export async function pricedMatches(
  sports: SportsBoard,
  markets: readonly OfferedMarket[],
  query: Query,
): Promise<readonly PricedMatch[]> {
  return (await pricedMatchesRead(sports, markets, query)).matches;
}

/** With the time of the read. */
export async function pricedMatchesRead(
  sports: SportsBoard,
  markets: readonly OfferedMarket[],
  { sportKey, maxAgeMinutes, audience, nowMs }: Query,
): Promise<{ readonly matches: readonly PricedMatch[]; readonly readAtMs: number }> {
  const { matches, readAtMs } = await sports.upcoming(sportKey, nowMs, markets.some(isAlternate));
  const wanted = { bookmakers: audience.compared, markets, maxAgeSeconds: maxAgeMinutes * 60, nowMs };
  return { matches: matches.flatMap((one) => onlyWanted(one, wanted) ?? []), readAtMs };
}

export interface ComparedMatch {
  readonly match: PricedMatch;
  readonly found: Comparison;
}

export async function comparedMatches(sports: SportsBoard, query: Query): Promise<readonly ComparedMatch[]> {
  const matches = await pricedMatches(sports, ['h2h'], query);
  return matches.map((match) => ({ match, found: compareH2h(match, sportOf(match.sportKey)!, query.nowMs) }));
}
