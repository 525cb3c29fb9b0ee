// TABtouch over HTTP: the upcoming races, and one race's page.
import type { BookListing } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp, type Http } from '../transport/http';
import { feedReply, notOurs } from '../transport/reply';
import { mapNextRaces } from './list';
import { parseTabTouchRaceId, racePath } from './race-id';
import { createPageReader } from './read-page';

export function createTabTouchFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  const readPage = createPageReader();
  return {
    bookmakerKey: 'tabtouch',
    listRaces: (day, call) => listRaces(http, day, now, call),
    fetchRace: async (sourceRaceId, call) => {
      const id = parseTabTouchRaceId(sourceRaceId);
      if (!id) return notOurs('TABtouch', now());
      const read = (html: unknown) => readPage(html, id);
      return feedReply(await http.get({ path: racePath(id), read, expect: 'page', conditional: true, call }));
    },
  };
}

/** The book lists upcoming races of any day; those of the requested day are kept. */
async function listRaces(
  http: Http,
  day: Day,
  now: () => number,
  call?: FeedCall,
): Promise<FeedReply<readonly BookListing[]>> {
  const read = (body: unknown) => mapNextRaces(body, aetDay(now()));
  const reply = feedReply(await http.get({ path: '/api/raceinfo/nextraces', read, call }));
  if (reply.kind !== 'ok') return reply;
  return { ...reply, value: reply.value.filter((race) => race.meetingDate === day) };
}
