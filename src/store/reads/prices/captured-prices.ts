// Captured win prices of races: each book's price changes on each runner (A 2.6). One row per race and book, with
// arrays as text that is split here: half the time of a row per runner, a fifth of a row per tick. Never a tick of an
// earlier runner under the same number.
import type { Pool } from 'pg';
import {
  type CapturedPrices,
  type CapturedRunner,
  oldestCaptureMs,
} from '../../../domain/market/intelligence/captured';
import type { Instant } from '../../../domain/race/race';
import { numbersOf } from './number-list';

export type { CapturedRunner };

export interface CapturedQuery {
  readonly raceIds: readonly string[];
  /** The only books whose prices are read. */
  readonly bookmakers: readonly string[];
  /** `captureBound` of the races' starts: older ticks are not read, so that older chunks are not opened. */
  readonly from: Instant;
}

export interface CapturedBook extends CapturedPrices {
  readonly raceId: string;
}

/** An instant before every captured price of races with these starts. */
export function captureBound(startsMs: readonly number[]): Instant {
  return new Date(oldestCaptureMs(Math.min(...startsMs))).toISOString();
}

/** Seconds before its start: no race depends on which others are read with it. */
const OLDEST_SECONDS = -oldestCaptureMs(0) / 1000;

const ordered = (value: string): string => `array_agg(${value} ORDER BY p.runner_number, p.captured_at)::text`;

/** Ticks of the runner that the book now has under the number, by name: numbers may pass to another runner. */
export const CAPTURED = {
  name: 'captured-prices',
  text: `SELECT b.race_id AS "raceId", b.bookmaker_key AS bookmaker, t.*,
      CASE WHEN array_position(b.win, NULL) IS NOT NULL THEN (
        SELECT json_object_agg(q.number, floor(extract(epoch FROM q.changed_at) * 1000))
        FROM unnest(b.numbers, b.win, b.win_changed_at) AS q (number, win, changed_at)
        WHERE q.win IS NULL AND q.changed_at IS NOT NULL) END AS withdrawn
    FROM race_books b JOIN races r USING (race_id) CROSS JOIN LATERAL (
      SELECT ${ordered('p.runner_number')} AS numbers, ${ordered('p.win_price')} AS prices,
        ${ordered("((date_part('epoch', p.captured_at) - $4) * 1000)::integer")} AS since
      FROM price_ticks p
      JOIN unnest(b.numbers, b.runner_keys) AS now (runner_number, runner_key) USING (runner_number, runner_key)
      WHERE p.race_id = b.race_id AND p.bookmaker_key = b.bookmaker_key AND p.captured_at >= $3
        AND p.captured_at >= r.start_time - interval '${OLDEST_SECONDS} seconds'
      HAVING count(*) > 0) t
    WHERE b.race_id = ANY ($1::uuid[]) AND b.bookmaker_key = ANY ($2)
    ORDER BY b.race_id, b.bookmaker_key`,
};

interface Row {
  readonly raceId: string;
  readonly bookmaker: string;
  readonly numbers: string;
  readonly prices: string;
  /** Milliseconds since the query's `from`. */
  readonly since: string;
  readonly withdrawn: Readonly<Record<string, number>> | null;
}

/** By race id, then bookmaker key; a book without a captured price is left out. */
export async function readCapturedPrices(pool: Pool, query: CapturedQuery): Promise<readonly CapturedBook[]> {
  const fromMs = Date.parse(query.from);
  const values = [query.raceIds, query.bookmakers, query.from, fromMs / 1000];
  const { rows } = await pool.query<Row>({ ...CAPTURED, values });
  return rows.map((row) => bookOf(row, fromMs));
}

function bookOf(row: Row, fromMs: number): CapturedBook {
  const numbers = numbersOf(row.numbers);
  const prices = numbersOf(row.prices);
  const since = numbersOf(row.since);
  const runners: CapturedRunner[] = [];
  for (let start = 0; start < numbers.length; ) {
    const number = numbers[start]!;
    let end = start + 1;
    while (numbers[end] === number) end++;
    const atMs: number[] = [];
    for (let i = start; i < end; i++) atMs.push(fromMs + since[i]!);
    runners.push({ number, atMs, prices: prices.slice(start, end), withdrawnAtMs: row.withdrawn?.[number] ?? null });
    start = end;
  }
  return { raceId: row.raceId, bookmaker: row.bookmaker, runners };
}
