// The books of many races: WIN and PLACE markets together, as many in one call as the points allow.
// Starting prices make a request more than twice as heavy, so they are requested only after a race's start.
import type { BookSnapshot } from '../../domain/race/feed-race';
import type { FeedCall, FeedReply } from '../feed';
import { asRow } from '../reading/read';
import type { Http } from '../transport/http';
import { feedReply } from '../transport/reply';
import { type ApiReply, fetchMarketBooks } from './api';
import type { Catalogues } from './catalogues';
import type { PriceData } from './payload';
import { mapRace, type RaceMarkets } from './snapshot';
import { chunks, mostInBook } from './weights';

const BEST_OFFERS: readonly PriceData[] = ['EX_BEST_OFFERS'];
const WITH_STARTING_PRICES: readonly PriceData[] = ['EX_BEST_OFFERS', 'SP_TRADED'];
const MARKETS_A_RACE = 2;

export const MOST_RACES = Math.floor(mostInBook(BEST_OFFERS) / MARKETS_A_RACE);

type Replies = ReadonlyMap<string, FeedReply<BookSnapshot>>;

export async function readRaces(
  http: Http,
  catalogues: Catalogues,
  ids: readonly string[],
  now: () => number,
  call?: FeedCall,
): Promise<Replies> {
  const found = await catalogues.racesOf(ids, call);
  if (found.kind === 'failed') return new Map(ids.map((id) => [id, found]));
  const races = [...found.races.values()];
  const isDue = ({ win }: RaceMarkets) => win.startTime !== null && Date.parse(win.startTime) <= now();
  const due = races.filter(isDue);
  const replies = new Map([
    ...(await readBooks(http, due, WITH_STARTING_PRICES, call)),
    ...(await readBooks(
      http,
      races.filter((race) => !isDue(race)),
      BEST_OFFERS,
      call,
    )),
  ]);
  const observedAt = new Date(now()).toISOString();
  return new Map(ids.map((id) => [id, replies.get(id) ?? failed('not_found', 'not in the catalogue', observedAt)]));
}

const failed = (reason: 'not_found' | 'malformed', detail: string, observedAt: string): FeedReply<BookSnapshot> => ({
  kind: 'failed',
  reason,
  detail,
  retryAfterMs: null,
  observedAt,
});

async function readBooks(http: Http, races: readonly RaceMarkets[], priceData: readonly PriceData[], call?: FeedCall) {
  const replies: [string, FeedReply<BookSnapshot>][] = [];
  for (const part of chunks(races, Math.floor(mostInBook(priceData) / MARKETS_A_RACE))) {
    const marketIds = part.flatMap(({ win, place }) => (place ? [win.marketId, place.marketId] : [win.marketId]));
    const reply = await fetchMarketBooks(http, { marketIds, priceProjection: { priceData } }, call);
    for (const race of part) replies.push([race.win.marketId, raceReply(race, reply)]);
  }
  return replies;
}

function raceReply(race: RaceMarkets, reply: ApiReply<readonly unknown[]>): FeedReply<BookSnapshot> {
  if (reply.kind === 'failed') return reply;
  const { read: rows, observedAt } = reply;
  const mapped = mapRace(race, rows);
  if (mapped) return feedReply({ kind: 'ok', read: mapped, observedAt });
  const isThere = rows.some((row) => asRow(row)?.marketId === race.win.marketId);
  return isThere
    ? failed('malformed', 'not the documented market', observedAt)
    : failed('not_found', 'left out of the reply', observedAt);
}
