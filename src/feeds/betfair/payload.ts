// Betfair Exchange's API-NG on the wire: POST, JSON, with an application key and a session.
// Sources: public clients and their recorded replies (2016 to 2022), and Betfair Australia's own guide, read in October
// 2026. Confidence is high. A REST reply is the bare list; recorded JSON-RPC replies wrap it in `result`. Every
// catalogue key except the ids is optional. Showing exchange prices to the public needs a licence: they are withheld
// from customers everywhere (src/api/kernel/endpoint/visibility.ts).
import type { ExchangeMarketStatus, ExchangeRunnerStatus } from '../../domain/race/feed-race';

export interface MarketFilter {
  /** 7 is horses and harness together, 4339 greyhounds. */
  readonly eventTypeIds?: readonly string[];
  readonly eventIds?: readonly string[];
  readonly marketIds?: readonly string[];
  readonly marketCountries?: readonly string[];
  readonly marketTypeCodes?: readonly string[];
  readonly marketStartTime?: { readonly from: string; readonly to: string };
}

export interface CatalogueRequest {
  readonly filter: MarketFilter;
  readonly marketProjection: readonly MarketProjection[];
  readonly sort: 'FIRST_TO_START';
  readonly maxResults: number;
}
export type MarketProjection =
  | 'EVENT'
  | 'EVENT_TYPE'
  | 'MARKET_START_TIME'
  | 'MARKET_DESCRIPTION'
  | 'RUNNER_DESCRIPTION'
  | 'RUNNER_METADATA';

export interface MarketBookRequest {
  readonly marketIds: readonly string[];
  readonly priceProjection: { readonly priceData: readonly PriceData[] };
}
export type PriceData = 'EX_BEST_OFFERS' | 'SP_TRADED';

/** One market of `listMarketCatalogue`. A race's WIN and PLACE are separate markets. */
export interface CatalogueRow {
  /** `1.195395419`. */
  marketId: string;
  /** `R7 1100m Hcap` of a WIN market; a PLACE market is `To Be Placed` and has no race number. */
  marketName: string;
  marketStartTime?: string;
  totalMatched?: number;
  description?: { marketType: string; marketTime: string; bspMarket: boolean; turnInPlayEnabled: boolean };
  eventType?: { id: string; name: string };
  event?: EventRow;
  runners?: CatalogueRunnerRow[];
}

/** One meeting. `timezone` is Australia/Sydney for every Australian one; `openDate` is the start of the first race. */
export interface EventRow {
  id: string;
  name: string;
  countryCode: string;
  timezone: string;
  venue: string;
  openDate: string;
}

export interface CatalogueRunnerRow {
  selectionId: number;
  /** `7. Baldrick`: the saddlecloth or box comes before the name; reserves have 9 and 10. */
  runnerName: string;
  handicap?: number;
  sortPriority: number;
  /** All strings. The whole object may be missing; greyhounds have only `runnerId`, harness little more. */
  metadata?: Readonly<Record<string, string | null>>;
}

/** One market of `listMarketBook`, without runner names or a start time. */
export interface MarketBookRow {
  marketId: string;
  status: ExchangeMarketStatus;
  inplay: boolean;
  bspReconciled: boolean;
  complete?: boolean;
  betDelay?: number;
  numberOfWinners: number;
  numberOfRunners?: number;
  numberOfActiveRunners: number;
  totalMatched: number;
  /** Only increases. */
  version: number;
  isMarketDataDelayed?: boolean;
  runners: BookRunnerRow[];
}

export interface BookRunnerRow {
  selectionId: number;
  handicap?: number;
  status: ExchangeRunnerStatus;
  /** Per cent; horses and harness only. */
  adjustmentFactor?: number;
  removalDate?: string;
  lastPriceTraded?: number;
  totalMatched?: number;
  /** Numbers, or the strings `NaN` and `Infinity`. */
  sp?: { nearPrice?: number | string; farPrice?: number | string; actualSP?: number | string };
  /** Best price first. `availableToBack`: what a backer can take; the lay price is the first of `availableToLay`. */
  ex?: { availableToBack?: PriceSize[]; availableToLay?: PriceSize[] };
}

interface PriceSize {
  price: number;
  size: number;
}
