// Entain affiliates racing API v1 on the wire (Ladbrokes AU, Neds AU; TAB NZ serves a superset): GET, JSON, open
// schema. Sources: official docs, the OpenAPI 1.0.0 document of the TAB NZ deployment, replies recorded 2025-07-17 (NZ)
// and 2026-08-28 (AU). They agree, so confidence is high. `?` marks a field seen missing, or present only on newer and
// NZ deployments. Types vary between replies: check each one.

/** Wraps every reply, errors included (400, 404, 429, 500, 503: header only, with `error`). */
interface EntainHeader {
  title: string;
  /** RFC 3339 with nanoseconds. The only timestamp of a price: prices have no "last updated" of their own. */
  generated_time: string;
  url: string;
  error?: string;
  error_code?: string;
}

interface EntainReply<Data, Params = Record<string, unknown>> {
  header: EntainHeader;
  params: Params;
  data: Data;
}

/** `/racing/meetings?date_from&date_to&category&country&limit&offset` and `/racing/meetings/{id}` (an array of one). */
export type EntainMeetingsReply = EntainReply<{ meetings: EntainMeeting[] }>;

export type EntainCategory = 'T' | 'H' | 'G';

export interface EntainMeeting {
  /** Id, shared by all brands. */
  meeting: string;
  name: string;
  /** Local race day at T00:00:00Z. Never derive the day from a start time. */
  date: string;
  category: EntainCategory;
  category_name: string;
  /** AUS ARG CA CHI DEU FR HK IND IRE JPN KOR NOR NZ PER SAF SGP SWE UK URY USA, and TUR observed. */
  country: string;
  state: string;
  /** Glued (`Good4`), bare (`Synthetic`) or "". */
  track_condition: string;
  races: EntainRaceStub[];
  quaddie?: number[];
  early_quaddie?: number[];
  daily_double?: number[];
  treble?: number[];
  tote_running_double?: number[];
  tote_treble?: number[];
  tote_meeting_number?: number;
  tote_status?: string;
  tote_raceday_date?: string;
  video_channels?: string[];
}

export interface EntainRaceStub {
  /** Event id, shared by all brands. */
  id: string;
  /** 0 = not a race: jockey challenge, specials, futures. */
  race_number: number;
  name: string;
  start_time: string;
  track_condition: string;
  /** Metres; 0 in older or foreign rows. */
  distance: number;
  weather: string;
  country: string;
  state: string;
  status?: EntainStatus;
  tote_start_time?: string;
  protest?: boolean;
  protest_reason?: string;
}

export type EntainStatus = 'Open' | 'Closed' | 'Live' | 'Interim' | 'Final' | 'Abandoned';

/** `/racing/list` (NZ only): not polled; typed so that its recorded reply is accounted for. */
export type EntainListReply = EntainReply<{ races: EntainListRow[]; next_page_token: string }>;

interface EntainListRow {
  id: string;
  name: string;
  number: number;
  meeting_id: string;
  advertised_start: string;
  actual_start?: string;
  protest?: boolean;
  protest_reason?: string;
  silk_url?: string;
}

/** `/racing/events/{id}`; the `with_*` extras are off unless requested. */
export type EntainEventReply = EntainReply<EntainEventData>;

export interface EntainEventData {
  race: EntainRace;
  /** Omitted, not empty, before resulting. */
  results?: EntainResult[];
  dividends?: EntainDividend[];
  substitutions?: EntainSubstitution[];
  /** Use these two, not the booleans of the same name inside a runner. */
  favourite: EntainRunner | null;
  mover: EntainRunner | null;
  runners: EntainRunner[];
  derivatives: EntainRunner[] | null;
  tote_pools?: Record<string, unknown>[];
  money_tracker?: Record<string, unknown>;
  big_bets?: unknown[] | null;
  live_bets?: unknown[] | null;
  biggest_bet?: unknown;
  /** Empty without an error. */
  error?: string;
}

