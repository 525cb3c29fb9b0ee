// Palmerbet racing on the wire: GET, JSON, anonymous, unofficial; every call has `channel=website`. A race takes two
// calls: one has the runners without prices, the other the prices without a scratched flag. Sources: public client code
// (stored excerpts of 2020 to 2026, one author saw it live about September 2026). Confidence is high for the win price,
// low for the rest. Undocumented, so not typed: place market, other price names, barrier, jockey, trainer, deductions,
// dividends, second to fourth.

/** `/fixtures/racing/{YYYY-MM-DD}/{type}`: one code on one race day, worldwide. */
export interface PalmerbetMeetingsReply {
  meetings: PalmerbetMeeting[];
}

export type PalmerbetType = 'HorseRacing' | 'GreyhoundRacing' | 'HarnessRacing';

export interface PalmerbetMeeting {
  /** Two letters; may be absent. */
  country?: string;
  /** `Mohawk - Can` for foreign venues. */
  venue: { title: string };
  races: PalmerbetRaceStub[];
}

export interface PalmerbetRaceStub {
  number: number;
  title: string;
  /** UTC, to the second: `…SSZ`. */
  startTime: string;
  status: PalmerbetStatus;
  eventId: string;
  /** The first is the race's path, with slashes possibly doubled or missing at its ends. */
  _links: { href: string }[];
}

/** No other value was observed. */
type PalmerbetStatus = 'Open' | 'Final' | (string & {});

/** `/fixtures/racing/{date}/{type}/{venue title}/{number}`. */
export interface PalmerbetRaceReply {
  race: {
    status: PalmerbetStatus;
    runners: PalmerbetRunner[];
    /** Only the ending of `type` is documented: `…Win`. */
    markets: { id: string; title: string; type: string }[];
    /** The winner's saddlecloth number, several in a dead heat; other places are undocumented. */
    result?: { first: number[] };
  };
}

interface PalmerbetRunner {
  number: number;
  name: string;
  isScratched: boolean;
}

/** `/fixtures/racing/{type}/markets/{id}`. */
export interface PalmerbetMarketReply {
  market: { outcomes: PalmerbetOutcome[] };
}

export interface PalmerbetOutcome {
  title: string;
  runnerNumber: number;
  /** `Active` can be backed. */
  status: string;
  prices: PalmerbetPrice[];
}

/** `Fixed` may lack its snapshot; other names are undocumented. */
interface PalmerbetPrice {
  name: string;
  priceSnapshot?: { current: number };
}
