// TAB info-service over HTTP. Every call needs `jurisdiction`, because prices and pools depend on it.
// Never send `fixedOdds=true`: the service's own template offers it, but it returns 404. Pages and empty bodies with
// HTTP 200 are detected in http.ts.
import type { Feed, FeedEndpoint } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply, notOurs } from '../transport/reply';
import { mapMeetings, mapRacecard } from './map';
import { parseTabRaceId } from './race-id';

const ROOT = '/v1/tab-info-service/racing';

export function createTabFeed(endpoint: FeedEndpoint, now: () => number, jurisdiction = 'NSW'): Feed {
  const http = createHttp({ endpoint, now });
  const query = `jurisdiction=${jurisdiction}`;
  return {
    bookmakerKey: 'tab',
    listRaces: async (day, call) =>
      feedReply(await http.get({ path: `${ROOT}/dates/${day}/meetings?${query}`, read: mapMeetings, call })),
    fetchRace: async (sourceRaceId, call) => {
      const id = parseTabRaceId(sourceRaceId);
      if (!id) return notOurs('TAB', now());
      return feedReply(
        await http.get({
          path: `${ROOT}/dates/${id.day}/meetings/${id.raceType}/${id.mnemonic}/races/${id.raceNumber}?${query}`,
          read: (body) => mapRacecard(body, sourceRaceId, jurisdiction),
          conditional: true,
          call,
        }),
      );
    },
  };
}
