// What was written since an instant (A 2.8). A client that continues from `settledMs` never misses a write, however
// late it commits. Proof: every mark is made by the database's clock after its writer locked the marked table. The
// first statement lists the open writers, the second reads a newer snapshot. A write that this snapshot does not show
// either had its lock at the first statement, and then `settledMs` is not later than the start of its transaction; or
// it locked afterwards, and then its mark is not earlier than the first statement. Either way its mark is not earlier
// than `settledMs`, and the next query finds it. Never swap or join the two statements: one statement has one snapshot,
// taken before anything else.
import type { ClientBase, Pool } from 'pg';
import type { Category, Instant } from '../../../domain/race/race';
import { databaseAway } from '../../../errors';
import { domesticColumns } from './international';
import { countryPasses, type RaceHead } from './race-window';
import { millis, type RunnerRow, type RunnerTuple, runnerOf, runnersColumn } from './runners';
import { shownOn } from './shown';

/** Marks are the database's clock, epoch milliseconds. */
export interface ChangesQuery {
  /** Race time: the instant at which races must be in view for their changes to be delivered (D63). */
  readonly at: Instant;
  readonly sinceMs: number;
  /** Nothing is read for a `sinceMs` that is older than this, or further ahead. */
  readonly oldestMs: number;
  readonly aheadMs: number;
  readonly categories?: readonly Category[];
  readonly countries?: readonly string[];
  readonly includeUnresolved: boolean;
  readonly bookmakers: readonly string[];
}

/** One book's prices on one runner, as they stand now. */
export interface ChangedQuote {
  readonly name: string;
  readonly number: number;
  readonly bookmaker: string;
  readonly sourceUrl: string | null;
  readonly win: number | null;
  readonly place: number | null;
  readonly top2: number | null;
  readonly top3: number | null;
  readonly top4: number | null;
  /** Race time: the poll that last changed the win price. */
  readonly changedAtMs: number | null;
  /** The database's clock: the runner came back, was renumbered or went, later than its price. */
  readonly turnedAtMs: number | null;
  /** Race time: the book's last change on any runner of the race. */
  readonly bookChangedAtMs: number | null;
}

type ChangedHead = Pick<
  RaceHead,
  | 'race_id'
  | 'venue'
  | 'race_number'
  | 'category'
  | 'country'
  | 'start_time'
  | 'market_status'
  | 'inplay'
  | 'market_closed_at'
  | 'inplay_at'
  | 'market_state_source'
  | 'track_condition_changed_at'
  | 'track_condition'
  | 'weather'
>;

export interface ChangedRace extends ChangedHead {
  /** The race or one of its names was written, not only prices, and it was in view before. */
  readonly rewritten: boolean;
  readonly scratched: readonly RunnerRow[];
  readonly quotes: readonly ChangedQuote[];
}

export interface Changes {
  readonly nowMs: number;
  /** Every write that is not in `races` has this mark or a later one. */
  readonly settledMs: number;
  /** Null: not read, because `sinceMs` is too old or too far ahead. */
  readonly races: readonly ChangedRace[] | null;
}

/**
 * Every writer of a marked table holds this lock until it commits. `unseen`: the start of a writer's transaction is
 * hidden from us.
 */
const SETTLED = {
  name: 'changes-settled',
  text: `SELECT ${millis('statement_timestamp()')}::float8 AS "nowMs",
      ${millis('least(statement_timestamp(), min(a.xact_start))')}::float8 AS "settledMs",
      coalesce(bool_or(l.pid IS NULL OR (a.pid IS NOT NULL AND coalesce(a.state, 'disabled') = 'disabled')), false) AS unseen,
      pg_is_in_recovery() AS standby
    FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND l.relation IN ('races'::regclass, 'race_books'::regclass, 'race_names'::regclass, 'race_book_cards'::regclass,
        'betslip_checks'::regclass)`,
};

/**
 * `at`: since when. The second bound is always true, but without it the generic plan expects a third of the table and
 * reads all of it.
 */
export const since = (mark: string, at = '$1'): string => `(${mark} >= ${at} AND ${mark} <= 'infinity')`;

/** Only if newer than the price: a price that moved later has its own stamp. */
const TURNED = `CASE WHEN n.again AND n.written_at > coalesce(q.written_at, '-infinity') THEN ${millis('n.written_at')} END`;
const BOOK_CHANGED = millis('(SELECT max(at) FROM unnest(b.win_changed_at) at)');

/** For race `r`: prices that moved at `t.books`, and all books' prices of a runner or race that came into view. */
const QUOTED = `
  SELECT n.state, n.name, n.number, b.bookmaker_key, json_build_array(n.name, n.number, b.bookmaker_key, b.source_url,
           q.win, q.place, q.top2, q.top3, q.top4, ${millis('q.changed_at')}, ${TURNED}, ${BOOK_CHANGED}) AS quote
    FROM race_books b
    CROSS JOIN LATERAL unnest(b.numbers, b.win, b.place, b.top2, b.top3, b.top4, b.win_changed_at, b.win_written_at)
      AS q (number, win, place, top2, top3, top4, changed_at, written_at)
    JOIN race_names n ON n.race_id = b.race_id AND n.number = q.number AND n.state = 'running'
   WHERE b.race_id = r.race_id AND b.bookmaker_key = ANY (CASE WHEN turned.any THEN $2 ELSE t.books END)
     AND (q.written_at >= $1
          OR ((n.written_at >= $1 OR r.shown_written_at >= $1) AND (n.again OR q.changed_at IS NOT NULL)))`;

