// BlackStream (BetDeluxe and other brands of one house, all with the same prices) on the wire: GET, JSON, anonymous, unofficial.
// Known: public client notes, shapes checked live January to September 2026; no recorded reply. The racecard says nothing provable of
// saddlecloth, start, place, barrier, riders, weights, totes, deductions or results. No field beyond those notes is typed.

/** Around every reply. HTTP 200 with `code: "ValidationError"` and `data: []` is a refusal: look at `code` first. */
export interface BlackStreamEnvelope<T> {
  code: 'Success' | 'ValidationError' | (string & {});
  message: string;
  data: T | never[];
}

/** `/api/racing/v1/schedule?startDateTime&endDateTime&topfouroutcomes=true`: all codes and countries of a window of at most a day. */
export interface BlackStreamSchedule {
  thoroughbred?: BlackStreamMeeting[];
  greyhounds?: BlackStreamMeeting[];
  trots?: BlackStreamMeeting[];
}

export interface BlackStreamMeeting {
  venue: string;
  meetId: number;
  /** ISO 3166 alpha-3. Only `AUS` was seen live; `NZL` never. */
  countryCode: string;
  races: BlackStreamRaceStub[];
}

export interface BlackStreamRaceStub {
  /** The race id of the racecard's path. */
  eventId: number;
  raceNumber: number;
  raceName: string;
  advertisedStartTime: string;
  isOpenForBetting: boolean;
}

/** `/api/racing/v2/meetings/{meetId}/races/{raceId}/racecard` */
export interface BlackStreamRacecard {
  race: {
    /** 1 open and 5 resulted were seen; what else there is nobody wrote down. */
    status: number;
    runners: BlackStreamRunner[];
  };
}

interface BlackStreamRunner {
  /** Two clients print it as the saddlecloth, a third looks elsewhere for that: unproven, and not used. */
  outcomeId: number;
  runnerName: string;
  isScratched: boolean;
  /** Decimal, oldest first, untimed: the last is the price. 0 or empty is none; a scratched runner ends in 0. */
  winPrices: number[];
}
