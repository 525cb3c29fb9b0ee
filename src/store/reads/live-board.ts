// The pages' reads beside the board itself: one race in any state, races that jumped, latest outcomes, and changes of a
// race's card. One statement each.
import type { Pool, QueryConfig } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { ResultRunner } from '../../domain/results/result';
import { findRaces, type LiveRace, racesOfIds } from './races/find-races';
import { IS_INTERNATIONAL } from './races/international';
import type { RaceHead, RaceName } from './races/race-window';
import { millis } from './races/runners';
import { jumpOf, shownOn } from './races/shown';
import {
  HAS_RESULTS_FEED,
  type ListedRunner,
  PLACE_COLUMNS,
  type ResultDeduction,
  type ResultPlacing,
  type Stored,
  withCard,
} from './results/results';

export interface OffRace extends RaceName, OffState {
  readonly jumped_at: Instant;
}

type OffState = Pick<RaceHead, 'market_status' | 'inplay' | 'market_closed_at' | 'inplay_at' | 'market_state_source'>;

export interface OutcomeRow extends RaceName {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly status_note: string | null;
  readonly protest: boolean;
  readonly placings: readonly ResultPlacing[];
  readonly runners: readonly ResultRunner[] | null;
  readonly places_paid: number | null;
  /** As in `ResultRow`. */
  readonly card: readonly ListedRunner[] | null;
  readonly deductions: readonly ResultDeduction[];
  readonly dividends: Readonly<Record<string, unknown>> | null;
  readonly resulted_at: Instant | null;
}

/** The last logged change of the meeting's track (A 2.9), from any source. */
interface TrackChange {
  readonly at: Instant;
  readonly previous: string;
}

/** The share of its return that a winning bet on another runner loses; null if no book reports it. */
interface CardDeduction {
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
}

/** Which races a list is of; null: any. */
export interface RacePlaces {
  readonly category: string | null;
  readonly country: string | null;
  /** Of these Australian venues. */
  readonly venueIds: readonly string[] | null;
}

/** The jump of a race, and the books of which something is read there. */
interface BookJump {
  readonly raceId: string;
  readonly bookmakers: readonly string[];
  readonly at: Instant;
}

/** At one book. */
export interface PlacePrice {
  readonly raceId: string;
  readonly bookmaker: string;
  readonly number: number;
  readonly price: number;
}

/** Of one book. */
export interface LastPoll {
  readonly raceId: string;
  readonly bookmaker: string;
  readonly atMs: number;
}

interface CardDetails {
  readonly track: TrackChange | null;
  /** Of scratched runners, by number. */
  readonly deductions: readonly CardDeduction[];
}

