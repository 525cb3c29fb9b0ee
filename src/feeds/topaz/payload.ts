// The fields of Topaz' replies that we read, with its own names. Types only: every value is checked when read
// (meeting.ts, run.ts).

/** A row of `GET /meeting`, and the head of a meeting with its races. */
export interface TopazMeeting {
  meetingId: number;
  /** `2026-11-21T00:00:00.000Z` is the calendar day; any other hour is the instant of midnight in Melbourne. */
  meetingDate: string;
  /** Includes a sponsor or the track's code: `Bet Deluxe Capalaba`, `Meadows (MEP)`. */
  trackName: string;
  trackCode: string;
  owningAuthorityCode: string;
  meetingType: string | null;
  meetingCategory: string | null;
  /** Qualifying trials, on which there is no betting. */
  isQuali: boolean | null;
  statusCode: string | null;
}

/** `GET /meeting/{id}/results`. */
export interface TopazResults extends TopazMeeting {
  races: TopazRace[];
}

export interface TopazRace {
  raceId: number;
  raceNumber: number;
  name: string | null;
  /** With its zone. */
  raceStart: string | null;
  distance: number;
  isRaceResultEntered: boolean | null;
  isAbandoned?: boolean | null;
  runs: TopazRun[];
}

export interface TopazRun {
  /** One start of one dog. A reply may repeat a run. */
  runId: number;
  /** The dog's id, for life. Ids of this API may be negative. */
  dogId: number;
  dogName: string;
  /** The number that books use; 9 and 10 are the reserves. */
  rugNumber: number;
  /** The box from which it jumped; a reserve without a start has none. */
  boxNumber: number | null;
  /** Decimal; 0 means none. `startingPrice` in some replies. */
  startPrice: number | null;
  place: number | null;
  unplaced: string | null;
  unplacedCode: string | null;
  abnormalResult: string | null;
  scratched: boolean;
  isLateScratching: boolean;
  resultTime: number | null;
  /** Seconds. The winner's is the margin by which it won. */
  resultMargin: number | null;
  /** `5.50L`, to the winner. The winner's is the margin by which it won. */
  resultMarginLengths: string | null;
  trainerName: string | null;
  weightInKg: number | null;
  /** Seconds to the first and second mark; the second is published for a fifth of the runs. */
  firstSplitTime: number | null;
  secondSplitTime: number | null;
  /** Positions in running, `1122`. */
  pir: string | null;
  /** The grade of the race, `Grade 5`. */
  raceType: string | null;
  incomingGrade: string | null;
}
