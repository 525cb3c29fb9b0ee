// Betfair by polling. Its stream (stream/) produces the same `ExchangeMarket`.
import type { Feed, FeedCall, FeedEndpoint } from '../feed';
import { createHttp } from '../transport/http';
import { Catalogues } from './catalogues';
import { listRaces } from './day-list';
import { MOST_RACES, readRaces } from './race-books';
import { sessionHeaders } from './session';

export function createBetfairFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now, headers: sessionHeaders(endpoint) });
  const catalogues = new Catalogues(http, now);
  const fetchRaces = (ids: readonly string[], call?: FeedCall) => readRaces(http, catalogues, ids, now, call);
  return {
    bookmakerKey: 'betfair_ex_au',
    listRaces: (day, call) => listRaces(http, catalogues, day, call),
    fetchRace: async (id, call) => (await fetchRaces([id], call)).get(id)!,
    bulk: { maxRaces: MOST_RACES, fetchRaces },
  };
}
