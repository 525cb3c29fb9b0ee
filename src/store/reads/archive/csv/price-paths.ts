// Price paths as lines of CSV (B 2.3) that the database produces: no row of them is ever in this process, and a stalled
// reader keeps only a text. The columns are those of `PRICE_PATH_COLUMNS`; a property test compares the bytes.
import type { Pool } from 'pg';
import { type ArchivedLines, type Beginning, streamArchivedLines } from '../pages/archived-page';
import type { ArchiveSelection } from '../selection';
import { booleanCell, instantCell, textCell } from './lines';

const NAME = 'COALESCE(u.name, u.runner_key)';

/** `horseRef` of the domain. */
const HORSE_REF = `CASE WHEN r.category = 'horse' THEN 'pe:' || NULLIF(fold_runner_name(${NAME}), '') END`;

const cells = (all: readonly string[]): string => all.join(`, ',', `);

/**
 * Before and after the bookmaker, instant and win price, the same in each line of a runner, with the commas between.
 */
const FRONT = `${cells([
  'r.race_id',
  instantCell('r.start_time'),
  'r.meeting_date',
  textCell('r.venue'),
  'r.race_number',
  'r.category',
  textCell('r.country'),
  textCell('u.runner_key'),
  textCell(NAME),
  'u.number',
])}, ','`;
const MIDDLE = `',,', ${cells([
  textCell('r.venue_id'),
  textCell('r.venue_site'),
  textCell('u.runner_ref'),
  HORSE_REF,
  booleanCell('u.scratched'),
])}, ','`;

/**
 * `concat` leaves out nulls. Prices are above 1 and at most a million: the server prints such numbers as we do, without
 * exponents.
 */
const LINE = `concat(u.front, ${cells([
  'p.bookmaker_key',
  instantCell('p.captured_at'),
  'p.secs_to_jump',
  'p.win_price',
])}, u.middle, ${cells(['p.place_price', 'p.top2_price', 'p.top3_price', 'p.top4_price'])}, E'\\r\\n')`;

/**
 * Runner by runner, so that the key of the table provides the order: nothing is sorted, and a text is sent while the
 * next is produced.
 */
export const PRICE_PATH_LINES: ArchivedLines = {
  what: 'path',
  text: `WITH runners AS MATERIALIZED (
      SELECT r.start_time, r.race_id, u.runner, concat(${FRONT}) AS front, concat(${MIDDLE}) AS middle
        FROM unnest($1::uuid[], $2::timestamptz[]) AS q (race_id, start_time)
        JOIN archived_races r USING (race_id, start_time) JOIN archived_runners u USING (race_id)
       WHERE ($5 OR NOT (r.venue_split_suspect OR u.name_fragment_suspect)) AND ($6 OR NOT u.scratched)
       ORDER BY r.start_time, r.race_id, u.runner)
    SELECT l.lines, l.rows
      FROM runners u CROSS JOIN LATERAL (
        SELECT string_agg(${LINE}, '' ORDER BY p.bookmaker_key, p.captured_at) AS lines, count(*) AS rows
          FROM archived_price_paths p
         WHERE p.start_time = u.start_time AND p.race_id = u.race_id AND p.runner = u.runner AND p.start_time BETWEEN $7 AND $8
           AND ($3::text[] IS NULL OR p.bookmaker_key = ANY ($3)) AND NOT $4
        HAVING count(*) > 0) l
     ORDER BY u.start_time, u.race_id, u.runner`,
};

/** In the order of the rows. */
export const streamPricePathLines = (
  pool: Pool,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly string[]> => streamArchivedLines(pool, PRICE_PATH_LINES, selection, limit, begin);
