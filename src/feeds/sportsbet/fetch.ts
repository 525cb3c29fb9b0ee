// Sportsbet over HTTP: every race of a day, one racecard, and many racecards in one call.
// Pollers of many races must use `bulk`: twenty single cards are twenty calls of 163 KB each, which got a client
// blocked (August 2026).
import { bulkReplies } from '../bulk';
import type { Feed, FeedEndpoint } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply } from '../transport/reply';
import { mapAllRacing } from './list';
import { mapRacecard, mapRacecards } from './map';

const ROOT = '/apigw/sportsbook-racing/Sportsbook/Racing';
/** The endpoint's limit, as reported by a client that depends on it (September 2026). */
const MAX_RACES = 20;

export function createSportsbetFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'sportsbet',
    listRaces: async (day, call) =>
      feedReply(await http.get({ path: `${ROOT}/AllRacing/${day}`, read: mapAllRacing, call })),
    fetchRace: async (sourceRaceId, call) =>
      feedReply(
        await http.get({
          path: `${ROOT}/Events/${encodeURIComponent(sourceRaceId)}/Racecard`,
          read: (body) => mapRacecard(body, sourceRaceId),
          conditional: true,
          readOnce: sourceRaceId,
          call,
        }),
      ),
    bulk: {
      maxRaces: MAX_RACES,
      fetchRaces: async (sourceRaceIds, call) => {
        if (sourceRaceIds.length === 0) return new Map();
        const path = `${ROOT}/Events/MultipleRacecards?eventIds=${sourceRaceIds.map(encodeURIComponent).join(',')}`;
        return bulkReplies(sourceRaceIds, await http.get({ path, read: mapRacecards, call }));
      },
    },
  };
}
