// Palmerbet over HTTP: three lists per day, two calls per race.
// Never conditional: a race consists of two replies, and whether the book sends validators is undocumented.
import type { BookListing, BookSnapshot } from '../../domain/race/feed-race';
import type { Day } from '../../domain/race/race';
import type { Feed, FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { sumDropped } from '../reading/drops';
import { createHttp, type Http } from '../transport/http';
import { feedReply, type Mapped, notOurs } from '../transport/reply';
import { mapMeetings, mapRace, readMarket, readRace } from './map';
import type { PalmerbetType } from './payload';
import { CATEGORIES, palmerbetRaceId, parsePalmerbetRaceId } from './race-id';

const ROOT = '/fixtures/racing';
const QUERY = 'channel=website';
const TYPES = Object.keys(CATEGORIES) as PalmerbetType[];

export function createPalmerbetFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'palmerbet',
    listRaces: (day, call) => listRaces(http, day, call),
    fetchRace: (sourceRaceId, call) => fetchRace(http, sourceRaceId, now, call),
  };
}

/** If one code fails, the list fails: half a list would look as if races were withdrawn. */
async function listRaces(http: Http, day: Day, call?: FeedCall): Promise<FeedReply<readonly BookListing[]>> {
  let whole: Mapped<readonly BookListing[]> = { value: [], bookAt: null, dropped: {} };
  let observedAt = '';
  for (const type of TYPES) {
    const path = `${ROOT}/${day}/${type}?${QUERY}`;
    const reply = await http.get({ path, read: (body) => mapMeetings(body, day, type), call });
    if (reply.kind !== 'ok') return reply;
    const { value, dropped } = reply.read;
    whole = { value: [...whole.value, ...value], bookAt: null, dropped: sumDropped(whole.dropped, dropped) };
    observedAt = reply.observedAt;
  }
  return feedReply({ kind: 'ok', read: whole, observedAt });
}

/** A race without its prices is a failed poll: runners without prices would mean withdrawn prices. */
async function fetchRace(
  http: Http,
  sourceRaceId: string,
  now: () => number,
  call?: FeedCall,
): Promise<FeedReply<BookSnapshot>> {
  const id = parsePalmerbetRaceId(sourceRaceId);
  if (!id) return notOurs('Palmerbet', now());
  const race = await http.get({
    path: `${ROOT}/${palmerbetRaceId(id)}?${QUERY}`,
    read: readRace,
    readOnce: sourceRaceId,
    call,
  });
  if (race.kind !== 'ok') return race;
  const { winMarketId } = race.read;
  if (winMarketId === null) return feedReply({ ...race, read: mapRace(race.read, [], sourceRaceId) });
  const path = `${ROOT}/${id.type}/markets/${encodeURIComponent(winMarketId)}?${QUERY}`;
  const market = await http.get({ path, read: readMarket, readOnce: sourceRaceId, call });
  if (market.kind !== 'ok') return market;
  return feedReply({ ...market, read: mapRace(race.read, market.read, sourceRaceId) });
}
