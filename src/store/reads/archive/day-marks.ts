// What books' prices were worth at the marks, by day: sums that are kept with each archived race (D48).
import type { Pool } from 'pg';
import type { MarkFigures, MarkMinutes } from '../../../domain/archive/archived-marks';
import type { Category, Day } from '../../../domain/race/race';

/** Of one book at one mark, over the races of some days. */
export interface MarkSums extends MarkFigures {
  readonly category: Category;
  readonly bookmaker: string;
  readonly minutes: MarkMinutes;
  /** At which it had a price on offer. */
  readonly races: number;
}

const SUMS = [
  'races',
  'quoted',
  'checked',
  'stale',
  'placeholders',
  'compared',
  'best',
  ['best_alone', 'bestAlone'],
  'closes',
  ['close_sum', 'closeSum'],
  'fairs',
  ['fair_sum', 'fairSum'],
].map((one) => (typeof one === 'string' ? [one, one] : one));

const MARKS = {
  name: 'archive-day-marks',
  text: `SELECT category, bookmaker_key AS bookmaker, minutes, ${SUMS.map(([column, name]) => `sum(${column})::bigint AS "${name}"`).join(', ')}
    FROM archived_day_marks WHERE start_day >= $1 AND start_day <= $2 GROUP BY 1, 2, 3 HAVING sum(races) > 0 ORDER BY 1, 2, 3 DESC`,
};

/** For the races that started on these Sydney days, both included. */
export const readDayMarks = async (pool: Pool, from: Day, to: Day): Promise<readonly MarkSums[]> =>
  (await pool.query<MarkSums>({ ...MARKS, values: [from, to] })).rows;

const DAYS = {
  name: 'archive-marked-days',
  text: `SELECT start_day AS day, sum(checked) > 0 AS checked FROM archived_day_marks
    GROUP BY 1 HAVING sum(races) > 0 ORDER BY 1 DESC`,
};

export interface MarkedDay {
  readonly day: Day;
  /** A quote's age was known. */
  readonly checked: boolean;
}

/** Sydney days with figures, newest first. */
export const readMarkedDays = async (pool: Pool): Promise<readonly MarkedDay[]> =>
  (await pool.query<MarkedDay>(DAYS)).rows;
