// What this process knows of Betfair's catalogue: which meeting a market belongs to, and a meeting's markets with their runners. A market that is
// not known costs two requests (its meeting, then the meeting whole), a known one none for ten minutes.
import type { FeedCall } from '../feed';
import type { Http, HttpFailure } from '../transport/http';
import { fetchCatalogue } from './api';
import { type CatalogueMarket, placeMarketOf } from './catalogue';
import type { MarketProjection } from './payload';
import type { RaceMarkets } from './snapshot';
import { chunks, mostInCatalogue } from './weights';

/** Riders change and starters come out; a removal itself is told by the market. */
const FRESH_MS = 10 * 60_000;
const MOST_MEETINGS = 400;
/** Twelve races of two markets each fit a request four times. */
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

  /** Remembers which meeting each market is of, so that a race listed here is found with one request less. */
  learn(markets: readonly CatalogueMarket[]): void {
    for (const { marketId, eventId } of markets) if (eventId) this.eventOf.set(marketId, eventId);
  }

  /** The races' markets, by WIN market id; a race that Betfair does not have (any more) is missing. */
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

  /** The catalogue leaves out what is settled; its starting prices and winners are still to be read. */
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
