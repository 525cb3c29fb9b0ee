// Betfair's stream on the wire: one JSON object a line (CRLF) over TLS, after an authentication within 15 s. Known with high confidence: public
// clients with recorded messages (2016) and 19 saved files of Devonport and Traralgon (1 and 2 March 2022).
// Saved files hold the same `mcm` messages without request ids; they name markets and runners, sizes are in GBP without virtual bets, and
// their `img` and `con` mean nothing: whoever replays one leaves those out.
import type { ExchangeMarketStatus, ExchangeRunnerStatus } from '../../../domain/race/feed-race';

/** What we send. */
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
  /** Both of the last message held: the stream goes on from there instead of sending whole images. */
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
  /** The market whole: nothing held of it stands. */
  readonly img?: boolean;
  readonly con?: boolean;
  /** Whole whenever anything of it changes. */
  readonly marketDefinition?: MarketDefinition;
  readonly rc?: readonly RunnerChange[];
  /** All that was matched on the market. */
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
  /** May be some seconds before the message that brings it. */
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
  /** Stays on runners that are removed after it was reconciled; it is nobody's then. */
  readonly bsp?: number | string;
  /** Saved files only: `7. Baldrick`. */
  readonly name?: string;
}

export interface RunnerChange {
  readonly id: number;
  /** The whole ladder, `[price, size]`; size 0 takes the price away. */
  readonly atb?: readonly (readonly number[])[];
  readonly atl?: readonly (readonly number[])[];
  /** The best prices, `[level, price, size]`, level 0 the best; size 0 takes the level away. */
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
