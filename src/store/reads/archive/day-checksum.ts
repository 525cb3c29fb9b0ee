// Whether the archive's rows of a day are those that they were, found by the database in a fraction of the time that reading them takes; and whether
// they are all there.
import type { Pool } from 'pg';
import type { Day } from '../../../domain/race/race';

const RACES = `SELECT * FROM archived_races WHERE meeting_date = $1`;

const RACE = `r.race_id, r.start_time, r.jump_at, r.meeting_date, r.venue, r.venue_id, r.venue_site, r.race_number, r.category, r.country`;

/** Price paths follow from `path_facts`: nothing else may write them. */
const PATHS = `
  SELECT md5(string_agg(ROW(${RACE}, r.path_facts, u.runners)::text, ',' ORDER BY r.start_time, r.race_id)) AS checksum
    FROM (${RACES}) r CROSS JOIN LATERAL (
      SELECT string_agg(ROW(u.runner, u.number, u.runner_key, u.name, u.runner_ref, u.scratched)::text, ',' ORDER BY u.runner) AS runners
        FROM archived_runners u WHERE u.race_id = r.race_id) u`;

const LINES = `
  SELECT md5(string_agg(ROW(${RACE}, r.result_status, r.venue_split_suspect, u.runners, l.n, l.sum)::text, ','
             ORDER BY r.start_time, r.race_id)) AS checksum
    FROM (${RACES}) r CROSS JOIN LATERAL (
      SELECT string_agg(u::text, ',' ORDER BY u.runner) AS runners FROM archived_runners u WHERE u.race_id = r.race_id) u
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, sum(hashtextextended(l::text, 0)) AS sum
        FROM archived_closing_lines l WHERE l.start_time = r.start_time AND l.race_id = r.race_id) l`;

/** Of the rows that customers may read. */
export async function readDayChecksum(pool: Pool, what: 'line' | 'path', day: Day): Promise<string> {
  const text = what === 'line' ? LINES : PATHS;
  const { rows } = await pool.query<{ checksum: string | null }>({
    name: `archive-checksum-${what}`,
    text,
    values: [day],
  });
  return rows[0]!.checksum ?? 'no races';
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
