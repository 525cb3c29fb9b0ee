// Reads the sources of a result, under the race's lock: the race, the stored result, the books' reports, and the
// deductions.
import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import type { Category, Instant } from '../../domain/race/race';
import { isVacantBox } from '../../domain/race/runner';
import type { FieldStatus } from '../../domain/results/field-coverage';
import type { ResultRunner } from '../../domain/results/result';
import { type BookResult, type SettledPlacing, withLastDeclared } from './merge';

export interface StoredResult {
  readonly raceId: string;
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly statusNote: string | null;
  readonly placingsKey: string;
  readonly placingsSince: Instant;
  readonly protest: boolean;
  readonly overridden: boolean;
  readonly resultedAt: Instant | null;
  readonly fieldStatus: FieldStatus;
  readonly fieldExpectedAt: Instant | null;
  /** When a scheduled collector pass last ran over the race without a field. */
  readonly fieldLastPassAt: Instant | null;
}

export interface ResultRace {
  readonly raceId: string;
  readonly category: Category;
  readonly country: string | null;
  readonly startTime: Instant;
}

/** Serialises the writers of one race's result. */
export async function lockRace(client: ClientBase, raceId: string): Promise<ResultRace> {
  const { rows } = await client.query<ResultRace>({
    name: 'result-lock-race',
    text: `SELECT race_id AS "raceId", category, country, start_time AS "startTime"
             FROM races WHERE race_id = $1 FOR NO KEY UPDATE`,
    values: [raceId],
  });
  if (!rows[0]) throw new Error(`no race ${raceId}`);
  return rows[0];
}

/**
 * The race while it is on the board at $2: its market stamps are copied. A later result or notice finds no row and
 * keeps null (A 2.2).
 */
export const LIVE_ROW = `(SELECT 1) one LEFT JOIN races r ON r.race_id = $1 AND (r.left_board_at IS NULL OR r.left_board_at > $2)`;

/** For a row that is written again: its stamps are kept. */
export const KEEP_STAMPS = `
         market_closed_at = COALESCE(stored.market_closed_at, EXCLUDED.market_closed_at),
         inplay_at = COALESCE(stored.inplay_at, EXCLUDED.inplay_at),
         market_state_source = COALESCE(stored.market_state_source, EXCLUDED.market_state_source)`;

export interface StoredResultRow extends StoredResult {
  readonly placings: readonly SettledPlacing[];
  /** The book whose prices the placings carry. */
  readonly priceSource: string | null;
  readonly runners: readonly ResultRunner[] | null;
  readonly deductions: readonly StoredDeduction[];
  readonly source: string | null;
}

const READ = `
  SELECT race_id AS "raceId", status, status_note AS "statusNote", placings_key AS "placingsKey", placings_since AS "placingsSince", protest,
         overridden,
         resulted_at AS "resultedAt", field_status AS "fieldStatus", field_expected_at AS "fieldExpectedAt",
         field_last_pass_at AS "fieldLastPassAt", placings, price_source AS "priceSource", runners, deductions, source
    FROM race_results WHERE race_id = $1`;

export async function readResult(client: Pick<ClientBase, 'query'>, raceId: string): Promise<StoredResultRow | null> {
  const { rows } = await client.query<StoredResultRow>({ name: 'result-read', text: READ, values: [raceId] });
  return rows[0] ?? null;
}

/**
 * Stores a book's report and reads those of all books, unordered. A report that is older than the stored one changes
 * nothing.
 */
