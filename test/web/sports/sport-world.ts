// The pages of sports over matches in memory, with a clock that a test moves and a count of the readings.
import { onlyWanted, type PricedMatch } from '../../../src/domain/sports/match';
import { MARKETS, OFFERED_MARKETS } from '../../../src/domain/sports/sports';
import type { SportSource } from '../../../src/web/sports/model';
import { createSportPages } from '../../../src/web/sports/sport-pages';
import { NOW_MS } from '../../support/sports/matches';

const SIX_HOURS_S = 6 * 3600;

export function sportWorld(matches: readonly PricedMatch[]) {
  const world = { nowMs: NOW_MS, readings: 0 };
  /** As the API's source selects them. */
  const upcoming = (sportKey: string | null, alternates: boolean, nowMs: number) =>
    matches
      .filter((one) => Date.parse(one.commenceTime) > nowMs && (sportKey === null || one.sportKey === sportKey))
      .flatMap((one) => {
        const bookmakers = one.books.map(({ bookmaker }) => bookmaker);
        const markets = alternates ? OFFERED_MARKETS : MARKETS;
        return onlyWanted(one, { bookmakers, markets, maxAgeSeconds: SIX_HOURS_S, nowMs }) ?? [];
      });
  const source: SportSource = {
    async upcoming(...query) {
      world.readings++;
      return { matches: upcoming(...query), readAtMs: query[2] };
    },
    async match(eventId) {
      const found = matches.find((one) => one.eventId === eventId);
      if (!found) return null;
      const { sportKey, homeTeam, awayTeam, competition, commenceTime } = found;
      const head = { eventId, joinedInto: null, sportKey, homeTeam, awayTeam, competition };
      return { ...head, startMs: Date.parse(commenceTime), listings: [] };
    },
  };
  const pages = createSportPages({ source, now: () => world.nowMs });
  return { world, pages, upcoming };
}
