// What a connector reports about races, in one form whatever the book's wire format. Unknown is null, never 0 (D3).
// A connector drops rows that it cannot read and counts them by reason; nothing here has been compared or checked yet.
import type { Category, Day, Instant, MarketStatus } from './race';
import type { RaceFacts } from './race-facts';

export type { RaceFacts };

/** One race on a book's list. `venue` is the book's own spelling; `country` ISO 3166 alpha-2 or null. */
export interface ListedRace {
  readonly sourceRaceId: string;
  readonly category: Category;
  readonly venue: string;
  readonly country: string | null;
  /** Sydney day of the meeting; from the book's meeting date if it gives one, otherwise from the start. */
  readonly meetingDate: Day;
  readonly raceNumber: number;
  readonly startTime: Instant;
  readonly raceName: string | null;
  readonly distanceM: number | null;
  readonly trackCondition: string | null;
  readonly weather: string | null;
}

/**
 * A row of a book's list as the book writes it: some leave out the race number (Dabble) or the start (TABtouch). Such a
 * row can only join a race that other books list (D17); it never creates one.
 */
export interface BookListing extends Omit<ListedRace, 'raceNumber' | 'startTime'> {
  readonly raceNumber: number | null;
  readonly startTime: Instant | null;
}

/**
 * A book's report that a runner is out. `at` is the book's own time or null; `late` per the book, null when not
 * reported.
 */
export interface FeedScratching {
  readonly at: Instant | null;
  readonly late: boolean | null;
  /** Fractions of the dollar, 0 to 1; null until the book publishes them. */
  readonly winDeduction: number | null;
  readonly placeDeduction: number | null;
}

/** What a card states about a runner besides its number and name; null if not reported (D3). */
export interface RunnerDetails {
  readonly barrier: number | null;
  /** The driver in harness racing. */
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly weightKg: number | null;
  readonly form: string | null;
}

/** One runner as one book shows it. Prices are decimal and already > 1.0 and finite; null is "not quoted". */
export interface FeedRunner extends RunnerDetails {
  readonly number: number;
  readonly name: string;
  readonly runnerRef: string | null;
  readonly emergency: boolean | null;
  readonly scratching: FeedScratching | null;
  readonly win: number | null;
  readonly place: number | null;
  readonly top2: number | null;
  readonly top3: number | null;
  readonly top4: number | null;
  /** Tote win estimates by product code (A 2.4 rule 3), e.g. `{ PROV: 4.2 }`; null when the book carries no tote. */
  readonly toteWin: Readonly<Record<string, number>> | null;
  /** The book's own ids of the runner in its win and place market, if it sends any: betslip links use them. */
  readonly sourceIds?: { readonly win: string | null; readonly place: string | null };
}

/** A runner whose saddlecloth number the book does not report, or not reliably: it is joined by name. */
export interface BookRunner extends Omit<FeedRunner, 'number'> {
  readonly number: number | null;
}

export interface FeedPlacing {
  readonly position: number;
  readonly number: number;
  readonly name: string | null;
}

/** One declared dividend, a return on a $1 stake. */
export interface FeedStraightDividend {
  readonly market: 'WIN' | 'PLC';
  readonly product: string;
  readonly number: number;
  readonly amount: number;
}

export interface FeedExoticDividend {
  readonly code: 'QN' | 'EX' | 'TF' | 'FF';
  readonly product: string;
  /** Saddlecloth numbers in order, e.g. `8,15,1`. */
  readonly selection: string;
  readonly amount: number;
}

export interface FeedMultiRaceDividend {
  readonly code: string;
  readonly type: string;
  readonly product: string;
  readonly legs: readonly { readonly raceNumber: number }[];
  readonly selection: string;
  readonly amount: number;
}

/** The result as one book reports it. `interim` may still change (A 3). */
export interface FeedResult {
  readonly stage: 'interim' | 'final' | 'abandoned';
  readonly note: string | null;
  readonly protest: boolean;
  /** Dead heats share a position. Empty when abandoned. */
  readonly placings: readonly FeedPlacing[];
  readonly straight: readonly FeedStraightDividend[];
  readonly exotics: readonly FeedExoticDividend[];
  readonly multiRace: readonly FeedMultiRaceDividend[];
}

export type ExchangeMarketStatus = 'INACTIVE' | 'OPEN' | 'SUSPENDED' | 'CLOSED';
export type ExchangeRunnerStatus = 'ACTIVE' | 'WINNER' | 'LOSER' | 'PLACED' | 'REMOVED' | 'REMOVED_VACANT' | 'HIDDEN';

/**
 * One runner of one exchange market. Prices decimal, sizes and volumes in the exchange's own currency; null is unknown.
 */
export interface ExchangeRunner {
  readonly selectionId: number;
  /** Saddlecloth number from the name's prefix (`7. Baldrick`); null if there is no prefix or no name. */
  readonly number: number | null;
  /** Without the prefix. Null in the live stream, which has no names. */
  readonly name: string | null;
  readonly status: ExchangeRunnerStatus;
  readonly backPrice: number | null;
  readonly backSize: number | null;
  readonly layPrice: number | null;
  readonly laySize: number | null;
  readonly lastTraded: number | null;
  readonly tradedVolume: number | null;
  /** Starting price once reconciled; never set for a removed runner. */
  readonly bsp: number | null;
  /** Per cent of the field; horses and harness only. */
  readonly adjustmentFactor: number | null;
  readonly removedAt: Instant | null;
}

export interface ExchangeMarket {
  readonly marketId: string;
  /** `WIN`, `PLACE`, … as the exchange types it. */
  readonly marketType: string;
  /** Only ever rises: it orders the reports about the market. */
  readonly version: number;
  readonly status: ExchangeMarketStatus;
  readonly inPlay: boolean;
  readonly bspReconciled: boolean;
  readonly numberOfWinners: number | null;
  readonly activeRunners: number | null;
  readonly totalMatched: number | null;
  readonly marketTime: Instant | null;
  readonly settledAt: Instant | null;
  /** When the exchange published this version, from its stream; null in replies to polls. */
  readonly publishedAt: Instant | null;
  readonly runners: readonly ExchangeRunner[];
}

interface ExchangeState {
  readonly markets: readonly ExchangeMarket[];
}

/** One poll of one race at one book. */
export interface RaceSnapshot {
  readonly sourceRaceId: string;
  /** The book's current advertised start; it can move. Null if this reply does not contain it. */
  readonly startTime: Instant | null;
  readonly facts: RaceFacts;
  readonly marketStatus: MarketStatus | null;
  /** Only an exchange reports it; null elsewhere. */
  readonly inPlay: boolean | null;
  readonly runners: readonly FeedRunner[];
  readonly result: FeedResult | null;
  /** Link to the race page, if the book has a provable route. */
  readonly sourceUrl: string | null;
  /** Only exchanges set it: both sides of its markets, volume, starting price, adjustment factors. */
  readonly exchange?: ExchangeState;
}

/** One poll before its runners are joined to the card by number or name. */
export interface BookSnapshot extends Omit<RaceSnapshot, 'runners'> {
  readonly runners: readonly BookRunner[];
}
