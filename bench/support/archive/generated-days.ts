// Past days as the pollers leave them, made by SQL: races of eleven runners at fifteen books, their captured prices in
// the order of capture, the breaks when the books closed, and results. The same numbers give the same rows in every
// database.
import type { Pool } from 'pg';
import { CUSTOMERS } from '../../../src/api/kernel/endpoint/visibility';
import { addDays } from '../../../src/domain/time/aet';

const RUNNERS = 11;
/** One of them is withheld from customers, as among the real ones. */
const BOOKS = [...CUSTOMERS.compared.slice(0, 14), 'pinnacle'];
/** Of a race: six or seven prices a series. */
export const TICKS_A_RACE = (RUNNERS * BOOKS.length * 33) / 5;
const FIRST_DAY = '2026-02-02';
const VENUES = 40;

export interface DayShape {
  /** From 0. */
  readonly day: number;
  readonly races: number;
}

export const dayOf = (day: number): string => addDays(FIRST_DAY, day);

/** Late enough for all of the day to be past. */
export const afterDay = (day: number): string => `${dayOf(day + 1)}T12:00:00.000Z`;

/** Starts lie between 02:00 and 13:00 UTC, so that a day of ticks is a day of races, in Sydney too. */
const RACES = `
  INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country, start_time,
         market_status, market_closed_at, market_state_source, phase, jumped_at, left_board_at, first_seen_at, updated_at)
  SELECT md5($1::text || '/' || i)::uuid, $1::date, (ARRAY['horse', 'greyhound', 'harness'])[1 + v % 3], 'Track ' || v, 'track-' || v,
         'Track ' || v, 'track-' || v, 1 + i / ${VENUES}, CASE WHEN v % 8 = 0 THEN 'NZ' ELSE 'AU' END, s, 'CLOSED', s + interval '40 s',
         'pointsbetau', 'final', s + interval '40 s', s + interval '11 min', s - interval '20 h', s + interval '11 min'
    FROM generate_series(0, $2::integer - 1) i, LATERAL (
      SELECT i % ${VENUES} AS v, $1::date + interval '2 h' + i * interval '11 h' / $2::integer AS s) at`;

/** Of the day's races, with the place of each among them. */
const OF_DAY = `(SELECT r.*, row_number() OVER (ORDER BY start_time) AS i FROM races r WHERE start_time >= $1::date AND start_time < $1::date + 1) r`;
const NAME = `'Runner ' || r.race_number || ' ' || r.venue_id || ' ' || n`;
const KEY = `'runner' || r.race_number || replace(r.venue_id, '-', '') || n`;

const CARD = `
  INSERT INTO race_runners (race_id, number, name, runner_key, runner_ref, updated_at)
  SELECT race_id, n, ${NAME}, ${KEY}, 'lb:' || race_number || '-' || n, start_time FROM ${OF_DAY}, generate_series(1, ${RUNNERS}) n`;

const CONTROL = `
  INSERT INTO race_control (race_id, epoch, tier, advertised_start, closed, updated_at)
  SELECT race_id, 9, 'none', start_time, true, left_board_at FROM ${OF_DAY}`;

/** Price `t` of a series. */
const price = (t: string): string =>
  `round((1.6 + n * 1.3 + ((${t} * 7 + b * 3 + n + r.i) % 23) / 10.0)::numeric, 2)::float8`;
/** How many prices a series has. */
const PRICES = '6 + ((n + b * 2 + r.i) % 5 < 3)::integer';

const MARKETS = `
  INSERT INTO race_books (race_id, bookmaker_key, source_race_id, polled_at, offered_at, market_status, captured, numbers, runner_keys, win, ticked_win,
         win_changed_at)
  SELECT r.race_id, k, k || r.race_id, start_time + interval '70 s', start_time + interval '38 s', 'CLOSED', true, array_agg(n ORDER BY n),
         array_agg(${KEY} ORDER BY n), array_agg(NULL::float8), array_agg(${price(`(${PRICES} - 1)`)} ORDER BY n),
         array_agg(start_time + interval '46 s')
    FROM ${OF_DAY}, unnest($2::text[]) WITH ORDINALITY q (k, b), generate_series(1, ${RUNNERS}) n
   GROUP BY r.race_id, start_time, k`;

const TICKS = `
  INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price, place_price, top2_price, top3_price,
         top4_price, seen_before)
  SELECT at, race_id, k, n, ${KEY}, floor(extract(epoch FROM start_time - at))::integer, win, round((1 + win / 5)::numeric, 2)::float8,
         legs, legs, legs, at - interval '12 s'
    FROM ${OF_DAY}, unnest($2::text[]) WITH ORDINALITY q (k, b), generate_series(1, ${RUNNERS}) n, generate_series(0, ${PRICES} - 1) t,
         LATERAL (SELECT ${price('t')} AS win, start_time - interval '3590 s' + t * interval '510 s'
                         + ((n * 37 + b * 113 + r.i * 7) % 500 + b / 20.0) * interval '1 s' AS at) p,
         LATERAL (SELECT CASE WHEN b = 3 THEN round((1 + win / 4)::numeric, 2)::float8 END AS legs) l
   ORDER BY at`;

const BREAKS = `
  INSERT INTO price_breaks (at, race_id, bookmaker_key, runner_number, runner_key, shown, seen_before)
  SELECT start_time + interval '46 s', race_id, k, n, ${KEY}, false, start_time + interval '38 s'
    FROM ${OF_DAY}, unnest($2::text[]) k, generate_series(1, ${RUNNERS}) n`;

const RESULTS = `
  INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, runners, field_status, resulted_at, finalised_at, updated_at)
  SELECT race_id, 'final', (SELECT jsonb_agg(jsonb_build_object('position', n, 'number', n, 'name', ${NAME}) ORDER BY n) FROM generate_series(1, 4) n),
         '1,2,3,4', start_time, (SELECT jsonb_agg(jsonb_build_object('number', n, 'name', ${NAME}, 'position', n, 'status', 'ran', 'barrier', n,
         'jockey', 'A Rider', 'trainer', 'B Trainer', 'weight_kg', 54 + n / 2.0, 'margin', n / 4.0, 'sp', 2 + n) ORDER BY n)
         FROM generate_series(1, ${RUNNERS}) n), 'complete', start_time + interval '5 min', start_time + interval '10 min', start_time + interval '10 min'
    FROM ${OF_DAY}`;

export async function generateDay(pool: Pool, { day, races }: DayShape): Promise<void> {
  const date = dayOf(day);
  await pool.query(RACES, [date, races]);
  await pool.query(CARD, [date]);
  await pool.query(CONTROL, [date]);
  await pool.query(RESULTS, [date]);
  for (const statement of [MARKETS, TICKS, BREAKS]) await pool.query(statement, [date, BOOKS]);
}
