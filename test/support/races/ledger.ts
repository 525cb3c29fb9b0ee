// The data that must never be lost, read as simply as possible: the ticks, the stamps that are set once, and the books
// of the live card that have not been polled since an instant.
import type { Pool } from 'pg';
import { bookmaker } from '../../../src/domain/bookmakers';
import { tierAt } from '../../../src/domain/time/cadence';

export interface Kept {
  /** `race/book/runner/instant/price` of every tick. */
  readonly ticks: ReadonlySet<string>;
  /** `race/stamp` → value, of every set-once stamp that is set. */
  readonly stamps: ReadonlyMap<string, string>;
}

export async function keptNow(pool: Pool): Promise<Kept> {
  const ticks = await pool.query<{ tick: string }>(
    `SELECT concat_ws('/', race_id, bookmaker_key, runner_number, captured_at, win_price) AS tick FROM price_ticks`,
  );
  const stamps = await pool.query<{ stamp: string; value: string }>(
    `SELECT race_id || '/' || key AS stamp, value
       FROM races r, jsonb_each_text(jsonb_build_object('market_closed_at', market_closed_at, 'inplay_at', inplay_at,
              'jumped_at', jumped_at, 'left_board_at', left_board_at, 'first_seen_at', first_seen_at))
      WHERE value IS NOT NULL`,
  );
  return {
    ticks: new Set(ticks.rows.map((row) => row.tick)),
    stamps: new Map(stamps.rows.map((row) => [row.stamp, row.value])),
  };
}

/**
 * Books that are polled live on a race that has not jumped, with a last poll before `sinceMs` (race time). Only books
 * inside their own horizon (D21), because outside it a pause of a quarter of an hour is correct.
 */
export async function silentBooks(pool: Pool, sinceMs: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ race: string; book: string; start_time: string }>(
    `SELECT r.venue || ' R' || r.race_number AS race, b.bookmaker_key AS book, r.start_time
       FROM races r JOIN race_books b USING (race_id)
      WHERE r.phase = 'live' AND r.jumped_at IS NULL AND r.start_time > to_timestamp($1 / 1000.0)
        AND (b.polled_at IS NULL OR b.polled_at < to_timestamp($1 / 1000.0))`,
    [sinceMs],
  );
  const due = rows.filter(({ book, start_time }) => {
    const row = bookmaker(book)!;
    return row.reach === 'polled' && tierAt((Date.parse(start_time) - sinceMs) / 1000, row) === 'live';
  });
  return due.map(({ race, book }) => `${race} ${book}`);
}

/** Ticks equal to the previous tick. */
export async function repeatedTicks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`
    SELECT count(*)::int n FROM (
      SELECT row(win_price, place_price, top2_price, top3_price, top4_price) AS prices,
             lag(row(win_price, place_price, top2_price, top3_price, top4_price)) OVER same AS earlier
        FROM price_ticks WINDOW same AS (PARTITION BY race_id, bookmaker_key, runner_number ORDER BY captured_at)) t
     WHERE prices IS NOT DISTINCT FROM earlier`);
  return rows[0]!.n;
}

/**
 * Stored win prices that differ from the runner's last tick. Prices are not counted once the race's market is closed,
 * nor for a book that closed its own.
 */
export async function lostTicks(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`
    SELECT count(*)::int n FROM races r JOIN race_books b USING (race_id),
           unnest(b.numbers, b.win, b.win_changed_at) AS stored(number, win, moved_at)
      LEFT JOIN LATERAL (SELECT win_price FROM price_ticks t
                          WHERE t.race_id = b.race_id AND t.bookmaker_key = b.bookmaker_key AND t.runner_number = stored.number
                          ORDER BY captured_at DESC LIMIT 1) last ON true
     WHERE stored.win IS NOT NULL AND last.win_price IS DISTINCT FROM stored.win
       AND b.market_status IS DISTINCT FROM 'CLOSED'
       AND (r.market_closed_at IS NULL OR stored.moved_at < r.market_closed_at)`);
  return rows[0]!.n;
}
