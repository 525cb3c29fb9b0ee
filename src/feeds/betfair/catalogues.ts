// This process's cache of Betfair's catalogue: the meeting of each market, and each meeting's markets with their
// runners. A market that is not cached costs two requests (its meeting, then the whole meeting); a cached one costs
// none for ten minutes.
import type { FeedCall } from '../feed';
import type { Http, HttpFailure } from '../transport/http';
import { fetchCatalogue } from './api';
import { type CatalogueMarket, placeMarketOf } from './catalogue';
import type { MarketProjection } from './payload';
import type { RaceMarkets } from './snapshot';
import { chunks, mostInCatalogue } from './weights';

/**
 * How long a meeting stays fresh: riders change. Scratchings are not delayed by it, because the market itself reports
 * them.
 */
const FRESH_MS = 10 * 60_000;
const MOST_MEETINGS = 400;
/** A request has room for four meetings of twelve races with two markets each. */
const MEETINGS_A_CALL = 4;

const WITH_RUNNERS: readonly MarketProjection[] = [
  'EVENT',
  'EVENT_TYPE',
  'MARKET_START_TIME',
  'MARKET_DESCRIPTION',
  'RUNNER_DESCRIPTION',
  'RUNNER_METADATA',
];
const WITH_MEETING: readonly MarketProjection[] = ['EVENT', 'MARKET_DESCRIPTION'];
const MARKET_TYPES = ['WIN', 'PLACE'];

interface Meeting {
  readonly markets: readonly CatalogueMarket[];
  readonly readAtMs: number;
}

interface FoundRaces {
  readonly kind: 'ok';
  readonly races: ReadonlyMap<string, RaceMarkets>;
}

export class Catalogues {
  private readonly eventOf = new Map<string, string>();
  private readonly meetings = new Map<string, Meeting>();

  constructor(
    private readonly http: Http,
    private readonly now: () => number,
  ) {}

  /** Caches each market's meeting, which saves one request when the market's race is fetched. */
  learn(markets: readonly CatalogueMarket[]): void {
    for (const { marketId, eventId } of markets) if (eventId) this.eventOf.set(marketId, eventId);
  }

  /** The races' markets, by WIN market id. Races that Betfair no longer lists are missing. */
  async racesOf(marketIds: readonly string[], call?: FeedCall): Promise<FoundRaces | HttpFailure> {
    if (this.meetings.size > MOST_MEETINGS) this.forget();
    const unlisted = marketIds.filter((id) => !this.eventOf.has(id));
    for (const ids of chunks(unlisted, mostInCatalogue(WITH_MEETING))) {
      const found = await fetchCatalogue(this.http, { marketIds: ids }, WITH_MEETING, call);
      if (found.kind === 'failed') return found;
      this.learn(found.read.markets);
    }
    const events = new Set(marketIds.flatMap((id) => this.eventOf.get(id) ?? []));
    const stale = [...events].filter((id) => !this.isFresh(id));
    for (const eventIds of chunks(stale, MEETINGS_A_CALL)) {
      const failed = await this.readMeetings(eventIds, call);
      if (failed) return failed;
    }
    return { kind: 'ok', races: new Map(marketIds.flatMap((id) => this.raceOf(id))) };
  }

  private isFresh(eventId: string): boolean {
    const meeting = this.meetings.get(eventId);
    return meeting !== undefined && Math.abs(this.now() - meeting.readAtMs) < FRESH_MS;
  }

  private async readMeetings(eventIds: readonly string[], call?: FeedCall): Promise<HttpFailure | null> {
    const filter = { eventIds, marketTypeCodes: MARKET_TYPES };
    const found = await fetchCatalogue(this.http, filter, WITH_RUNNERS, call);
    if (found.kind === 'failed') return found;
    this.learn(found.read.markets);
    for (const eventId of eventIds) {
      const markets = found.read.markets.filter((market) => market.eventId === eventId);
      this.meetings.set(eventId, { markets: [...markets, ...this.settled(eventId, markets)], readAtMs: this.now() });
    }
    return null;
  }

  /** The catalogue omits settled markets, but their starting prices and winners are still needed. */
  private settled(eventId: string, markets: readonly CatalogueMarket[]): readonly CatalogueMarket[] {
    const listed = new Set(markets.map((market) => market.marketId));
    return this.meetings.get(eventId)?.markets.filter((market) => !listed.has(market.marketId)) ?? [];
  }

  private forget(): void {
    this.meetings.clear();
    this.eventOf.clear();
  }

  private raceOf(marketId: string): [string, RaceMarkets][] {
    const { markets = [] } = this.meetings.get(this.eventOf.get(marketId) ?? '') ?? {};
    const win = markets.find((market) => market.marketId === marketId);
    return win ? [[marketId, { win, place: placeMarketOf(win, markets) }]] : [];
  }
}
