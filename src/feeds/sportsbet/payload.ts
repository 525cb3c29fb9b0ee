// Sportsbet racing on the wire: GET, JSON, anonymous, unofficial, mostly limited to Australian addresses.
// Sources: public documentation with shapes probed live in May 2026, read again by clients up to September 2026.
// Confidence is high for list, runners and prices, medium for the bulk call. Undocumented, so not typed: the shapes of
// `results`, `exoticResults`, `deductions` and the Same Race Multi lists (top 2, 3, 4), what an abandoned race looks
// like, and every status code but those named here.

/** `Racing/AllRacing/{YYYY-MM-DD}`: every code, worldwide. */
export interface SportsbetAllRacingReply {
  dates: SportsbetDate[];
}

/** Its `meetingDate` (epoch seconds) is midnight in an undocumented zone, so it is not read. */
interface SportsbetDate {
  sections: SportsbetSection[];
}

export interface SportsbetSection {
  raceType?: 'horse' | 'harness' | 'greyhound' | (string & {});
  meetings: SportsbetMeeting[];
}

export interface SportsbetMeeting {
  id: number;
  name: string;
  /**
   * `Horses - Aus/NZ`, `Horses - International`, `Horses - Asia`, `Greyhound Racing`, `Harness Racing`,
   * `Harness Racing - International`.
   */
  className: string;
  /** A country in English: `Australia`. */
  regionName?: string;
  isInternational?: boolean;
  events: SportsbetEventStub[];
}

export interface SportsbetEventStub {
  id: number;
  raceNumber: number;
  /** Epoch seconds, a whole number. */
  startTime: number;
  /** Preceded by the race number: `R1 Asset Painting Services Mdn Plate`. */
  name?: string;
  /** Metres, as text. */
  distance?: string;
  statusCode?: SportsbetStatusCode;
  bettingStatus?: SportsbetBettingStatus;
  /** A path of this API, not a page. */
  httpLink?: string;
}

/** `OFF`: in running, or its pricing is suspended. */
export type SportsbetBettingStatus = 'PRICED' | 'OFF' | 'RESULTED' | (string & {});

/** `A` is active; `B` was observed on races that were resulted but pending. Other codes exist and were not observed. */
type SportsbetStatusCode = 'A' | 'B' | (string & {});

/** `Racing/Events/{id}/Racecard`: the event itself, without an envelope; 163 to 198 KB. */
export interface SportsbetRacecardReply {
  id: number;
  raceNumber: number;
  startTime: number;
  className?: string;
  competitionName?: string;
  name?: string;
  distance?: string;
  /** `Good (4)`. */
  trackStatus?: string;
  statusCode?: SportsbetStatusCode;
  bettingStatus?: SportsbetBettingStatus;
  markets: SportsbetMarket[];
}

/**
 * `Racing/Events/MultipleRacecards?eventIds=a,b`: the same events, many at once; 364 KB for two. According to its
 * documentation the wrapper varies by build: `events[]` (two clients, August and September 2026) is served and read
 * first; a bare array is read too. One client sends at most 20 ids, the endpoint's own limit.
 */
export interface SportsbetMultipleRacecardsReply {
  events: SportsbetRacecardReply[];
}

interface SportsbetMarket {
  /**
   * Runners and their prices are in `Win or Place`. Other markets: Head to Head, Odds vs Evens, Insure 2, Insure 3,
   * Betting Without.
   */
  name: string;
  statusCode?: SportsbetStatusCode;
  selections: SportsbetSelection[];
}

export interface SportsbetSelection {
  id: number;
  name: string;
  runnerNumber: number;
  /** Barrier or box. */
  drawNumber?: number;
  /** Recent placings. */
  shortForm?: string;
  jockey?: string;
  trainer?: string;
  /** 59500 is 59.5 kg. */
  weightGram?: number;
  /** Scratched. */
  isOut: boolean;
  /** Newest first: [0] is the current price. Without times. */
  recentOddsFluctuations?: number[];
  prices?: SportsbetPrice[];
  /** `-` until it is placed; the later value is undocumented. */
  result?: string;
  statusCode?: SportsbetStatusCode;
}

/** Decimal, and the same as a fraction: winPrice = 1 + winPriceNum / winPriceDen. */
export interface SportsbetPrice {
  /** `L` is the live fixed price; `MDP` and `TMD` are derived from the tote. */
  priceCode: 'L' | 'MDP' | 'TMD' | (string & {});
  winPrice?: number;
  winPriceNum?: number;
  winPriceDen?: number;
  placePrice?: number;
  placePriceNum?: number;
  placePriceDen?: number;
}

/** With 404. */
export interface SportsbetError {
  code: string;
  message: string;
}
