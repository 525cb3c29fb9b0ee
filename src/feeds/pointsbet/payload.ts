// PointsBet racing on the wire: GET, JSON, anonymous, unofficial. This is the book that closes at the real jump (D20).
// Sources: public client notes, shapes probed May to September 2026; confidence is medium-high for the meetings list,
// partial for the race reply. No field beyond those notes is typed, and no unpriced or place price is guessed.

/** `/api/racing/v4/meetings?startDate&endDate`: a top-level array of date groups. */
export type PointsBetMeetingsReply = PointsBetDateGroup[];

/** The group's own key is undocumented; only `meetings` is read. */
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
  /** 0 is open. Other values are undocumented. */
  resultStatus: number;
}

/**
 * `/api/racing/v3/races/{raceId}`. We assume that it repeats the list row's own fields (`raceId`, `raceNumber`,
 * `advertisedStartDateTimeUtc`, `resultStatus`); each is optional, and missing means unknown.
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
 * `/api/racing/v3/races?raceIds=a,b`: a top-level array of the same races, each with its `raceId` (one source, June
 * 2026; confidence is high for the array, low for the rest). Order, unknown ids and the limit of ids are undocumented.
 */
export type PointsBetRacesReply = (PointsBetRaceReply & { raceId: string | number })[];

export interface PointsBetRunner {
  /** Either of the two, depending on the reply's version. */
  number?: number;
  runnerNumber?: number;
  runnerName: string;
  isScratched: boolean;
  fluctuations?: PointsBetFluctuations;
}

/** Fixed win prices, decimal. Other keys exist but are undocumented, as is any place price in `runners`. */
interface PointsBetFluctuations {
  open?: number;
  current?: number;
}

interface PointsBetResults {
  winners?: PointsBetWinner[];
}

/** No placing is read from this: how an outcome identifies its runner is undocumented. */
interface PointsBetWinner {
  outcome?: { fixedPrices?: PointsBetFixedPrice[] };
}

/** `betType` is WIN or PLC; the price's own key is undocumented. */
interface PointsBetFixedPrice {
  betType: 'WIN' | 'PLC' | (string & {});
}