/** Names that went or were renumbered: books no longer quote the old pair of name and number. */
const UNQUOTED = `
  SELECT n.state, n.name, n.number, b.bookmaker_key, json_build_array(n.name, n.number, b.bookmaker_key, b.source_url,
           NULL, NULL, NULL, NULL, NULL, NULL, ${millis('n.written_at')}, ${BOOK_CHANGED}) AS quote
    FROM race_names n JOIN race_books b USING (race_id)
   WHERE turned.any AND n.race_id = r.race_id AND b.bookmaker_key = ANY ($2) AND b.polled_at IS NOT NULL
     AND n.again AND (n.written_at >= $1 OR r.shown_written_at >= $1)
     AND (n.state = 'gone' OR (n.state = 'running' AND n.number <> ALL (b.numbers)))`;

// Race by race, each by its key (OFFSET 0 keeps it so): the tables contain weeks, and the changes are few.
export const CHANGES = {
  name: 'changes',
  text: `WITH touched AS MATERIALIZED (
      SELECT race_id, array_agg(book) AS books FROM (
        SELECT race_id, NULL AS book FROM races r WHERE r.left_board_at IS NULL AND ${since('r.written_at')}
        UNION ALL
        SELECT race_id, bookmaker_key FROM race_books b WHERE ${since('b.moved_written_at')} AND b.bookmaker_key = ANY ($2)
      ) written GROUP BY race_id)
    SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, r.market_status, r.inplay,
      r.market_closed_at, r.inplay_at, r.market_state_source,
      r.written_at >= $1 AND coalesce(r.shown_written_at < $1, true) AS rewritten,
      ${domesticColumns('track_condition_changed_at', 'track_condition', 'weather')},
      ${runnersColumn('u.scratched')} AS scratched,
      (SELECT json_agg(quote ORDER BY state, number, name, bookmaker_key) FROM (${QUOTED} UNION ALL ${UNQUOTED}) q) AS quotes
    FROM touched t
    CROSS JOIN LATERAL (SELECT * FROM races r WHERE r.race_id = t.race_id OFFSET 0) r
    CROSS JOIN LATERAL (
      -- Every write of a name writes its race too.
      SELECT r.written_at >= $1 AND (r.shown_written_at >= $1
          OR EXISTS (SELECT FROM race_names n WHERE n.race_id = r.race_id AND n.written_at >= $1)) AS any OFFSET 0) turned
    WHERE ${shownOn('listed', 'r', '$6')}
      AND ($3::text[] IS NULL OR r.category = ANY ($3))
      AND ${countryPasses('$4', '$5')}
    ORDER BY r.start_time, r.race_id`,
};

type QuoteTuple = [
  string,
  number,
  string,
  string | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
  number | null,
];

type Row = ChangedHead & { rewritten: boolean; scratched: RunnerTuple[] | null; quotes: QuoteTuple[] | null };

/** The database's clock, epoch milliseconds. */
export interface Settlement {
  readonly nowMs: number;
  readonly settledMs: number;
}

interface Settled extends Settlement {
  readonly unseen: boolean;
  readonly standby: boolean;
}

/**
 * The first of the two statements. Every write that a later statement does not see has the mark `settledMs` or a later
 * one.
 */
export async function readSettled(client: Pool | ClientBase): Promise<Settlement> {
  const { rows } = await client.query<Settled>(SETTLED);
  const { nowMs, settledMs, unseen, standby } = rows[0]!;
  // The writers are on the primary, where this session cannot see them.
  if (standby) throw databaseAway('The database of this API process is a standby, which cannot list changes.');
  if (unseen)
    throw new Error(
      'reading changes needs to see other sessions: grant pg_read_all_stats and turn track_activities on',
    );
  return { nowMs, settledMs };
}

/** Races by start, then id; in each the names that went first, then runners by number. */
export async function readChanges(pool: Pool, query: ChangesQuery): Promise<Changes> {
  const { nowMs, settledMs } = await readSettled(pool);
  const { sinceMs, oldestMs, aheadMs } = query;
  if (sinceMs < nowMs - oldestMs || sinceMs > nowMs + aheadMs) return { nowMs, settledMs, races: null };
  return { nowMs, settledMs, races: await readSince(pool, query) };
}

async function readSince(pool: Pool, query: ChangesQuery): Promise<readonly ChangedRace[]> {
  const { at, sinceMs, bookmakers, categories, countries, includeUnresolved } = query;
  const from = new Date(Math.floor(sinceMs)).toISOString();
  const values = [from, bookmakers, categories ?? null, countries ?? null, includeUnresolved, at];
  const { rows } = await pool.query<Row>({ ...CHANGES, values });
  return rows.map(({ scratched, quotes, ...head }) => ({
    ...head,
    scratched: (scratched ?? []).map(runnerOf),
    quotes: (quotes ?? []).map(quoteOf),
  }));
}

function quoteOf(tuple: QuoteTuple): ChangedQuote {
  const [name, number, bookmaker, sourceUrl, win, place, top2, top3, top4, changedAtMs, turnedAtMs, bookChangedAtMs] =
    tuple;
  const prices = { win, place, top2, top3, top4 };
  return { name, number, bookmaker, sourceUrl, ...prices, changedAtMs, turnedAtMs, bookChangedAtMs };
}
