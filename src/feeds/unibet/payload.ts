// Unibet AU racing on the wire: persisted GraphQL by GET, anonymous, unofficial. Not its Kambi sports feed, whose odds are thousandths.
// Known: a public spec probed live in June and July 2026 and a browser extension of September 2026; high for meetings and win prices, low for
// the rest. Not known, so not typed: the label of place bets, tote, jockey, trainer, weight, results, dividends, deductions, and every
// word of status but those named here.

/** `extensions`, as JSON text. A query is only known by its hash; hashes change when the site's bundle ships. */
export interface UnibetExtensions {
  persistedQuery: { version: 1; sha256Hash: string };
}

export type UnibetRaceType = 'T' | 'G' | 'H';

/** `MeetingsByDateRange`. Both stamps end in `T00:00:00.000Z`. */
export interface UnibetMeetingsVariables {
  startDateTime: string;
  endDateTime: string;
  /** One ISO alpha-3 code, `AUS` or `NZL`: an array, or `NZ`, answers nothing. */
  countryCodes: string;
  clientCountryCode: 'AU';
  raceTypes: UnibetRaceType[];
}

/** `EventQuery`. What `fetchTRC` asks for is not documented. */
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

/** `PERSISTED_QUERY_NOT_FOUND` comes and goes (2026-07-07: cache nodes without the query); in which of the two it stands is not documented. */
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
  /** `202609150100.G.AUS.angle_park.1`: opaque, since whose time its stamp is was never said. */
  eventKey: string;
  /** The race number. */
  sequence: number;
  eventDateTimeUtc: string;
}

export type UnibetEventReply = UnibetReply<{ event: UnibetEvent | null }>;

/** The reply names neither race nor start. */
interface UnibetEvent {
  /** What follows `Open` was never observed. */
  status?: 'Open' | (string & {}) | null;
  competitors: UnibetCompetitor[];
}

export interface UnibetCompetitor {
  /** An empty box is a competitor named `Vacant Box`. */
  name: string;
  status: 'Starter' | 'Scratched' | (string & {});
  /** Dogs: the rug. That it is the saddlecloth of a horse is an inference. */
  sequence?: number;
  /** Dogs: the box, 0 = none. That it is the barrier of a horse is an inference. */
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
