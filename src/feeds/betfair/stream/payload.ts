// Betfair's stream on the wire: one JSON object per line (CRLF) over TLS, after an authentication within 15 s.
// Sources: public clients with recorded messages (2016), and 19 saved files of Devonport and Traralgon (1 and 2 March
// 2022). Confidence is high. Saved files hold the same `mcm` messages without request ids. They name markets and
// runners, sizes are in GBP without virtual bets, and their `img` and `con` mean nothing: leave both out when replaying
// one.
import type { ExchangeMarketStatus, ExchangeRunnerStatus } from '../../../domain/race/feed-race';

/** The messages that we send. */
export type StreamRequest =
  | { readonly op: 'authentication'; readonly id: number; readonly appKey: string; readonly session: string }
  | MarketSubscription
  | { readonly op: 'heartbeat'; readonly id: number };

export interface MarketSubscription {
  readonly op: 'marketSubscription';
  readonly id: number;
  readonly marketFilter: StreamFilter;
  readonly marketDataFilter: { readonly fields: readonly string[]; readonly ladderLevels: number };
  readonly heartbeatMs: number;
  readonly conflateMs: number;
  /** Both from the last message: the stream resumes there instead of sending whole images. */
  readonly initialClk?: string;
  readonly clk?: string;
}

export interface StreamFilter {
  readonly eventTypeIds?: readonly string[];
  readonly countryCodes?: readonly string[];
  readonly marketTypes?: readonly string[];
  readonly marketIds?: readonly string[];
}

/** What comes. */
export type StreamMessage =
  | { readonly op: 'connection'; readonly connectionId: string }
  | StreamStatus
  | MarketChangeMessage;

export interface StreamStatus {
  readonly op: 'status';
  readonly id?: number;
  readonly statusCode: 'SUCCESS' | 'FAILURE';
  /** `SUBSCRIPTION_LIMIT_EXCEEDED`, `MAX_CONNECTION_LIMIT_EXCEEDED`, … */
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly connectionClosed?: boolean;
}

export interface MarketChangeMessage {
  readonly op: 'mcm';
  readonly id?: number;
  readonly ct?: 'SUB_IMAGE' | 'RESUB_DELTA' | 'HEARTBEAT';
  readonly initialClk?: string;
  readonly clk?: string;
  readonly conflateMs?: number;
  readonly heartbeatMs?: number;
  /** When it was published, epoch milliseconds. */
  readonly pt: number;
  readonly mc?: readonly MarketChange[];
}

export interface MarketChange {
  readonly id: string;
  /** True: this is the whole market and replaces everything received before. */
  readonly img?: boolean;
  readonly con?: boolean;
  /** Always complete; sent if anything in it changes. */
  readonly marketDefinition?: MarketDefinition;
  readonly rc?: readonly RunnerChange[];
  /** The total matched on the market. */
  readonly tv?: number;
}

export interface MarketDefinition {
  readonly status: ExchangeMarketStatus;
  readonly inPlay: boolean;
  readonly bspReconciled: boolean;
  readonly version: number;
  readonly marketType: string;
  readonly marketTime: string;
  readonly numberOfWinners: number;
  readonly numberOfActiveRunners: number;
  readonly bspMarket: boolean;
  readonly turnInPlayEnabled: boolean;
  readonly eventId: string;
  readonly eventTypeId: string;
  readonly openDate: string;
  readonly complete?: boolean;
  readonly betDelay?: number;
  readonly suspendTime?: string;
  /** May be some seconds earlier than its message. */
  readonly settledTime?: string;
  readonly venue?: string;
  readonly countryCode?: string;
  readonly timezone?: string;
  /** Live stream only. */
  readonly raceType?: string;
  /** Saved files only. */
  readonly name?: string;
  readonly eventName?: string;
  readonly runners: readonly DefinedRunner[];
}

export interface DefinedRunner {
  readonly id: number;
  readonly status: ExchangeRunnerStatus;
  readonly sortPriority: number;
  readonly adjustmentFactor?: number;
  readonly removalDate?: string;
  /** Remains on a runner that is removed after reconciliation, but is void there. */
  readonly bsp?: number | string;
  /** Saved files only: `7. Baldrick`. */
  readonly name?: string;
}

export interface RunnerChange {
  readonly id: number;
  /** The whole ladder, `[price, size]`; size 0 removes the price. */
  readonly atb?: readonly (readonly number[])[];
  readonly atl?: readonly (readonly number[])[];
  /** The best prices, `[level, price, size]`, level 0 the best; size 0 removes the level. */
  readonly batb?: readonly (readonly number[])[];
  readonly batl?: readonly (readonly number[])[];
  readonly ltp?: number;
  readonly tv?: number;
  readonly trd?: readonly (readonly number[])[];
  /** Near and far starting price: a number, `"NaN"` or `"Infinity"`. */
  readonly spn?: number | string;
  readonly spf?: number | string;
  readonly spb?: readonly (readonly number[])[];
  readonly spl?: readonly (readonly number[])[];
}
