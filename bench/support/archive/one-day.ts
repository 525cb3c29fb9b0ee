// A day of ticks archived by the hourly pass, against one INSERT … SELECT of the same rows into a table of the same
// shape and key.
import { growthOf } from '../resident';
import { type Archiver, startArchiver } from './archiver';
import type { BenchDatabase } from './databases';
import { afterDay } from './generated-days';
import { alternating, line, milliseconds, ratioOf, timed } from './report';

const PLAIN = `
  CREATE TABLE plain_rows (LIKE price_path_rows INCLUDING ALL);
  SELECT create_hypertable('plain_rows', by_range('start_time', INTERVAL '7 days'), create_default_indexes => false)`;

const INSERT = `
  INSERT INTO plain_rows
  SELECT r.start_time, t.race_id, t.runner_number, t.bookmaker_key, t.captured_at, t.secs_to_jump, t.win_price, t.place_price, t.top2_price,
         t.top3_price, t.top4_price
    FROM price_ticks t JOIN races r USING (race_id)`;

const ARCHIVE = [
  'archived_races',
  'archived_runners',
  'closing_line_rows',
  'withheld_line_rows',
  'price_path_rows',
  'packed_price_paths',
  'withheld_path_rows',
  'packed_withheld_paths',
  'archived_summaries',
  'archived_counts',
  'archived_day_counts',
  'archived_month_counts',
  'archived_totals',
  'archived_days',
].join(', ');

/** The only day of this database; it is archived at the end. */
export async function measureDay({ pool, url }: BenchDatabase, ticks: number, rounds: number): Promise<void> {
  await pool.query(PLAIN);
  const archiver = startArchiver(url);
  const at = afterDay(0);
  const reference = async (): Promise<number> => {
    await pool.query('TRUNCATE plain_rows');
    return timed(() => pool.query(INSERT));
  };
  try {
    await archived(pool, archiver, at);
    await reference();
    const growth = growthOf(archiver.pid);
    const [ours, theirs] = await alternating(rounds, () => archived(pool, archiver, at), reference);
    line(
      `a day of ${ticks} ticks archived`,
      `${milliseconds(ours)}, one INSERT … SELECT ${milliseconds(theirs)}`,
      ratioOf(ours, theirs),
      ['at most', 4],
    );
    line('  resident memory of the archiver', 'MB above what it had after the first day', growth.megabytes(), [
      'at most',
      64,
    ]);
  } finally {
    archiver.stop();
    await pool.query('DROP TABLE plain_rows');
  }
}

async function archived(pool: BenchDatabase['pool'], archiver: Archiver, at: string): Promise<number> {
  await pool.query(`TRUNCATE ${ARCHIVE}`);
  return archiver.pass(at);
}
