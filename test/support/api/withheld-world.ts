// Adds everything that an exchange and a reference book can report about the races of a database, with values that no
// other source has, and removes it again: a customer's response must be the same with and without it (A 1).
import type { Pool } from 'pg';
import { createArchiveStore } from '../../../src/store/archive/archive';

const WITHHELD = ['betfair_ex_au', 'pinnacle'];

/** Part of every price, volume, size and text that they report. */
const MARK = 7713;

/** Texts that no customer's response may contain, headers included. */
export const TRACES: readonly RegExp[] = [
  /betfair|pinnacle|exchange/i,
  new RegExp(String(MARK)),
  // No other source here reports a market's state, and only the exchange ever reports play or a lay price.
  /"(inplay|inplay_at|lay_price)":(?!null)/,
  /"(market_status|market_closed_at|market_state_source)":(?!null)/,
];

/** The races and their real books stay. */
export async function removeWithheld(pool: Pool): Promise<void> {
  for (const table of ['price_ticks', 'race_book_cards', 'race_book_results', 'race_books'])
    await pool.query(`DELETE FROM ${table} WHERE bookmaker_key = ANY ($1)`, [WITHHELD]);
  await pool.query('DELETE FROM quality_findings WHERE bookmaker_key = ANY ($1)', [WITHHELD]);
  await pool.query('DELETE FROM connector_health WHERE connector = ANY ($1)', [WITHHELD]);
  await pool.query('DELETE FROM track_condition_changes WHERE source = ANY ($1)', [WITHHELD]);
  for (const table of ['exchange_ticks', 'exchange_market_changes', 'exchange_runners', 'exchange_markets'])
    await pool.query(`DELETE FROM ${table}`);
  await pool.query(
    'UPDATE races SET market_status = NULL, inplay = NULL, market_closed_at = NULL, inplay_at = NULL, market_state_source = NULL',
  );
  await pool.query('UPDATE race_results SET market_closed_at = NULL, inplay_at = NULL, market_state_source = NULL');
  await archiveAgain(pool);
}

const ARCHIVE = [
  'archived_races',
  'closing_line_rows',
  'withheld_line_rows',
  'price_path_rows',
  'withheld_path_rows',
  'archived_summaries',
  'archived_day_counts',
  'archived_totals',
  'archived_days',
];

/** From today's facts and ticks. */
async function archiveAgain(pool: Pool): Promise<void> {
  for (const table of ARCHIVE) await pool.query(`DELETE FROM ${table}`);
  const { rows } = await pool.query<{ id: string; at: string }>(
    'SELECT race_id AS id, start_time AS at FROM races WHERE left_board_at IS NOT NULL',
  );
  for (const { id, at } of rows) await createArchiveStore(pool).archive(id, at);
}

/** At `atIso`: the freshest of all, on every race and runner, with the best price of each. */
export async function addWithheld(pool: Pool, atIso: string): Promise<void> {
  await pool.query(BOOKS, [WITHHELD, atIso, MARK]);
  await pool.query(TICKS, [WITHHELD, atIso, MARK]);
  await pool.query(CARDS, [WITHHELD, atIso]);
  await pool.query(CONDITIONS, [WITHHELD, atIso]);
  await pool.query(MARKETS, [atIso, MARK]);
  await pool.query(RUNNERS, [MARK]);
  await pool.query(MARKET_TICKS, [atIso, MARK]);
  await pool.query(
    `UPDATE races SET market_status = 'CLOSED', inplay = true, market_closed_at = $1, inplay_at = $1, market_state_source = 'betfair_ex_au'`,
    [atIso],
  );
  await pool.query(
    "UPDATE race_results SET market_closed_at = $1, inplay_at = $1, market_state_source = 'betfair_ex_au'",
    [atIso],
  );
  await pool.query(HEALTH, [WITHHELD, atIso, MARK]);
  await pool.query(FINDINGS, [WITHHELD, MARK]);
  await archiveAgain(pool);
}

const HEALTH = `
  INSERT INTO connector_health (connector, last_ok_at, last_poll_at, status, message, polls, records_written)
  SELECT k, NULL, $2::timestamptz, 'timeout', 'exchange ' || $3::int, $3::int, $3::int FROM unnest($1::text[]) k`;

