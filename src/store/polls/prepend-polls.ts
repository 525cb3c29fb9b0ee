// Puts polls before the first captured ones of a race that is being polled: its ticks and breaks then begin earlier,
// all at once. `write_poll` itself compares the past, on tables of the session that hide the real ones: a live poll
// never waits for it.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { BookPoll } from '../card/book-poll';
import { BookReply } from '../card/book-reply';
import { asOneTransaction } from '../pg/one-transaction';
import { createPollBatches } from './poll-batches';

/** By book: the instant of its first captured poll. Books without one are absent. */
export async function firstCaptured(pool: Pool, raceId: string): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await pool.query<{ book: string; at: Instant }>(
    `SELECT bookmaker_key AS book, min(captured_at) AS at FROM price_ticks WHERE race_id = $1 GROUP BY 1`,
    [raceId],
  );
  return new Map(rows.map(({ book, at }) => [book, at]));
}

/**
 * `polls`: by instant, of books with captured polls, each before its book's first one, with a whole snapshot. Resolves
 * to how many ticks the race has gained.
 */
export function prependPolls(pool: Pool, raceId: string, polls: readonly BookPoll[]): Promise<number> {
  return asOneTransaction(pool, async (own) => {
    for (const text of SESSION_TABLES) await own.query(text);
    for (const text of SESSION_ROWS) await own.query(text, [raceId]);
    const { write } = createPollBatches(own);
    for (const poll of polls) await write(bare(poll));
    let gained = 0;
    for (const { text, sign } of MERGE) gained += sign * ((await own.query(text)).rowCount ?? 0);
    return gained;
  });
}

/** It changes nothing of the race itself. */
function bare(poll: BookPoll) {
  const snapshot = { ...poll.snapshot!, inPlay: null };
  const fence = { epoch: 0, attempt: 0 };
  const own = { ...poll, snapshot, fence, marketStateSource: false, startSource: false };
  const reply = new BookReply(own, snapshot);
  return { poll: own, hash: reply.hash, literal: reply.literal() };
}

const TABLES = ['races', 'race_books', 'price_ticks', 'price_breaks'];

/** Every statement of the session finds these before the real ones. */
const SESSION_TABLES = TABLES.map(
  (name) => `CREATE TEMP TABLE ${name} (LIKE public.${name} INCLUDING DEFAULTS) ON COMMIT DROP`,
);

/** The race as it was before it was polled; its odds are already announced. */
const SESSION_ROWS = [
  'INSERT INTO pg_temp.races SELECT * FROM public.races WHERE race_id = $1',
  `UPDATE pg_temp.races SET market_status = NULL, market_closed_at = NULL, inplay = NULL, inplay_at = NULL, odds_open = true WHERE race_id = $1`,
  `INSERT INTO pg_temp.race_books (race_id, bookmaker_key, source_race_id)
   SELECT race_id, bookmaker_key, source_race_id FROM public.race_books WHERE race_id = $1`,
];

/** Each book's first captured poll, and what it showed just before. */
const STOOD = `
  firsts AS (
    SELECT b.race_id, b.bookmaker_key, b.polled_at, b.market_status, b.numbers, b.runner_keys, b.win, b.ticked_win, b.win_changed_at,
           (SELECT min(t.captured_at) FROM public.price_ticks t
             WHERE t.race_id = b.race_id AND t.bookmaker_key = b.bookmaker_key AND t.captured_at > b.polled_at) AS at
      FROM pg_temp.race_books b WHERE b.polled_at IS NOT NULL
  ), stood AS (
    SELECT f.race_id, f.bookmaker_key, f.at, f.polled_at, n.number, n.key, n.ticked AS win, n.moved_at,
           (f.market_status IS DISTINCT FROM 'CLOSED' AND n.win = n.ticked) IS TRUE AS shown
      FROM firsts f, unnest(f.numbers, f.runner_keys, f.win, f.ticked_win, f.win_changed_at) AS n (number, key, win, ticked, moved_at)
     WHERE n.ticked IS NOT NULL
  )`;

const IS_AT_FIRST = `t.race_id = s.race_id AND t.bookmaker_key = s.bookmaker_key AND t.captured_at = s.at AND t.runner_number = s.number`;

const IS_REPEATED = `${IS_AT_FIRST} AND t.runner_key = s.key AND t.win_price = s.win`;

/**
 * A price that stood before and was missing from the first captured poll, and one that had gone and was in it again.
 */
const BREAKS = `
  WITH ${STOOD}
  INSERT INTO public.price_breaks (at, race_id, bookmaker_key, runner_number, runner_key, shown, seen_before)
  SELECT s.at, s.race_id, s.bookmaker_key, s.number, s.key, NOT s.shown, s.polled_at FROM stood s
   WHERE CASE WHEN s.shown THEN NOT EXISTS (SELECT FROM public.price_ticks t WHERE ${IS_AT_FIRST})
              ELSE EXISTS (SELECT FROM public.price_ticks t WHERE ${IS_REPEATED}) END`;

/** A price that stood before moved at that time. Marked as written, because customers see when. */
const MOVED = `
  WITH ${STOOD}, moved AS (
    SELECT b.race_id, b.bookmaker_key, array_agg(COALESCE(s.moved_at, n.moved_at) ORDER BY n.place) AS moved_at,
           array_agg(CASE WHEN s.moved_at IS NULL THEN n.written_at ELSE clock_timestamp() END ORDER BY n.place) AS written_at
      FROM public.race_books b JOIN firsts f USING (race_id, bookmaker_key),
           unnest(b.numbers, b.runner_keys, b.win, b.win_changed_at, b.win_written_at) WITH ORDINALITY
             AS n (number, key, win, moved_at, written_at, place)
      LEFT JOIN LATERAL (SELECT s.moved_at FROM stood s
                          WHERE s.bookmaker_key = f.bookmaker_key AND s.number = n.number AND s.key = n.key AND s.win = n.win AND s.shown AND s.at = n.moved_at) s ON true
     GROUP BY 1, 2 HAVING bool_or(s.moved_at IS NOT NULL)
  )
  UPDATE public.race_books b SET win_changed_at = m.moved_at, win_written_at = m.written_at, moved_written_at = clock_timestamp()
    FROM moved m WHERE b.race_id = m.race_id AND b.bookmaker_key = m.bookmaker_key`;

/** The tick of such a price is the earlier one. */
const REPEATED = `
  WITH ${STOOD}
  DELETE FROM public.price_ticks t USING stood s WHERE ${IS_REPEATED}`;

/** The earliest time from which the other prices of the first captured poll may have stood. */
const SEEN_BEFORE = `
  WITH ${STOOD}
  UPDATE public.price_ticks t SET seen_before = s.polled_at FROM firsts s
   WHERE t.race_id = s.race_id AND t.bookmaker_key = s.bookmaker_key AND t.captured_at = s.at AND t.seen_before IS NULL`;

/** For the moment that it takes to join both. */
const LOCK = `SELECT FROM public.race_books WHERE race_id = (SELECT race_id FROM pg_temp.races) ORDER BY bookmaker_key COLLATE "C" FOR NO KEY UPDATE`;

const MERGE = [
  { text: LOCK, sign: 0 },
  { text: BREAKS, sign: 0 },
  { text: SEEN_BEFORE, sign: 0 },
  { text: MOVED, sign: 0 },
  { text: REPEATED, sign: -1 },
  { text: 'INSERT INTO public.price_ticks SELECT * FROM pg_temp.price_ticks', sign: 1 },
  { text: 'INSERT INTO public.price_breaks SELECT * FROM pg_temp.price_breaks', sign: 0 },
];
