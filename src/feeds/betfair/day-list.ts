// The races of a Sydney day: the WIN markets of both event types. A reply's size is limited by its points, so a busy
// day comes in pages by start time.

import type { BookListing } from '../../domain/race/feed-race';
import type { Day, Instant } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import type { Dropped, FeedCall, FeedReply } from '../feed';
import { countDrops, sumDropped } from '../reading/drops';
import type { Http, HttpFailure } from '../transport/http';
import { type ApiReply, fetchCatalogue } from './api';
import { type Catalogue, type CatalogueMarket, listingsOf } from './catalogue';
import type { Catalogues } from './catalogues';
import type { MarketFilter, MarketProjection } from './payload';
import { mostInCatalogue } from './weights';

/** 7 is horses and harness, 4339 greyhounds. */
export const EVENT_TYPES = ['7', '4339'];
/** The format is documented only for these two. */
export const COUNTRIES = ['AU', 'NZ'];
const LIST: readonly MarketProjection[] = ['EVENT', 'EVENT_TYPE', 'MARKET_START_TIME', 'MARKET_DESCRIPTION'];
const MOST_PAGES = 10;

export async function listRaces(
  http: Http,
  catalogues: Catalogues,
  day: Day,
  call?: FeedCall,
): Promise<FeedReply<readonly BookListing[]>> {
  const found = await readDay(http, day, call);
  if (found.kind === 'failed') return found;
  const { markets, dropped, observedAt } = found;
  catalogues.learn(markets);
  const drops = countDrops();
  const value = listingsOf(markets, drops);
  return { kind: 'ok', value, observedAt, bookAt: null, dropped: sumDropped(dropped, drops.counts()) };
}

type DayMarkets = {
  readonly kind: 'ok';
  readonly markets: readonly CatalogueMarket[];
  readonly dropped: Dropped;
  readonly observedAt: Instant;
};

/** After a full page, reads on from that page's last start, until a page is not full or adds no market. */
async function readDay(http: Http, day: Day, call?: FeedCall): Promise<DayMarkets | HttpFailure> {
  const markets = new Map<string, CatalogueMarket>();
  let dropped: Dropped = {};
  let from = new Date(aetDayBounds(day).startMs).toISOString();
  for (let page = 1; ; page++) {
    const reply: ApiReply<Catalogue> = await fetchCatalogue(http, filterOf(day, from), LIST, call);
    if (reply.kind === 'failed') return reply;
    const before = markets.size;
    for (const market of reply.read.markets) markets.set(market.marketId, market);
    dropped = sumDropped(dropped, reply.read.dropped);
    const done = { kind: 'ok' as const, markets: [...markets.values()], observedAt: reply.observedAt };
    const last = lastStart(reply.read);
    if (reply.read.rows < mostInCatalogue(LIST)) return { ...done, dropped };
    if (page === MOST_PAGES || markets.size === before || last === null) {
      return { ...done, dropped: sumDropped(dropped, { list_cut_short: 1 }) };
    }
    from = last;
  }
}

const filterOf = (day: Day, from: Instant): MarketFilter => ({
  eventTypeIds: EVENT_TYPES,
  marketCountries: COUNTRIES,
  marketTypeCodes: ['WIN'],
  marketStartTime: { from, to: new Date(aetDayBounds(day).endMs - 1).toISOString() },
});

const lastStart = ({ markets }: Catalogue): Instant | null =>
  markets.reduce<Instant | null>((last, { startTime: at }) => (at && at > (last ?? '') ? at : last), null);