export interface EntainRace {
  event_id: string;
  meeting_id: string;
  /** Normalised, e.g. `Rosehill`. */
  meeting_name: string;
  /** With the sponsor. */
  display_meeting_name: string;
  status: EntainStatus;
  description: string;
  /** Unix seconds. `actual_start` equals it until the jump. */
  advertised_start: number;
  actual_start: number;
  advertised_start_string: string;
  actual_start_string: string;
  race_number: number;
  type: EntainCategory;
  start_type?: string;
  country: string;
  state: string;
  distance: number;
  /** No fixed case or spelling: FINE, Fine, OCAST, Overcast, SHWRY, Mostly-Cloudy. */
  weather: string;
  track_condition: string;
  track_direction?: string;
  track_surface?: string;
  rail_position?: string;
  group?: string;
  class?: string;
  /** `1st` … and `total_value`, whole AUD. */
  prize_monies?: Record<string, number>;
  /** Includes scratched. */
  entrant_count: number;
  /** Excludes scratched. */
  field_size?: number;
  /** Falls to 2 after scratchings. */
  positions_paid?: number;
  comment?: string;
  tips?: string[] | null;
  silk_url?: string;
  video_channels_meta?: Record<string, unknown>;
  race_date_nz?: string;
  start_time_nz?: string;
  protest?: boolean;
  protest_reason?: string;
}

interface EntainOdds {
  fixed_win?: number;
  fixed_place?: number;
  /** TAB NZ only: the pool's estimated dividend now. */
  pool_win?: number;
  pool_place?: number;
}

interface EntainDeduction {
  /** Fractions of the dollar, e.g. 0.05. */
  win: number;
  place: number;
}

export interface EntainFluc {
  /** Documented as nanoseconds, sent as RFC 3339 with nanoseconds. */
  timestamp: string | number;
  fluc: number;
}

/** The reply also has form, silks, speed maps and past performances, which are not read. */
export interface EntainRunner {
  entrant_id: string;
  /** Normally `Final Field`. */
  market_name: string;
  primary_market: boolean;
  name: string;
  runner_number: number;
  barrier: number;
  /** Scratched runners stay in the list and keep their last odds. */
  is_scratched: boolean;
  /** Unix seconds, 0 = none. */
  scratch_time?: number;
  scr_time?: string | null;
  odds?: EntainOdds;
  /** About the last six prices, not a change log. */
  flucs?: number[];
  flucs_with_timestamp?: {
    last_six?: EntainFluc[];
    open?: EntainFluc;
    high?: EntainFluc;
    low?: EntainFluc;
    nine_am?: EntainFluc;
  };
  /** Only on scratched runners. The OpenAPI document also names `deductions`. */
  deduction?: EntainDeduction;
  deductions?: EntainDeduction;
  jockey?: string;
  apprentice_indicator?: string;
  allowance_weight?: string;
  trainer_name?: string;
  trainer_location?: string;
  weight?: { allocated: string; total: string };
  age?: number;
  sex?: string;
  colour?: string;
  prize_money?: string;
  /** `6x12022x79`, x = spell. */
  last_twenty_starts?: string;
  sire?: string;
  dam?: string;
  gear?: string;
  owners?: string;
  form_comment?: string | null;
  favourite?: boolean;
  mover?: boolean;
  is_emergency?: boolean;
  is_late_scratched?: boolean;
  emergency_position?: string;
  horse_id?: number;
}

export interface EntainResult {
  /** Repeated in a dead heat. */
  position: number;
  runner_number: number;
  barrier: number;
  name: string;
  entrant_id: string;
  margin_length: number;
  positional_margin?: string;
  winning_time?: number;
  time_ran?: number;
}

export interface EntainDividend {
  id: string;
  /** VIC, NSW, QLD, UNKNOWN; on the NZ site only NZ. */
  tote: string;
  /** AU: Tote Win, Tote Place, Quinella, Exacta, Trifecta, First Four, Daily Double, … NZ: Pool Win, Pool First4, … */
  product_name: string;
  /** The same product may appear twice, once of each. */
  status: 'Interim' | 'Final';
  /** Per $1, stake included. */
  dividend: number;
  pool_size: number;
  jackpot_size: number;
  /** A place row always has position 1; on a multi-leg row the position is the leg's ordinal. */
  positions: { runner_number: number; position: number }[];
  description: string;
}

interface EntainSubstitution {
  entrant_id: string;
  tote: string;
  product_name: string;
}