const FINDINGS = `
  INSERT INTO quality_findings (run_id, position, bookmaker_key, race_id, venue, race_number, day, status, delta, message, api, source)
  SELECT q.run_id, $2::int + ordinality, k, r.race_id, r.venue, r.race_number, r.meeting_date, 'diff', $2::int, 'exchange ' || $2::int, '[]', '{}'
    FROM quality_audits q CROSS JOIN unnest($1::text[]) WITH ORDINALITY AS k (k, ordinality)
    CROSS JOIN LATERAL (SELECT * FROM races LIMIT 1) r`;

/** Every leg of every runner at MARK plus a fraction, moved just now. */
const BOOKS = `
  INSERT INTO race_books (race_id, bookmaker_key, source_race_id, polled_at, changed_at, market_status, source_url, numbers, runner_keys,
                          win, place, top2, top3, top4, tote, win_changed_at, ticked_win)
  SELECT u.race_id, k, k || u.race_id, $2::timestamptz, $2::timestamptz, 'CLOSED', 'https://exchange.example/' || k, array_agg(u.number ORDER BY u.number),
         array_agg(u.runner_key ORDER BY u.number), array_agg($3::float8 + 0.5 ORDER BY u.number), array_agg($3::float8 + 0.4 ORDER BY u.number),
         array_agg($3::float8 + 0.3 ORDER BY u.number), array_agg($3::float8 + 0.2 ORDER BY u.number), array_agg($3::float8 + 0.1 ORDER BY u.number),
         jsonb_object_agg(u.number, jsonb_build_object('PROV', $3::float8)), array_agg($2::timestamptz ORDER BY u.number),
         array_agg($3::float8 + 0.5 ORDER BY u.number)
    FROM race_runners u CROSS JOIN unnest($1::text[]) k GROUP BY u.race_id, k`;

/**
 * From an hour before the start, every five minutes: a plunge, which would cause a signal, a mover and a first mover.
 */
const TICKS = `
  INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price, place_price, top2_price,
                           top3_price, top4_price)
  SELECT r.start_time - make_interval(mins => m), u.race_id, k, u.number, u.runner_key, m * 60, $3::float8 + m, $3::float8, $3::float8, $3::float8, $3::float8
    FROM race_runners u JOIN races r USING (race_id) CROSS JOIN unnest($1::text[]) k CROSS JOIN generate_series(0, 60, 5) m
   WHERE r.start_time - make_interval(mins => m) <= $2::timestamptz`;

const CARDS = `
  INSERT INTO race_book_cards (race_id, bookmaker_key, card, updated_at)
  SELECT race_id, bookmaker_key, '{"facts": {"raceName": "exchange", "trackCondition": "exchange (7)"}, "runners": []}', $2::timestamptz
    FROM race_books WHERE bookmaker_key = ANY ($1)`;

const CONDITIONS = `
  INSERT INTO track_condition_changes (race_id, observed_at, source, category, track_condition, weather, prev_track_condition)
  SELECT race_id, $2::timestamptz, bookmaker_key, category, 'exchange (7)', 'exchange', 'Good (4)'
    FROM race_books JOIN races USING (race_id) WHERE bookmaker_key = ANY ($1)`;

/** The market reports another start, which the race's start must not follow. */
const MARKETS = `
  INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, total_matched, market_time, observed_at)
  SELECT '1.' || row_number() OVER (ORDER BY race_id), race_id, 'WIN', 3, 'CLOSED', true, true, $2::float8, start_time + interval '7 minutes', $1::timestamptz
    FROM races`;

const RUNNERS = `
  INSERT INTO exchange_runners (market_id, selection_id, number, name, status, back_price, back_size, lay_price, lay_size, last_traded,
                                traded_volume, bsp, adjustment_factor)
  SELECT market_id, u.number, u.number, 'exchange ' || u.name, 'ACTIVE', $1::float8, $1::float8, $1::float8 + 0.6, $1::float8, $1::float8, $1::float8, $1::float8 + 0.7, 20
    FROM exchange_markets JOIN race_runners u USING (race_id)`;

const MARKET_TICKS = `
  INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price, last_traded, traded_volume)
  SELECT $1::timestamptz, market_id, selection_id, $2::float8, $2::float8 + 0.6, $2::float8, $2::float8 FROM exchange_runners`;
