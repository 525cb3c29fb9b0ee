// Compares what the archive counts of itself with its rows, by day (D48), and what has run with what is archived.
import type { Pool } from 'pg';
import type { Day } from '../../domain/race/race';

/** Of one kind of rows: those that there are, those counted by race, those counted by day. Right when all three are equal. */
export interface DayCount {
  readonly what: 'line' | 'path' | 'summary';
  readonly rows: number;
  readonly byRace: number;
  readonly byDay: number;
}

const COUNTS = `
  WITH race AS (SELECT race_id, start_time FROM archived_races WHERE start_day = $1)
  SELECT w.what,
         CASE w.what WHEN 'line' THEN (SELECT count(*) FROM race JOIN archived_closing_lines USING (start_time, race_id))
                     WHEN 'path' THEN (SELECT count(*) FROM race JOIN archived_price_paths USING (start_time, race_id))
                     ELSE (SELECT count(*) FROM race JOIN archived_summaries USING (start_time, race_id)) END AS rows,
         COALESCE((SELECT sum(c.n) FROM race JOIN archived_counts c USING (race_id) WHERE c.what = w.what), 0)::bigint AS "byRace",
         COALESCE((SELECT sum(d.n) FROM archived_day_counts d WHERE d.start_day = $1 AND d.what = w.what AND d.series = ''), 0)::bigint AS "byDay"
    FROM unnest(ARRAY['line', 'path', 'summary']) AS w (what)`;

/** Of the races that started on this Sydney day. */
export async function countedDay(pool: Pool, day: Day): Promise<readonly DayCount[]> {
  return (await pool.query<DayCount>(COUNTS, [day])).rows;
}