export async function saveBookResult(
  client: ClientBase,
  raceId: string,
  { bookmakerKey, result }: BookResult,
  isFinal: boolean,
  at: Instant,
): Promise<readonly BookResult[]> {
  const reported = await bookResults(client, raceId);
  const before = reported.find((each) => each.bookmakerKey === bookmakerKey)?.result;
  await client.query({
    name: 'result-of-book',
    text: `INSERT INTO race_book_results AS stored (race_id, bookmaker_key, result, updated_at) VALUES ($1, $2, $3, $4)
           ON CONFLICT (race_id, bookmaker_key) DO UPDATE SET result = EXCLUDED.result, updated_at = EXCLUDED.updated_at
            WHERE stored.updated_at <= EXCLUDED.updated_at`,
    values: [raceId, bookmakerKey, JSON.stringify(withLastDeclared(result, before, isFinal)), at],
  });
  return bookResults(client, raceId);
}

export async function bookResults(client: ClientBase, raceId: string): Promise<readonly BookResult[]> {
  const { rows } = await client.query<BookResult>({
    name: 'results-of-books',
    text: 'SELECT bookmaker_key AS "bookmakerKey", result FROM race_book_results WHERE race_id = $1',
    values: [raceId],
  });
  return rows;
}

/** A book's report as it is stored. */
export interface StoredReport extends BookResult {
  /** When it was last seen. */
  readonly seenAt: Instant;
}

export async function storedReports(pool: Pool, raceId: string): Promise<readonly StoredReport[]> {
  const { rows } = await pool.query<StoredReport>({
    name: 'reports-of-books',
    text: `SELECT bookmaker_key AS "bookmakerKey", result, updated_at AS "seenAt" FROM race_book_results
            WHERE race_id = $1`,
    values: [raceId],
  });
  return rows;
}

/** The book reports at $4 what it did at $3. */
const SEEN_AGAIN = `
  UPDATE race_book_results SET updated_at = GREATEST(updated_at, $4)
   WHERE race_id = $1 AND bookmaker_key = $2 AND updated_at = $3`;

/** False if another report was stored meanwhile. */
export async function seenAgain(
  pool: Pool,
  raceId: string,
  { bookmakerKey, seenAt }: StoredReport,
  at: Instant,
): Promise<boolean> {
  const values = [raceId, bookmakerKey, seenAt, at];
  const { rowCount } = await pool.query({ name: 'report-seen-again', text: SEEN_AGAIN, values });
  return rowCount === 1;
}

export interface StoredDeduction {
  readonly name: string;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

const DEDUCTIONS = {
  name: 'deductions-of',
  text: `
  SELECT name, number, win_deduction AS win, place_deduction AS place, scratched_at FROM race_runners
   WHERE race_id = $1 AND scratched AND (win_deduction IS NOT NULL OR place_deduction IS NOT NULL) ORDER BY number`,
};

/**
 * A final result loses no deduction: later reports add or correct. Vacant boxes are not runners, whatever a book
 * deducts for them.
 */
export async function deductionsOf(
  client: Pick<ClientBase, 'query'>,
  raceId: string,
  final: StoredResultRow | null,
): Promise<readonly StoredDeduction[]> {
  const rows = (await client.query<StoredDeduction>({ ...DEDUCTIONS, values: [raceId] })).rows.filter(
    ({ name }) => !isVacantBox(name),
  );
  const reported = new Set(rows.map(({ number }) => number));
  const kept = final?.deductions.filter(({ number }) => !reported.has(number)) ?? [];
  return [...kept, ...rows].sort((a, b) => a.number - b.number);
}

/** Whether a result that is not final has the deductions of the race's card. */
export async function hasDeductions(pool: Pool, { raceId, deductions }: StoredResultRow): Promise<boolean> {
  return isDeepStrictEqual(deductions, await deductionsOf(pool, raceId, null));
}

/** Race numbers of the meeting, for the legs of multi-race dividends. */
export async function meetingRaceIds(client: ClientBase, raceId: string): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ race_number: number; race_id: string }>({
    name: 'races-of-meeting',
    text: `SELECT r.race_number, r.race_id FROM races r JOIN races m USING (meeting_date, category, venue_id, card)
            WHERE m.race_id = $1`,
    values: [raceId],
  });
  return new Map(rows.map((row) => [row.race_number, row.race_id]));
}
