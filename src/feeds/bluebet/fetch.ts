// Betr and BetRight over HTTP: the race card of a day and one race.
// As far as documented, Betr refuses only the user agent of Python's urllib. It tolerated 30 calls a second (one
// report, May 2026), which is the rate in the book table.
import { aetDay } from '../../domain/time/aet';
import type { Feed, FeedEndpoint } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply } from '../transport/reply';
import type { BlueBetDialect } from './dialects';
import { mapRace, mapRaceCard } from './map';

export function createBlueBetFeed(dialect: BlueBetDialect, endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: dialect.bookmakerKey,
    listRaces: async (day, call) =>
      feedReply(
        await http.get({
          path: dialect.listPath(day, aetDay(now())),
          read: (body) => mapRaceCard(body, dialect),
          call,
        }),
      ),
    fetchRace: async (sourceRaceId, call) =>
      feedReply(
        await http.get({
          path: dialect.racePath(sourceRaceId),
          read: (body) => mapRace(body, sourceRaceId, dialect),
          conditional: true,
          readOnce: sourceRaceId,
          call,
        }),
      ),
  };
}
