// TAB info-service racing on the wire: GET, JSON, a `jurisdiction` query on every call.
// Sources: recorded replies (2018, 2023, January 2025) and clients probed in June 2026; there is no public document.
// Confidence is medium-high for racing, medium for exotics. `?` marks a field seen missing, or present only in one
// state of the race. Prices stay on scratched runners; 0 means none.

export type TabRaceType = 'R' | 'G' | 'H';

/** `/v1/tab-info-service/racing/dates/{day}/meetings?jurisdiction=NSW` */
export interface TabMeetingsReply {
  meetings: TabMeeting[];
  _links?: TabLinks;
}

export type TabLinks = Record<string, string>;

export interface TabMeeting {
  /** UPPER case. */
  meetingName: string;
  /** Australian state, or ISO 3166 alpha-3 abroad. */
  location: string;
  /**
   * Three letters here (FLE). In history it is one letter, reused by other tracks on other days: never use it as a
   * venue key.
   */
  venueMnemonic: string;
  raceType: TabRaceType;
  meetingDate: string;
  weatherCondition?: string | null;
  trackCondition?: string | null;
  railPosition?: string | null;
  sellCode?: { meetingCode: string; scheduledType: string };
  races: TabRaceStub[];
  _links?: TabLinks;
}

export interface TabRaceStub {
  raceNumber: number;
  raceName?: string | null;
  /** UTC ISO; moves with delays. */
  raceStartTime: string;
  /** Normal and Open mean open; Closed; Paying is the end state; Abandoned. Accept others. */
  raceStatus: string;
  raceDistance?: number | null;
  hasFixedOdds?: boolean;
  hasParimutuel?: boolean;
  /**
   * By finishing position, four slots. Several numbers in a slot are a dead heat, and the slots that they use up are
   * empty.
   */
  results?: number[][];
  scratchings?: TabScratching[];
  broadcastChannel?: string | null;
  _links?: TabLinks;
}

export interface TabScratching {
  runnerNumber: number;
  runnerName: string;
  bettingStatus: string;
}

/** `/v1/tab-info-service/racing/dates/{day}/meetings/{R|G|H}/{venueMnemonic}/races/{n}?jurisdiction=NSW` */
export interface TabRacecardReply extends TabRaceStub {
  meeting?: Omit<TabMeeting, 'races'>;
  raceClassConditions?: string | null;
  /** `$17760.00` */
  prizeMoney?: string | null;
  trackDirection?: string | null;
  numberOfPlaces?: number;
  /** 0 means no fixed place betting, whatever `returnPlace` shows. */
  numberOfFixedOddsPlaces?: number;
  /** May stay true after the jump while `hasFixedOdds` is false. */
  willHaveFixedOdds?: boolean;
  fixedOddsOnlineBetting?: boolean;
  allowMulti?: boolean;
  allowFixedOddsPlace?: boolean;
  allowParimutuelPlace?: boolean;
  parimutuelPlaceStatus?: string | null;
  cashOutEligibility?: string | null;
  fixedOddsUpdateTime?: string | null;
  oddsUpdateTime?: string | null;
  resultedTime?: string | null;
  substitute?: string | number | null;
  runners: TabRunner[];
  pools?: TabPool[];
  dividends?: TabDividend[];
}

export interface TabRunner {
  runnerName: string;
  runnerNumber: number;
  /** May repeat after a scratching. */
  barrierNumber?: number | null;
  riderDriverName?: string | null;
  riderDriverFullName?: string | null;
  trainerName?: string | null;
  trainerFullName?: string | null;
  /** Kilograms. */
  handicapWeight?: number | null;
  harnessHandicap?: string | null;
  /** -1 = not an apprentice. */
  claimAmount?: number | null;
  last5Starts?: string | null;
  emergency?: boolean;
  fixedOdds?: TabFixedOdds;
  parimutuel?: TabParimutuel;
}

export interface TabFixedOdds {
  /** Decimal, stake included; 0 = none. */
  returnWin: number;
  returnPlace: number;
  returnWinTime?: string | null;
  returnWinOpen?: number;
  returnWinOpenDaily?: number;
  /** Open, Scratched, LateScratched and Closed were observed; accept any. */
  bettingStatus: string;
  propositionNumber?: number;
  isFavouriteWin?: boolean;
  isFavouritePlace?: boolean;
  percentageChange?: number;
  differential?: number | null;
  allowPlace?: boolean;
  /** Newest first, about four, without the current price. */
  flucs?: { returnWin: number; returnWinTime: string }[];
  scratchedTime?: string | null;
  /** Integers, by their type cents in the dollar; only on scratched runners. 0 is a real deduction, for a long shot. */
  winDeduction?: number;
  placeDeduction?: number;
}

export interface TabParimutuel {
  /** 0 = no money yet. */
  returnWin: number;
  returnPlace: number;
  /** May differ from the fixed block: for example Scratched here and LateScratched there. */
  bettingStatus: string;
  isFavouriteWin?: boolean;
  isFavouritePlace?: boolean;
  percentageChange?: number;
}

export interface TabPool {
  /** Win Place Quinella Exacta Duet Trifecta FirstFour RunningDouble DailyDouble Treble EarlyQuaddie Quaddie Big6 */
  wageringProduct: string;
  legNumber?: number;
  legs?: TabLeg[];
  poolTotal?: number;
  /** Open, Closed, Paying. */
  poolStatusCode?: string;
  jackpot?: number;
  substitute?: string | number | null;
}

interface TabLeg {
  legNumber: number;
  raceNumber: number;
  venueMnemonic: string;
  raceType: TabRaceType;
  startTime: string;
}

export interface TabDividend {
  wageringProduct: string;
  /**
   * One row per paid runner for Place. A multi-leg product is on its last leg's race. A refund row may be 0 or missing.
   */
  poolDividends: { selections: (number | string)[]; amount: number }[];
}

/** `/v1/historical-results-service/{JUR}/racing/{day}`: recorded meetings of past days; no runners, no dividends. */
export interface TabHistoryReply {
  jurisdiction?: string;
  meetings: TabHistoryMeeting[];
}

interface TabHistoryMeeting extends TabMeeting {
  exoticPools?: TabExoticPool[];
}

interface TabExoticPool {
  poolStatusCode: string;
  wageringProduct: string;
  poolTotal: number;
  jackpot: number;
  /** The actual close of leg 1. */
  poolCloseTime: string;
  legs: TabLeg[];
}
