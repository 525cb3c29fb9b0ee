// TABtouch racing on the wire: a JSON list and a race page, public, unofficial, no key. The page has its race card
// twice: rendered, and as `var model = {…};`. Sources: public client code and notes (April to September 2026).
// Confidence is medium for the two addresses and for the rendered parts, low for the model's names. Undocumented, so
// not typed: the model's keys for name, number, scratched and status; start times; barrier, rider, trainer; results;
// and the country of an overseas meeting, which the list lacks.

/** A row of `/api/raceinfo/nextraces`, a top-level array of upcoming races, perhaps not the whole day. */
export interface TabTouchNextRace {
  /** The meeting's code; in lower case it is the second-to-last part of the race page's path. */
  meetingId: string;
  /** The venue, up to the first comma. */
  groundDescription: string;
  /** Ends in `/{raceNumber}`. The page of a race is `/racing/{YYYY-MM-DD}/{code}/{raceNumber}`. */
  url: string;
  isRaces: boolean;
  isTrots: boolean;
  isDogs: boolean;
  hasSpecialOffer?: boolean;
}

/** Selectors of the rendered page. A page whose betting is closed uses the same classes for deductions. */
export const TABTOUCH_HOOKS = {
  /** `Dividends as at: 14:03:21` while open; `Betting closed: … Dividends official: …` afterwards. */
  state: '.dividends-as-at',
  name: 'td.acceptor',
  /** In the runner's row. The favourite's text is `Favourite2.75`. */
  win: '.fixed.win .dividend',
} as const;

/** The model: its leg is the page's race number. */
export interface TabTouchModel {
  pool: { legs: { raceNumber: number; starters: TabTouchStarter[] }[] };
}

/** The unit is undocumented, presumably dollars. */
interface TabTouchStarter {
  fixedWinDiv: number | string | null;
  fixedPlaceDiv: number | string | null;
}
