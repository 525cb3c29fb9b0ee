// Which books have archived prices for the races of some days, by code and country: from the counts that are written
// with each race (D48), so that it agrees with the totals. 120 ms for seven days of 450 races at 14 books (two cores,
// 60 days stored): its callers cache the answer.
import type { Pool } from 'pg';
import type { Category, Day } from '../../../domain/race/race';

/** Of one code in one country. Abandoned races are left out. */
export interface CodeBooks {
  readonly category: Category;
  readonly country: string | null;
  readonly races: number;
  /** Unordered; only books with at least one price. */
  readonly books: readonly BookCount[];
}

/** Races with a price of the book before the jump, and races with a genuine closing line of it. */
type BookCount = readonly [bookmaker: string, priced: number, closed: number];

/** Read race by race, by index: as one join it would read every count of the archive. The series '' is every race. */
const BOOKS = {
  name: 'archive-code-books',
  text: `SELECT r.category, r.country, b.series, count(*)::integer AS races, (count(*) FILTER (WHERE b.closed))::integer AS closed
      FROM archived_races r CROSS JOIN LATERAL (
        SELECT c.series, bool_or(c.closing) AS closed FROM archived_counts c WHERE c.race_id = r.race_id AND c.what = 'line' GROUP BY c.series
        UNION ALL SELECT '', false) b
     WHERE r.start_day >= $1 AND r.start_day <= $2 AND r.outcome <> 'abandoned'
     GROUP BY 1, 2, 3`,
};

interface Row extends Pick<CodeBooks, 'category' | 'country' | 'races'> {
  readonly series: string;
  readonly closed: number;
}

export async function readCodeBooks(pool: Pool, from: Day, to: Day): Promise<readonly CodeBooks[]> {
  const { rows } = await pool.query<Row>({ ...BOOKS, values: [from, to] });
  const ofCode =
    ({ category, country }: Row) =>
    (one: Row) =>
      one.category === category && one.country === country;
  return rows
    .filter(({ series }) => series === '')
    .map((code) => ({
      category: code.category,
      country: code.country,
      races: code.races,
      books: rows
        .filter(ofCode(code))
        .flatMap(({ series, races, closed }) => (series === '' ? [] : [[series, races, closed] as const])),
    }));
}
