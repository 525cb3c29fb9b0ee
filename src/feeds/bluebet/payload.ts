// The BlueBet platform on the wire: PascalCase at Betr, camelCase at BetRight (same origin, a newer API). GET, JSON,
// anonymous. Sources: public client notes, probed live from January to August 2026; confidence is high for list and
// prices. A race reply has no start, barrier, riders, weights, deductions, totes or results. No field beyond those
// notes is typed.

/** Betr, `/GroupedRaceCard?DaysToRace=0`: an array of meetings per code, each an array of races, and summary keys. */
export interface BetrGroupedRaceCard {
  Thoroughbred?: BetrRaceStub[][];
  Trots?: BetrRaceStub[][];
  Greyhounds?: BetrRaceStub[][];
}

export interface BetrRaceStub {
  EventId: number;
  Venue: string;
  /** ISO 3166 alpha-3: `AUS`. */
  CountryCode: string;
  RaceNumber: number;
  EventName: string;
  /** UTC with seven fractional digits: `2026-01-08T05:00:00.0000000Z`. */
  AdvertisedStartTime: string;
  IsOpenForBetting: boolean;
}

/** Betr, `/Race?eventId=`. Whether it repeats the list's `IsOpenForBetting` is undocumented: missing means unknown. */
export interface BetrRace {
  IsOpenForBetting?: boolean;
  Outcomes: BetrOutcome[];
}

interface BetrOutcome {
  /** The saddlecloth number. */
  OutcomeId: number;
  OutcomeName: string;
  Scratched: boolean;
  FixedPrices: { MarketTypeCode: 'WIN' | 'PLC' | (string & {}); Price: number }[];
}

/** BetRight, `/Racing/GroupedRaceCard?raceDate=YYYY-MM-DD`: every country, one list per code. */
export interface BetRightGroupedRaceCard {
  thoroughbred?: BetRightMeeting[];
  trots?: BetRightMeeting[];
  greyhounds?: BetRightMeeting[];
}

export interface BetRightMeeting {
  venue: string;
  /** ISO 3166 alpha-3: `AUS`. */
  countryCode: string;
  races: BetRightRaceStub[];
}

export interface BetRightRaceStub {
  eventId: number;
  raceNumber: number;
  advertisedStartTimeUtc: string;
  isOpenForBetting: boolean;
}

/** BetRight, `/Racing/Event?eventId=`: `isOpenForBetting` was observed true while open and false after resulting. */
export interface BetRightEvent {
  isOpenForBetting: boolean;
  outcomes: BetRightOutcome[];
}

interface BetRightOutcome {
  /** The saddlecloth number. */
  outcomeId: number;
  outcomeName: string;
  /** If true, the WIN price is a meaningless 0. */
  scratched: boolean;
  fixedPrices: { marketTypeCode: 'WIN' | 'PLC' | (string & {}); price: number }[];
}
