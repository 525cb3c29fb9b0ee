// What a result is made from, read under the race's lock: the race, what the books say of it, and the fixed prices and deductions
// that settle it.
import type { ClientBase } from 'pg';
import type { Category, Instant } from '../domain/race';
import { type BookResult, type RunnerPrices, type SettledPlacing, settlingOrder } from './result-merge';
import type { HeldResult, ResultRunner } from './store';

export interface ResultRace {
  readonly category: Category;
  readonly country: string | null;
  readonly startTime: Instant;
  readonly leftBoardAt: Instant | null;
}

/** Writers of one race's result take turns. */
export async function lockRace(client: ClientBase, raceId: string): Promise<ResultRace> {
  const { rows } = await client.query<ResultRace>(
    `SELECT category, country, start_time AS "startTime", left_board_at AS "leftBoardAt"
       FROM races WHERE race_id = $1 FOR NO KEY UPDATE`,
    [raceId],
  );
  if (!rows[0]) throw new Error(`no race ${raceId}`);
  return rows[0];
}

export interface HeldRow extends HeldResult {
  readonly placings: readonly SettledPlacing[];
  readonly runners: readonly ResultRunner[] | null;
}

const HELD = `
  SELECT race_id AS "raceId", status, status_note AS "statusNote", placings_key AS "placingsKey", placings_since AS "placingsSince", protest, overridden,
         resulted_at AS "resultedAt", field_status AS "fieldStatus", field_expected_at AS "fieldExpectedAt",
         field_last_pass_at AS "fieldLastPassAt", placings, runners
    FROM race_results WHERE race_id = $1`;

export async function heldRow(client: Pick<ClientBase, 'query'>, raceId: string): Promise<HeldRow | null> {
  const { rows } = await client.query<HeldRow>(HELD, [raceId]);
  return rows[0] ?? null;
}

export const asHeld = ({ placings: _, runners: __, ...held }: HeldRow): HeldResult => held;

export async function keepBookResult(client: ClientBase, raceId: string, said: BookResult, at: Instant): Promise<void> {
  await client.query(
    `INSERT INTO race_book_results (race_id, bookmaker_key, result, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (race_id, bookmaker_key) DO UPDATE SET result = EXCLUDED.result, updated_at = EXCLUDED.updated_at`,
    [raceId, said.bookmakerKey, JSON.stringify(said.result), at],
  );
}

export async function bookResults(client: ClientBase, raceId: string): Promise<readonly BookResult[]> {
  const { rows } = await client.query<BookResult>(
    'SELECT bookmaker_key AS "bookmakerKey", result FROM race_book_results WHERE race_id = $1',
    [raceId],
  );
  return rows;
}

/** Fixed prices by book and runner: the quote held last, or where the book has taken it down the last tick. */
const PRICES = `
  SELECT b.bookmaker_key AS book, q.number,
         COALESCE(q.win, t.win_price) AS win, COALESCE(q.place, t.place_price) AS place
    FROM race_books b
   CROSS JOIN LATERAL unnest(b.numbers, b.win, b.place) AS q (number, win, place)
    LEFT JOIN LATERAL (SELECT win_price, place_price FROM price_ticks t
                        WHERE t.race_id = b.race_id AND t.bookmaker_key = b.bookmaker_key AND t.runner_number = q.number
                        ORDER BY captured_at DESC LIMIT 1) t ON q.win IS NULL
   WHERE b.race_id = $1 AND q.number = ANY ($2::smallint[])`;

/** Of one bookmaker (A 2.11 rule 3): the first in settling order that has priced any of these runners. */
export async function settlingPrices(
  client: ClientBase,
  raceId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, RunnerPrices>> {
  const quotes = await client.query<{ book: string; number: number; win: number | null; place: number | null }>(
    PRICES,
    [raceId, numbers],
  );
  const runners = await client.query<{ number: number; name: string }>(
    'SELECT number, name FROM race_runners WHERE race_id = $1',
    [raceId],
  );
  const priced = quotes.rows.filter((quote) => quote.win !== null).map((quote) => quote.book);
  const [book] = settlingOrder([...new Set(priced)]);
  const names = new Map(runners.rows.map(({ number, name }) => [number, name]));
  return new Map(
    numbers.map((number) => {
      const quote = quotes.rows.find((each) => each.book === book && each.number === number);
      return [number, { name: names.get(number) ?? null, win: quote?.win ?? null, place: quote?.place ?? null }];
    }),
  );
}

export interface Deduction {
  readonly name: string;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

export async function deductionsOf(client: ClientBase, raceId: string): Promise<readonly Deduction[]> {
  const { rows } = await client.query<Deduction>(
    `SELECT name, number, win_deduction AS win, place_deduction AS place, scratched_at FROM race_runners
      WHERE race_id = $1 AND scratched AND (win_deduction IS NOT NULL OR place_deduction IS NOT NULL) ORDER BY number`,
    [raceId],
  );
  return rows;
}

/** Race numbers of the meeting, for the legs of multi-race dividends. */
export async function meetingRaceIds(client: ClientBase, raceId: string): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ race_number: number; race_id: string }>(
    `SELECT r.race_number, r.race_id FROM races r JOIN races m USING (meeting_date, category, venue_id, card)
      WHERE m.race_id = $1`,
    [raceId],
  );
  return new Map(rows.map((row) => [row.race_number, row.race_id]));
}
