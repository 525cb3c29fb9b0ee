// PointsBet racing on the wire: GET, JSON, anonymous, unofficial. This is the book that closes at the real jump (D20).
// Known: public client notes, shapes probed May to September 2026; the meetings list medium-high, the race reply only in part.
// Nothing is invented: no field beyond those notes is typed, and no unpriced or place price is guessed at.

/** `/api/racing/v4/meetings?startDate&endDate`: a top-level array of date groups. */
export type PointsBetMeetingsReply = PointsBetDateGroup[];

/** The group's own key is not documented; only `meetings` is read. */
export interface PointsBetDateGroup {
  meetings: PointsBetMeeting[];
}

export interface PointsBetMeeting {
  meetingId: string | number;
  venue: string;
  /** ISO 3166 alpha-3 as documented: `AUS`. */
  countryCode: string;
  /** 1 thoroughbred, 2 harness, 3 and 4 greyhound. */
  racingType: number;
  races: PointsBetRaceStub[];
}

export interface PointsBetRaceStub {
  raceId: string | number;
  raceNumber: number;
  name?: string;
  advertisedStartDateTimeUtc: string;
  /** 0 = open. What the other numbers mean is not documented. */
  resultStatus: number;
}

/**
 * `/api/racing/v3/races/{raceId}`. That the list row's own fields (`raceId`, `raceNumber`, `advertisedStartDateTimeUtc`, `resultStatus`)
 * are repeated here is our reading; each is optional, and missing means unknown.
 */
export interface PointsBetRaceReply {
  raceId?: string | number;
  raceNumber?: number;
  name?: string;
  advertisedStartDateTimeUtc?: string;
  resultStatus?: number;
  runners: PointsBetRunner[];
  /** Once resulted: the winners with their settled fixed prices. */
  results?: PointsBetResults;
}

/**
 * `/api/racing/v3/races?raceIds=a,b`: a top-level array of the same races, each with its `raceId` (the source's batch row, June 2026;
 * high for the array, low for the rest). Its order, what becomes of an id it does not know and how many ids it takes are not documented.
 */
export type PointsBetRacesReply = (PointsBetRaceReply & { raceId: string | number })[];

export interface PointsBetRunner {
  /** One or the other, by reply version. */
  number?: number;
  runnerNumber?: number;
  runnerName: string;
  isScratched: boolean;
  fluctuations?: PointsBetFluctuations;
}

/** Fixed win prices, decimal. More keys exist and are not documented. A place price is documented nowhere in `runners`. */
interface PointsBetFluctuations {
  open?: number;
  current?: number;
}

interface PointsBetResults {
  winners?: PointsBetWinner[];
}

/** What names the runner in an outcome is not documented, so no placing is read from it. */
interface PointsBetWinner {
  outcome?: { fixedPrices?: PointsBetFixedPrice[] };
}

/** `betType` WIN or PLC; the price's own key is not documented. */
interface PointsBetFixedPrice {
  betType: 'WIN' | 'PLC' | (string & {});
}
