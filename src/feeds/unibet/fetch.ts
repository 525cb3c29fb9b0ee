// Unibet AU over HTTP: the meetings of a day, country by country, and one race. It can be queried only for Australia
// and New Zealand.

import type { BookListing } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import { addDays } from '../../domain/time/aet';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { sumDropped } from '../reading/drops';
import { createHttp, type Http } from '../transport/http';
import { feedReply, notOurs } from '../transport/reply';
import { mapEvent, mapMeetings } from './map';
import type { UnibetEventVariables, UnibetMeetingsVariables } from './payload';
import { fetchPersisted, type PersistedQuery, persistedQuery } from './query';
import { parseRaceId } from './race-id';

type List = FeedReply<readonly BookListing[]>;

const COUNTRIES = ['AUS', 'NZL'] as const;

export function createUnibetFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  const meetings = persistedQuery('meetings', endpoint);
  const query = persistedQuery('event', endpoint);
  return {
    bookmakerKey: 'unibet',
    listRaces: (day, call) => listRaces(http, meetings, day, call),
    fetchRace: async (sourceRaceId, call) => {
      const race = parseRaceId(sourceRaceId);
      if (!race) return notOurs('Unibet', now());
      const variables: UnibetEventVariables = { clientCountryCode: 'AU', eventKey: race.eventKey, fetchTRC: false };
      const map = (viewer: unknown) => mapEvent(viewer, sourceRaceId, race.category);
      return feedReply(await fetchPersisted(http, { query, variables, map, call, readOnce: sourceRaceId }));
    },
  };
}

async function listRaces(http: Http, query: PersistedQuery, day: Day, call?: FeedCall): Promise<List> {
  const lists = COUNTRIES.map(async (country): Promise<List> => {
    const map = (viewer: unknown) => mapMeetings(viewer, country, day);
    return feedReply(await fetchPersisted(http, { query, variables: variablesOf(country, day), map, call }));
  });
  return (await Promise.all(lists)).reduce(together);
}

/** If one country fails, the list fails: half a list would look as if races were withdrawn. */
function together(a: List, b: List): List {
  if (a.kind !== 'ok') return a;
  if (b.kind !== 'ok') return b;
  return { ...b, value: [...a.value, ...b.value], dropped: sumDropped(a.dropped, b.dropped) };
}

/**
 * The bounds must be UTC midnights. Two UTC days cover one Sydney day; races of the neighbouring days are filtered out.
 */
function variablesOf(countryCodes: (typeof COUNTRIES)[number], day: Day): UnibetMeetingsVariables {
  const midnight = (of: Day): string => `${of}T00:00:00.000Z`;
  return {
    startDateTime: midnight(addDays(day, -1)),
    endDateTime: midnight(addDays(day, 1)),
    countryCodes,
    clientCountryCode: 'AU',
    raceTypes: ['T', 'G', 'H'],
  };
}
