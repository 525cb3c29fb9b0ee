// What every page of one match begins with: the match, and whether it has prices to show.
import type { PricedMatch } from '../../../domain/sports/match';
import type { MatchListings } from '../../../domain/sports/match-listings';
import { newestOf } from '../shown-prices';

/** `match` null: no book has a price. `open` null: nothing is shown, because it has started or has no price. */
export function shownMatch(listed: MatchListings, match: PricedMatch | null, nowMs: number) {
  const { eventId, sportKey, homeTeam, awayTeam, competition, startMs } = listed;
  const state = startMs <= nowMs ? 'started' : match === null ? 'unpriced' : 'open';
  const open = state === 'open' ? match : null;
  const facts = { eventId, sportKey, homeTeam, awayTeam, competition, startMs, state, atMs: nowMs } as const;
  return { ...facts, newestMs: open && newestOf([open]), open };
}
