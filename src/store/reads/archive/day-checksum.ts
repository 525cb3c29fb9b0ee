// Whether the archive's rows of a day are unchanged, found by the database in a fraction of the time that reading them
// takes; and whether they are all there.
import type { Pool } from 'pg';
import type { Day } from '../../../domain/race/race';
import { LINE_COLUMNS } from './closing-lines';

const RACES = `SELECT * FROM archived_races WHERE meeting_date = $1`;

/**
 * Prices follow from the first part of `path_facts`. The third is set once rows that something else had changed were
 * rewritten: a file may have been built from those. `runner` is in no file: a withheld book's runner moves it.
 */
const PATHS = `
  SELECT md5(string_agg(ROW(r.race_id, r.start_time, r.meeting_date, r.venue, r.venue_id, r.venue_site, r.race_number, r.category, r.country,
                            split_part(r.path_facts, '.', 1) || split_part(r.path_facts, '.', 3), u.runners)::text, ',' ORDER BY r.start_time, r.race_id)) AS checksum
    FROM (${RACES}) r CROSS JOIN LATERAL (
      SELECT string_agg(ROW(u.number, u.runner_key, u.name, u.runner_ref, u.scratched)::text, ',' ORDER BY u.runner) AS runners
        FROM archived_runners u
       WHERE u.race_id = r.race_id AND EXISTS (
         SELECT FROM archived_price_paths p WHERE p.start_time = r.start_time AND p.race_id = r.race_id AND p.runner = u.runner)) u
   WHERE u.runners IS NOT NULL`;

/** The columns of a row, and no others of the tables. */
const LINES = `
  SELECT md5(string_agg(concat_ws('/', l.n, l.sum), ',' ORDER BY r.start_time, r.race_id)) AS checksum
    FROM (${RACES}) r CROSS JOIN LATERAL (
      SELECT count(*) AS n, sum(hashtextextended(line::text, 0)) AS sum
        FROM (SELECT ${LINE_COLUMNS}
                FROM (SELECT * FROM archived_closing_lines t WHERE t.start_time = r.start_time AND t.race_id = r.race_id OFFSET 0) t
                JOIN archived_runners u ON u.race_id = r.race_id AND u.runner = t.runner) line) l
   WHERE l.n > 0`;

/** Of the rows that customers may read. */
export async function readDayChecksum(pool: Pool, what: 'line' | 'path', day: Day): Promise<string> {
  const text = what === 'line' ? LINES : PATHS;
  const { rows } = await pool.query<{ checksum: string | null }>({
    name: `archive-checksum-${what}`,
    text,
    values: [day],
  });
  return rows[0]!.checksum ?? 'no rows';
}

/** Races of a meeting day that have left the board. */
export interface DayProgress {
  readonly archived: number;
  readonly missing: number;
}

const PROGRESS = {
  name: 'archive-progress',
  text: `SELECT count(a.race_id)::integer AS archived, count(*) FILTER (WHERE a.race_id IS NULL)::integer AS missing
    FROM races r LEFT JOIN archived_races a USING (race_id) WHERE r.meeting_date = $1 AND r.left_board_at IS NOT NULL`,
};

export const readDayProgress = async (pool: Pool, day: Day): Promise<DayProgress> =>
  (await pool.query<DayProgress>({ ...PROGRESS, values: [day] })).rows[0]!;
