// BlackStream on the wire (BetDeluxe and other brands of the same company, all with the same prices): GET, JSON,
// anonymous, unofficial. Sources: public client notes, shapes checked live from January to September 2026; no recorded
// reply. The racecard has nothing proven for saddlecloth, start, place, barrier, riders, weights, totes, deductions or
// results. No field beyond those notes is typed.

/** Wraps every reply. HTTP 200 with `code: "ValidationError"` and `data: []` is a refusal: check `code` first. */
export interface BlackStreamEnvelope<T> {
  code: 'Success' | 'ValidationError' | (string & {});
  message: string;
  data: T | never[];
}

/**
 * `/api/racing/v1/schedule?startDateTime&endDateTime&topfouroutcomes=true`: all codes and countries of a window of at
 * most a day.
 */
export interface BlackStreamSchedule {
  thoroughbred?: BlackStreamMeeting[];
  greyhounds?: BlackStreamMeeting[];
  trots?: BlackStreamMeeting[];
}

export interface BlackStreamMeeting {
  venue: string;
  meetId: number;
  /** ISO 3166 alpha-3. Only `AUS` was observed live, never `NZL`. */
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
    /** 1 (open) and 5 (resulted) were observed; other values are undocumented. */
    status: number;
    runners: BlackStreamRunner[];
  };
}

interface BlackStreamRunner {
  /** Unproven and not used: two clients print it as the saddlecloth, a third reads that elsewhere. */
  outcomeId: number;
  runnerName: string;
  isScratched: boolean;
  /**
   * Decimal, oldest first, without times: the last is the current price. 0 or empty means no price; a scratched runner
   * ends in 0.
   */
  winPrices: number[];
}
