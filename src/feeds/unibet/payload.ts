// Unibet AU racing on the wire: persisted GraphQL by GET, anonymous, unofficial. Not its Kambi sports feed, whose odds
// are thousandths. Sources: a public spec probed live in June and July 2026, and a browser extension of September 2026.
// Confidence is high for meetings and win prices, low for the rest. Undocumented, so not typed: the label of place
// bets, tote, jockey, trainer, weight, results, dividends, deductions, and every status but those named here.

/**
 * `extensions`, as JSON text. A query is identified only by its hash, and hashes change when the site's bundle ships.
 */
export interface UnibetExtensions {
  persistedQuery: { version: 1; sha256Hash: string };
}

export type UnibetRaceType = 'T' | 'G' | 'H';

/** `MeetingsByDateRange`. Both stamps end in `T00:00:00.000Z`. */
export interface UnibetMeetingsVariables {
  startDateTime: string;
  endDateTime: string;
  /** One ISO alpha-3 code, `AUS` or `NZL`: an array, or `NZ`, returns nothing. */
  countryCodes: string;
  clientCountryCode: 'AU';
  raceTypes: UnibetRaceType[];
}

/** `EventQuery`. The meaning of `fetchTRC` is undocumented. */
export interface UnibetEventVariables {
  clientCountryCode: 'AU';
  eventKey: string;
  fetchTRC: false;
}

/** HTTP 200 may carry `errors`. */
interface UnibetReply<Viewer> {
  data?: { viewer: Viewer } | null;
  errors?: UnibetError[];
}

/**
 * `PERSISTED_QUERY_NOT_FOUND` is intermittent (2026-07-07: cache nodes without the query); it is undocumented which of
 * the two fields has it.
 */
interface UnibetError {
  message?: string;
  extensions?: { code?: string };
}

export type UnibetMeetingsReply = UnibetReply<{ meetingsByDateRange: UnibetMeeting[] }>;

export interface UnibetMeeting {
  name: string;
  raceType: UnibetRaceType;
  events: UnibetEventStub[];
}

interface UnibetEventStub {
  /** `202609150100.G.AUS.angle_park.1`: opaque, because the zone of its time is undocumented. */
  eventKey: string;
  /** The race number. */
  sequence: number;
  eventDateTimeUtc: string;
}

export type UnibetEventReply = UnibetReply<{ event: UnibetEvent | null }>;

/** The reply has neither race id nor start. */
interface UnibetEvent {
  /** Only `Open` was observed. */
  status?: 'Open' | (string & {}) | null;
  competitors: UnibetCompetitor[];
}

export interface UnibetCompetitor {
  /** An empty box is a competitor named `Vacant Box`. */
  name: string;
  status: 'Starter' | 'Scratched' | (string & {});
  /** Dogs: the rug. For horses, the saddlecloth by inference only. */
  sequence?: number;
  /** Dogs: the box, 0 means none. For horses, the barrier by inference only. */
  startPos?: number;
  /** Always null. */
  price: null;
  prices: UnibetPrice[];
}

/** Decimal odds. */
interface UnibetPrice {
  betType: 'FixedWin' | (string & {});
  price: number | null;
  flucs?: { productType: 'Current' | (string & {}); price: number }[];
}