export interface LiveReads {
  /** One race in any state, with these books' quotes; null if there is no such race. */
  race(raceId: string, bookmakers: readonly string[]): Promise<LiveRace | null>;
  /** Races without a result that have just jumped (D63), latest first. */
  offRaces(now: Instant, limit: number, places?: RacePlaces): Promise<readonly OffRace[]>;
  /**
   * Latest start first. An abandoned race is left out until its advertised start, so that a meeting abandoned at noon
   * does not fill the page.
   */
  outcomes(now: Instant, limit: number, places?: RacePlaces): Promise<readonly OutcomeRow[]>;
  outcome(raceId: string): Promise<OutcomeRow | null>;
  /** Of these races, by start. */
  outcomesOf(raceIds: readonly string[]): Promise<readonly OutcomeRow[]>;
  /**
   * For these books and the runners that they now name: each one's place price in the last price captured up to `at`,
   * if there was one.
   */
  placesBefore(jumps: readonly BookJump[]): Promise<readonly PlacePrice[]>;
  /**
   * For those of these books whose next poll showed another price, or one less: when they were last polled up to `at`.
   */
  pollsBefore(jumps: readonly BookJump[]): Promise<readonly LastPoll[]>;
  /** Of these races in any state, with these books' quotes; unordered. */
  racesOf(raceIds: readonly string[], bookmakers: readonly string[]): Promise<readonly LiveRace[]>;
  /** Of these races, those that are archived. */
  archivedOf(raceIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** `bookmakers`: the only books, in addition to the registry, whose track reports count. */
  cardDetails(raceId: string, bookmakers: readonly string[]): Promise<CardDetails>;
}

const NAME_COLUMNS = 'r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time';

const EVERYWHERE: RacePlaces = { category: null, country: null, venueIds: null };

/** With the values of `placeValues` as $3 to $5. */
const IN_PLACES = `($3::text IS NULL OR r.category = $3) AND ($4::text IS NULL OR r.country = $4)
      AND ($5::text[] IS NULL OR (r.venue_id = ANY ($5) AND COALESCE(r.country, 'AU') = 'AU'))`;

const placeValues = ({ category, country, venueIds }: RacePlaces) => [category, country, venueIds];

const OFF = {
  name: 'off-races',
  text: `SELECT ${NAME_COLUMNS}, ${jumpOf('r')} AS jumped_at,
      r.market_status, r.inplay, r.market_closed_at, r.inplay_at, r.market_state_source
    FROM races r
    WHERE r.left_board_at IS NULL AND ${shownOn('justJumped', 'r', '$1')}
      AND r.start_time >= $1::timestamptz - interval '70 minutes' AND r.start_time < $1::timestamptz + interval '1 hour'
      AND NOT EXISTS (SELECT FROM race_results x WHERE x.race_id = r.race_id) AND ${IN_PLACES}
    ORDER BY 7 DESC, r.race_id LIMIT $2`,
};

const OUTCOME_COLUMNS = `${NAME_COLUMNS}, x.status, x.status_note, x.protest, x.placings, x.runners, x.dividends,
  x.deductions, x.resulted_at, ${PLACE_COLUMNS}`;

const OUTCOMES = {
  name: 'latest-outcomes',
  text: `SELECT ${OUTCOME_COLUMNS} FROM races r JOIN race_results x USING (race_id)
    WHERE r.start_time >= $1::timestamptz - interval '1 day' AND r.start_time < $1::timestamptz + interval '1 day'
      AND ${HAS_RESULTS_FEED} AND (r.start_time <= $1 OR x.status <> 'abandoned') AND ${IN_PLACES}
    ORDER BY r.start_time DESC, r.race_id LIMIT $2`,
};

const OUTCOME = {
  name: 'race-outcome',
  text: `SELECT ${OUTCOME_COLUMNS} FROM races r JOIN race_results x USING (race_id) WHERE r.race_id = $1 AND ${HAS_RESULTS_FEED}`,
};

const OUTCOMES_OF = {
  name: 'race-outcomes',
  text: `SELECT ${OUTCOME_COLUMNS} FROM races r JOIN race_results x USING (race_id)
    WHERE r.race_id = ANY ($1) AND ${HAS_RESULTS_FEED} ORDER BY r.start_time, r.race_id`,
};

/** The books of jumps, a row each, with the values of `jumpValues`. */
const JUMPS = 'unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS j (race_id, bookmaker_key, at)';

/** The last values are the first and the last instant: only chunks around them are opened. */
function jumpValues(jumps: readonly BookJump[]): unknown[] {
  const rows = jumps.flatMap(({ raceId, bookmakers, at }) => bookmakers.map((book) => [raceId, book, at] as const));
  const instants = jumps.map(({ at }) => at).sort();
  return [...[0, 1, 2].map((column) => rows.map((row) => row[column])), instants[0], instants.at(-1)];
}

const PLACES_BEFORE = {
  name: 'places-before',
  text: `SELECT b.race_id AS "raceId", b.bookmaker_key AS bookmaker, q.number, t.place_price AS price
    FROM ${JUMPS} JOIN race_books b USING (race_id, bookmaker_key)
   CROSS JOIN LATERAL unnest(b.numbers, b.runner_keys) AS q (number, runner_key)
   CROSS JOIN LATERAL (
      SELECT p.place_price FROM price_ticks p
       WHERE p.race_id = b.race_id AND p.bookmaker_key = b.bookmaker_key AND p.runner_number = q.number
         AND p.runner_key = q.runner_key
         AND p.captured_at <= j.at AND p.captured_at > j.at - interval '1 day'
         AND p.captured_at <= $5 AND p.captured_at > $4::timestamptz - interval '1 day'
       ORDER BY p.captured_at DESC LIMIT 1) t
   WHERE t.place_price IS NOT NULL
   ORDER BY b.race_id, b.bookmaker_key, q.number`,
};

// A change names the poll before it. A price withdrawn at the instant itself does not count.
const POLLS_BEFORE = {
  name: 'polls-before',
  text: `SELECT race_id AS "raceId", bookmaker_key AS bookmaker, ${millis('max(e.seen_before)')}::double precision AS "atMs"
    FROM ${JUMPS} CROSS JOIN LATERAL (
      SELECT p.seen_before FROM price_ticks p
       WHERE p.race_id = j.race_id AND p.bookmaker_key = j.bookmaker_key
         AND p.captured_at > j.at AND p.captured_at < j.at + interval '1 day'
         AND p.captured_at > $4 AND p.captured_at < $5::timestamptz + interval '1 day'
      UNION ALL
      SELECT p.seen_before FROM price_breaks p
       WHERE p.race_id = j.race_id AND p.bookmaker_key = j.bookmaker_key
         AND p.at >= j.at AND p.at < j.at + interval '1 day'
         AND p.at >= $4 AND p.at < $5::timestamptz + interval '1 day') e
   WHERE e.seen_before <= j.at
   GROUP BY race_id, bookmaker_key ORDER BY race_id, bookmaker_key`,
};

const ARCHIVED_OF = {
  name: 'archived-of',
  text: 'SELECT race_id AS id FROM archived_races WHERE race_id = ANY ($1)',
};

const CARD_DETAILS = {
  name: 'card-details',
  text: `SELECT
      (SELECT json_build_object('at', ${millis('c.observed_at')}, 'previous', c.previous) FROM (
         SELECT t.observed_at, t.prev_track_condition AS previous
           FROM races s JOIN track_condition_changes t USING (race_id)
          WHERE (s.meeting_date, s.category, s.venue_id) = (r.meeting_date, r.category, r.venue_id) AND t.source = ANY ($2)
           AND (${IS_INTERNATIONAL}) IS NOT TRUE
         UNION ALL
         SELECT g.observed_at, g.prev_track_condition FROM registry_track_changes g
          WHERE r.category = 'horse' AND (g.meeting_date, g.venue_id) = (r.meeting_date, r.venue_id)) c
        WHERE c.previous IS NOT NULL ORDER BY c.observed_at DESC LIMIT 1) AS track,
      ARRAY(SELECT json_build_object('number', u.number, 'win', u.win_deduction, 'place', u.place_deduction)
         FROM race_runners u
        WHERE u.race_id = r.race_id AND u.scratched AND COALESCE(u.win_deduction, u.place_deduction) IS NOT NULL
        ORDER BY u.number) AS deductions
    FROM races r WHERE r.race_id = $1`,
};

interface CardDetailsRow {
  readonly track: { readonly at: number; readonly previous: string } | null;
  readonly deductions: readonly CardDeduction[];
}

async function readCardDetails(pool: Pool, raceId: string, bookmakers: readonly string[]): Promise<CardDetails> {
  const { rows } = await pool.query<CardDetailsRow>({ ...CARD_DETAILS, values: [raceId, bookmakers] });
  const { track, deductions } = rows[0] ?? { track: null, deductions: [] };
  return { track: track && { ...track, at: new Date(track.at).toISOString() }, deductions };
}

const readOutcomes = async (pool: Pool, statement: QueryConfig): Promise<readonly OutcomeRow[]> =>
  (await pool.query<Stored<OutcomeRow>>(statement)).rows.map(withCard);

export function createLiveReads(pool: Pool): LiveReads {
  return {
    race: async (raceId, bookmakers) => (await findRaces(pool, { raceId }, bookmakers))[0] ?? null,
    offRaces: async (now, limit, places = EVERYWHERE) =>
      (await pool.query<OffRace>({ ...OFF, values: [now, limit, ...placeValues(places)] })).rows,
    outcomes: (now, limit, places = EVERYWHERE) =>
      readOutcomes(pool, { ...OUTCOMES, values: [now, limit, ...placeValues(places)] }),
    outcome: async (raceId) => (await readOutcomes(pool, { ...OUTCOME, values: [raceId] }))[0] ?? null,
    outcomesOf: (raceIds) => readOutcomes(pool, { ...OUTCOMES_OF, values: [raceIds] }),
    placesBefore: async (jumps) => (await pool.query<PlacePrice>({ ...PLACES_BEFORE, values: jumpValues(jumps) })).rows,
    pollsBefore: async (jumps) => (await pool.query<LastPoll>({ ...POLLS_BEFORE, values: jumpValues(jumps) })).rows,
    racesOf: (raceIds, bookmakers) => racesOfIds(pool, raceIds, bookmakers),
    async archivedOf(raceIds) {
      const { rows } = await pool.query<{ id: string }>({ ...ARCHIVED_OF, values: [raceIds] });
      return new Set(rows.map(({ id }) => id));
    },
    cardDetails: (raceId, bookmakers) => readCardDetails(pool, raceId, bookmakers),
  };
}
