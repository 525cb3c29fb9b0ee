// The contents of the archive (A 4.13): totals stored beside it, so that the answer takes as long at any size; and a
// reconciliation by day of which races ran, which were archived, and why a race has no close.
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import type { ArchiveRows } from './selection';

export interface ArchiveCoverage {
  /** Starts of the first and last race with rows; null: there is none. */
  readonly archive_from: Instant | null;
  readonly archive_to: Instant | null;
  readonly results_from: Instant | null;
  readonly categories: readonly CategoryCoverage[];
  readonly bookmakers: readonly string[];
}

/** Rows are closing lines, including flagged and scratched ones. */
interface CategoryCoverage {
  readonly category: Category;
  readonly rows: number;
  readonly closing: number;
  readonly baseline: number;
  readonly split: number;
  readonly fragment: number;
  readonly scratched: number;
  readonly resulted: number;
  /** Captured prices, as many as in the price paths. */
  readonly prices: number;
  /** With rows. */
  readonly races: number;
  readonly resulted_races: number;
  /** With rows, not abandoned, and in a country whose results are published. */
  readonly settleable_races: number;
  readonly settleable_resulted: number;
}

const CATEGORIES = `
  SELECT category, ${[
    ['rows', "what = 'line'"],
    ['closing', "what = 'line' AND closing"],
    ['baseline', 'baseline'],
    ['split', "what = 'line' AND split"],
    ['fragment', "what = 'line' AND fragment"],
    ['scratched', "what = 'line' AND scratched"],
    ['resulted', "what = 'line' AND resulted"],
    ['prices', "what = 'path'"],
    ['races', "what = 'race' AND closing"],
    ['resulted_races', "what = 'race' AND closing AND resulted"],
    ['settleable_races', "what = 'race' AND closing AND series <> 'abandoned' AND country <> 'HK'"],
    ['settleable_resulted', "what = 'race' AND closing AND series <> 'abandoned' AND country <> 'HK' AND resulted"],
  ]
    .map(([name, is]) => `COALESCE(sum(n) FILTER (WHERE ${is}), 0)::bigint AS ${name}`)
    .join(', ')}
    FROM archived_totals GROUP BY category HAVING sum(n) FILTER (WHERE what = 'line') > 0 ORDER BY category`;

const EVERY = { day: '', race: '' };
const RESULTED = { day: ' AND resulted', race: ' AND r.result_status IS NOT NULL' };

/**
 * Start of the first (`ASC`) or last (`DESC`) race with rows: the counts give its day, whatever the number of races.
 */
const bound = (order: 'ASC' | 'DESC', what: string, and = EVERY): string =>
  `(SELECT r.start_time FROM archived_races r
     WHERE r.start_day = (SELECT start_day FROM archived_day_counts WHERE what = ${what} AND series = '' AND n > 0${and.day}
                           ORDER BY start_day ${order} LIMIT 1)
       AND EXISTS (SELECT FROM archived_counts c WHERE c.race_id = r.race_id AND c.what = ${what})${and.race}
     ORDER BY r.start_time ${order} LIMIT 1)`;

const BOUNDS = `
  SELECT ${bound('ASC', "'line'")} AS archive_from, ${bound('DESC', "'line'")} AS archive_to, ${bound('ASC', "'line'", RESULTED)} AS results_from,
         ARRAY(SELECT DISTINCT series FROM archived_totals WHERE what = 'line' AND n > 0 ORDER BY series) AS bookmakers`;

export async function readArchiveCoverage(pool: Pool): Promise<ArchiveCoverage> {
  const [bounds, categories] = await Promise.all([
    pool.query<Omit<ArchiveCoverage, 'categories'>>({ name: 'archive-bounds', text: BOUNDS }),
    pool.query<CategoryCoverage>({ name: 'archive-categories', text: CATEGORIES }),
  ]);
  return { ...bounds.rows[0]!, categories: categories.rows };
}

export async function readBeginning(pool: Pool, what: ArchiveRows): Promise<Instant | null> {
  const text = `SELECT ${bound('ASC', '$1')} AS at`;
  const { rows } = await pool.query<{ at: Instant | null }>({ name: 'archive-begins', text, values: [what] });
  return rows[0]!.at;
}

/** Of the races that started on a Sydney day and have left the board. */
export interface ArchiveDay {
  readonly day: Day;
  readonly run: number;
  readonly archived: number;
  /** Customers may read a closing line of it. */
  readonly closed: number;
  /** Archived without a close, by reason: `abandoned`, `no_prices`, `prices_after_jump`, `last_seen_only`. */
  readonly without: Readonly<Record<string, number>>;
}

const RECONCILED = `
  SELECT q.day, (SELECT count(*) FROM races r WHERE r.start_time >= q.since AND r.start_time < q.until AND r.left_board_at IS NOT NULL) AS run,
         COALESCE(sum(d.races), 0)::bigint AS archived, COALESCE(sum(d.races) FILTER (WHERE d.outcome = 'closed'), 0)::bigint AS closed,
         COALESCE(json_object_agg(d.outcome, d.races) FILTER (WHERE d.outcome <> 'closed' AND d.races > 0), '{}') AS without
    FROM unnest($1::date[], $2::timestamptz[], $3::timestamptz[]) AS q (day, since, until)
    LEFT JOIN (SELECT start_day, outcome, sum(races)::bigint AS races FROM archived_days WHERE start_day = ANY ($1) GROUP BY 1, 2) d ON d.start_day = q.day
   GROUP BY q.day, q.since, q.until ORDER BY q.day DESC`;

export async function readArchiveDays(
  pool: Pool,
  days: readonly { readonly day: Day; readonly since: Instant; readonly until: Instant }[],
): Promise<readonly ArchiveDay[]> {
  const values = [days.map(({ day }) => day), days.map(({ since }) => since), days.map(({ until }) => until)];
  return (await pool.query<ArchiveDay>({ name: 'archive-days', text: RECONCILED, values })).rows;
}
