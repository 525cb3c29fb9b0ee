// An archive of years: a day that the real archiver wrote, copied by SQL to days before it, and packed as the hourly
// pass does.
import type { Pool, PoolClient } from 'pg';
import { createRetentionStore } from '../../../src/store/archive/retention/retention';
import { startArchiver } from './archiver';
import type { BenchDatabase } from './databases';
import { afterDay, dayOf, generateDay } from './generated-days';

/** Their ticks stand, or went lately: the paths are rows. */
const STANDING_DAYS = 47;

const TABLES =
  'races race_runners archived_races archived_runners archived_summaries archived_counts archived_marks'.split(' ');

const ROWS = ['price_path_rows', 'withheld_path_rows', 'closing_line_rows', 'withheld_line_rows'];
const PACKED = ['packed_price_paths', 'packed_withheld_paths', 'packed_closing_lines', 'packed_withheld_lines'];

/** The races of the newest day. */
export async function archiveOneDay({ pool, url }: BenchDatabase, races: number): Promise<void> {
  const archiver = startArchiver(url);
  try {
    await generateDay(pool, { day: 0, races });
    await archiver.pass(afterDay(0));
    const dropped = await createRetentionStore(pool).drop(dayOf(0), afterDay(46));
    if (dropped !== 'dropped') throw new Error(`the ticks are ${dropped}`);
  } finally {
    archiver.stop();
  }
}

/** Copies the races of the newest day to so many days before it. */
export async function copyBack({ pool }: BenchDatabase, days: number): Promise<void> {
  const newest = await racesOf(pool, 0);
  const standing = Math.min(days, STANDING_DAYS - 1);
  await copies(pool, newest, 1, standing, [...TABLES, ...ROWS]);
  if (standing === days) return;
  await copies(pool, newest, STANDING_DAYS, STANDING_DAYS, [...TABLES, ...ROWS]);
  const packed = await racesOf(pool, STANDING_DAYS);
  const retention = createRetentionStore(pool);
  for (const id of packed) {
    const done = await retention.pack(id, afterDay(0));
    if (done !== 'packed') throw new Error(`the paths of race ${id} are ${done}`);
  }
  await retention.dropPacked(dayOf(1 - STANDING_DAYS));
  await copies(pool, packed, 1, days - STANDING_DAYS, [...TABLES, ...PACKED]);
}

/** Of the day so many days before the newest. */
export async function racesOf(pool: Pool, before: number): Promise<string[]> {
  const text = 'SELECT race_id AS id FROM archived_races WHERE start_day = $1 ORDER BY start_time LIMIT 10000';
  return (await pool.query<{ id: string }>(text, [dayOf(-before)])).rows.map(({ id }) => id);
}

async function copies(pool: Pool, ids: readonly string[], first: number, last: number, tables: readonly string[]) {
  const client = await pool.connect();
  try {
    // Copies are no news.
    await client.query('SET session_replication_role = replica; SET statement_timeout = 0');
    for (const table of tables) {
      const { names, values } = await columnsOf(client, table);
      await client.query({
        text: `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} t, generate_series($2::integer, $3::integer) k
                WHERE t.race_id = ANY ($1) ORDER BY k DESC`,
        values: [ids, first, last],
        query_timeout: 600_000,
      } as never);
    }
    // Counts of months follow by a trigger.
    await client.query('SET session_replication_role = origin');
    await client.query({
      text: `SELECT add_archived_day(md5(id || '/' || k)::uuid, 1) FROM unnest($1::text[]) id, generate_series($2::integer, $3::integer) k`,
      values: [ids, first, last],
      query_timeout: 600_000,
    } as never);
  } finally {
    client.release(true);
  }
}

/** A copy has an id of its own, and every instant and day of it is `k` days earlier. */
async function columnsOf(client: PoolClient, table: string): Promise<{ names: string; values: string }> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const value = ({ name, type }: { name: string; type: string }): string => {
    if (name === 'race_id') return `md5(t.race_id || '/' || k)::uuid`;
    if (type === 'date') return `t.${name} - k`;
    return type.startsWith('timestamp') ? `t.${name} - k * interval '1 day'` : `t.${name}`;
  };
  return { names: rows.map(({ name }) => name).join(), values: rows.map(value).join() };
}
