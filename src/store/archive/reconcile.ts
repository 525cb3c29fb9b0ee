// Compares the archive's counts with its rows (D48): by everything that rows can be filtered by, per race, per day and
// in total.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../domain/race/race';

interface Counted {
  readonly what: 'line' | 'path' | 'summary' | 'race' | 'mark';
  /**
   * Bookmaker, of a mark with its minutes and figure, of a month after it; of a summary its signal, of a race its
   * outcome; empty: all.
   */
  readonly series: string;
}

/** Rows of one kind that are counted together, and their value in the counts. */
export interface DifferentCount extends Counted {
  readonly rows: number;
  readonly byRace: number;
  readonly byDay: number;
}

export interface DifferentTotal extends Counted {
  readonly days: number;
  readonly total: number;
}

const FLAGS = 'category, country, resulted, closing, baseline, split, fragment, scratched';

/** OFFSET 0: a plain join would unpack the price paths of all days. */
const rowsOf = (what: string, table: string, series: string, closing: string, baseline: string): string => `
  SELECT '${what}' AS what, t.${series} AS series, r.category, r.country, r.resulted, ${closing} AS closing, ${baseline} AS baseline, r.split,
         u.name_fragment_suspect AS fragment, u.scratched, count(*) AS n
    FROM race r CROSS JOIN LATERAL (SELECT * FROM ${table} t WHERE t.start_time = r.start_time AND t.race_id = r.race_id OFFSET 0) t
    JOIN archived_runners u ON u.race_id = r.race_id AND u.runner = t.runner
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`;

/** In one statement, so that a race archived meanwhile is in all of it or in none. */
const DAY = `
  WITH race AS (
    SELECT race_id, start_time, category, COALESCE(country, '') AS country, result_status IS NOT NULL AS resulted, venue_split_suspect AS split, outcome
      FROM archived_races WHERE start_day = $1),
  counted AS (
    SELECT 'rows' AS by, s.* FROM (
      ${rowsOf('line', 'archived_closing_lines', 'bookmaker_key', 't.is_closing_line', 't.open_is_baseline')} UNION ALL
      ${rowsOf('path', 'archived_price_paths', 'bookmaker_key', 'false', 'false')} UNION ALL
      ${rowsOf('summary', 'archived_summaries', 'signal', 'false', 'false')}) s
    UNION ALL
    SELECT 'race', c.what, c.series, r.category, r.country, r.resulted, c.closing, c.baseline, c.split, c.fragment, c.scratched, c.n
      FROM race r JOIN archived_counts c USING (race_id)),
  found AS (
    SELECT c.by, c.what, q.series, ${FLAGS}, c.n FROM counted c CROSS JOIN LATERAL (VALUES (c.series), ('')) AS q (series)
    UNION ALL
    SELECT 'day', what, series, ${FLAGS}, n FROM archived_day_counts WHERE start_day = $1
    UNION ALL
    SELECT b.by, 'race', r.outcome, r.category, r.country, r.resulted,
           EXISTS (SELECT FROM archived_counts c WHERE c.race_id = r.race_id AND c.what = 'line'), false, false, false, false, 1
      FROM race r CROSS JOIN (VALUES ('rows'), ('race')) AS b (by)
    UNION ALL
    SELECT 'day', 'race', outcome, category, country, resulted, has_lines, false, false, false, false, races FROM archived_days WHERE start_day = $1)
  SELECT what, series, COALESCE(sum(n) FILTER (WHERE by = 'rows'), 0)::bigint AS rows,
         COALESCE(sum(n) FILTER (WHERE by = 'race'), 0)::bigint AS "byRace", COALESCE(sum(n) FILTER (WHERE by = 'day'), 0)::bigint AS "byDay"
    FROM found GROUP BY what, series, ${FLAGS}
  HAVING COALESCE(sum(n) FILTER (WHERE by = 'rows'), 0) <> COALESCE(sum(n) FILTER (WHERE by = 'race'), 0)
      OR COALESCE(sum(n) FILTER (WHERE by = 'rows'), 0) <> COALESCE(sum(n) FILTER (WHERE by = 'day'), 0)
   ORDER BY 1, 2`;

const FIGURES = 'quoted checked stale placeholders compared best best_alone closes close_sum fairs fair_sum'.split(' ');
const figuresOf = (races: string): string =>
  `CROSS JOIN LATERAL (VALUES ('races', ${races}), ${FIGURES.map((name) => `('${name}', m.${name})`).join(', ')}) AS f (figure, n)`;

