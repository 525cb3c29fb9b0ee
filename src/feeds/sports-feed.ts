// The interface of a source that lists matches of many books and charges its calls in credits. Like a book's connector
// it handles only the wire format: it never stores, never compares books, and never throws for what the source does
// wrong.
import type { Instant } from '../domain/race/race';
import type { CreditReport, SourceSport } from '../domain/sports/feed-plan';
import type { MarketPrices, MatchMarket, Sport } from '../domain/sports/sports';
import type { FeedCall, FeedReply } from './feed';

export interface FeedMatch {
  readonly sport: Sport;
  /** The source's id of the match, the same for each of its books. */
  readonly sourceId: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly commenceTime: Instant;
  readonly markets: readonly FeedMarket[];
}

export interface FeedMarket {
  readonly market: MatchMarket;
  readonly prices: MarketPrices;
  /** The source's own time of these prices; null if it gives none. */
  readonly sourceUpdatedAt: Instant | null;
}

export interface FeedOdds {
  /** The starts of all matches that the source lists, including those in play. */
  readonly starts: readonly Instant[];
  /** By bookmaker key: everything that the reply has for the book. */
  readonly books: ReadonlyMap<string, readonly FeedMatch[]>;
}

export interface Metered<T> {
  readonly reply: FeedReply<T>;
  readonly credits: CreditReport;
}

export interface SportsFeed {
  /** The name of its connector. */
  readonly source: string;
  /** The most that one `odds` call costs. The other calls are free. */
  readonly creditsPerCall: number;
  /** The sports that have matches now, as far as we know them. */
  sports(call?: FeedCall): Promise<Metered<readonly SourceSport[]>>;
  /** The starts of a sport's matches. */
  starts(sourceKey: string, call?: FeedCall): Promise<Metered<readonly Instant[]>>;
  odds(sport: SourceSport, call?: FeedCall): Promise<Metered<FeedOdds>>;
}
