// The BlueBet platform on the wire: Betr writes it in PascalCase, BetRight (same lineage, a newer API) in camelCase. GET, JSON, anonymous.
// Known: public client notes, probed live January to August 2026; list and prices high. A race reply says nothing of start, barrier,
// riders, weights, deductions, totes or results. Nothing is invented: no field beyond those notes is typed.

/** Betr, `/GroupedRaceCard?DaysToRace=0`: per code an array of meetings, each an array of races. Summary keys stand beside them. */
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

/** Betr, `/Race?eventId=`. That it repeats the list's `IsOpenForBetting` is not documented: missing means unknown. */
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

/** BetRight, `/Racing/Event?eventId=`: `isOpenForBetting` was seen true while open and false once resulted. */
export interface BetRightEvent {
  isOpenForBetting: boolean;
  outcomes: BetRightOutcome[];
}

interface BetRightOutcome {
  /** The saddlecloth number. */
  outcomeId: number;
  outcomeName: string;
  /** Its WIN price is then a meaningless 0. */
  scratched: boolean;
  fixedPrices: { marketTypeCode: 'WIN' | 'PLC' | (string & {}); price: number }[];
}