const MARKS = `
  WITH found AS (
    SELECT false AS of_day, r.category, m.bookmaker_key, m.minutes, f.figure, f.n
      FROM archived_races r JOIN archived_marks m USING (race_id) ${figuresOf('1')} WHERE r.start_day = $1 AND NOT r.abandoned
    UNION ALL
    SELECT true, m.category, m.bookmaker_key, m.minutes, f.figure, f.n FROM archived_day_marks m ${figuresOf('m.races')} WHERE m.start_day = $1),
  summed AS (
    SELECT concat_ws(' ', bookmaker_key, minutes, figure) AS series, COALESCE(sum(n) FILTER (WHERE NOT of_day), 0)::bigint AS rows,
           COALESCE(sum(n) FILTER (WHERE of_day), 0)::bigint AS days
      FROM found GROUP BY category, bookmaker_key, minutes, figure)
  SELECT 'mark' AS what, series, rows, rows AS "byRace", days AS "byDay" FROM summed WHERE rows <> days ORDER BY 2`;

const TOTALS = `
  WITH found AS (
    SELECT true AS total, what, series, ${FLAGS}, n FROM archived_totals
    UNION ALL
    SELECT false, what, series, ${FLAGS}, n FROM archived_month_counts WHERE series <> ''
    UNION ALL
    SELECT false, 'race', outcome, category, country, resulted, has_lines, false, false, false, false, races FROM archived_days)
  SELECT what, series, COALESCE(sum(n) FILTER (WHERE NOT total), 0)::bigint AS days, COALESCE(sum(n) FILTER (WHERE total), 0)::bigint AS total
    FROM found GROUP BY what, series, ${FLAGS}
  HAVING COALESCE(sum(n) FILTER (WHERE total), 0) <> COALESCE(sum(n) FILTER (WHERE NOT total), 0) ORDER BY 1, 2`;

/** The months of days $1, with their sums; empty: each is that of its days. Days of other months are not read. */
const MONTHS = `
  WITH of_days AS (SELECT DISTINCT date_trunc('month', day::timestamp)::date AS month FROM unnest($1::date[]) day),
  found AS (
    SELECT true AS total, month, what, series, ${FLAGS}, n FROM archived_month_counts JOIN of_days USING (month)
    UNION ALL
    SELECT false, m.month, d.what, d.series, ${FLAGS}, n
      FROM of_days m CROSS JOIN (SELECT DISTINCT what, series FROM archived_month_counts) k
     CROSS JOIN LATERAL (
       SELECT d.* FROM archived_day_counts d
        WHERE d.what = k.what AND d.series = k.series AND d.start_day >= m.month AND d.start_day < (m.month + interval '1 month')::date OFFSET 0) d)
  SELECT what, concat_ws(' ', to_char(month, 'YYYY-MM'), NULLIF(series, '')) AS series,
         COALESCE(sum(n) FILTER (WHERE NOT total), 0)::bigint AS days, COALESCE(sum(n) FILTER (WHERE total), 0)::bigint AS total
    FROM found GROUP BY month, what, series, ${FLAGS}
  HAVING COALESCE(sum(n) FILTER (WHERE total), 0) <> COALESCE(sum(n) FILTER (WHERE NOT total), 0) ORDER BY 1, 2`;

/** Of the races that started on this Sydney day; empty: every count equals its rows. */
export async function differingCounts(pool: Pool, day: Day): Promise<readonly DifferentCount[]> {
  const counts = await pool.query<DifferentCount>(DAY, [day]);
  const marks = await pool.query<DifferentCount>(MARKS, [day]);
  return [...counts.rows, ...marks.rows];
}

/** The totals compared with the months, and the months of these days with their days. */
export async function differingTotals(pool: Pool, days: readonly Day[]): Promise<readonly DifferentTotal[]> {
  const totals = await pool.query<DifferentTotal>(TOTALS);
  const months = await pool.query<DifferentTotal>(MONTHS, [days]);
  return [...totals.rows, ...months.rows];
}

/** The Sydney days of starts with a race archived since then. */
export const daysArchivedSince = async (pool: Pool, since: Instant): Promise<readonly Day[]> => {
  const text = 'SELECT DISTINCT start_day AS day FROM archived_races WHERE archived_at >= $1 ORDER BY 1 DESC';
  return (await pool.query<{ day: Day }>(text, [since])).rows.map(({ day }) => day);
};
