// PointsBet over HTTP: the meetings of a day and one race.
import type { Feed, FeedEndpoint } from '../feed';
import { createHttp } from '../http';
import { feedReply } from '../reply';
import { mapMeetings, mapRace } from './map';

export function createPointsBetFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'pointsbetau',
    listRaces: async (day, call) =>
      feedReply(
        await http.get({ path: `/api/racing/v4/meetings?startDate=${day}&endDate=${day}`, read: mapMeetings, call }),
      ),
    fetchRace: async (sourceRaceId, call) =>
      feedReply(
        await http.get({
          path: `/api/racing/v3/races/${encodeURIComponent(sourceRaceId)}`,
          read: (body) => mapRace(body, sourceRaceId),
          conditional: true,
          call,
        }),
      ),
  };
}
