// The rights of the two groups, table by table, against the table of intent in test/fixtures/rights.txt: a new table is
// added there, with the least that its processes need.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createPool } from '../../../src/store/pg/pool';
import { grantRights, readRights } from '../../../src/store/pg/roles';
import { isSuperuser } from '../../../src/store/pg/server-facts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

let db: TestDatabase;
let worker: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  worker = poolAs(db, 'racing_worker', 2);
});
afterAll(async () => {
  await worker?.end();
  await db?.drop();
});

const FILE = join(__dirname, '../../fixtures/rights.txt');

/**
 * S, I, U, D: select, insert, update, delete; a small letter: of some columns. TRUNCATE, REFERENCES and TRIGGER are X:
 * no group has them.
 */
const RIGHTS = `
  SELECT format('%s %s %s', c.relname, w.rights, a.rights) AS line
    FROM pg_class c,
         LATERAL (SELECT coalesce(string_agg(r.letter, '' ORDER BY r.place), '') || '-' AS rights FROM rights_of('racing_worker', c.oid) r) w,
         LATERAL (SELECT coalesce(string_agg(r.letter, '' ORDER BY r.place), '') || '-' AS rights FROM rights_of('racing_api', c.oid) r) a
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY c.relname COLLATE "C"`;
const RIGHTS_OF = `
  CREATE FUNCTION rights_of(p_group text, p_table oid) RETURNS TABLE (letter text, place integer) LANGUAGE sql AS $$
    SELECT CASE WHEN has_table_privilege(p_group, p_table, n.name) THEN n.letter ELSE lower(n.letter) END, n.place
      FROM (VALUES ('SELECT', 'S', 1), ('INSERT', 'I', 2), ('UPDATE', 'U', 3)) n (name, letter, place)
     WHERE has_any_column_privilege(p_group, p_table, n.name)
    UNION ALL
    SELECT n.letter, n.place
      FROM (VALUES ('DELETE', 'D', 4), ('TRUNCATE', 'X', 5), ('TRIGGER', 'X', 6), ('REFERENCES', 'X', 7)) n (name, letter, place)
     WHERE has_table_privilege(p_group, p_table, n.name) $$`;

test('each group has exactly the rights in the table of intent', async () => {
  await db.pool.query(RIGHTS_OF);
  const { rows } = await db.pool.query<{ line: string }>(RIGHTS);
  const lines = rows.map(({ line }) => line.replaceAll(/(\S)-(?= |$)/g, '$1'));
  expect(lines).toEqual(readFileSync(FILE, 'utf8').trim().split('\n'));
});

const COLUMN: Readonly<Record<string, string>> = {
  price_ticks: 'race_id',
  price_breaks: 'race_id',
  poll_gaps: 'race_id',
  exchange_ticks: 'market_id',
  kept_ticks: 'race_id',
  kept_breaks: 'race_id',
  kept_gaps: 'race_id',
  kept_exchange_ticks: 'market_id',
  events: 'facts',
  event_keys: 'key',
  archived_races: 'ticks_dropped_at',
  archived_runners: 'name',
  closing_line_rows: 'close_win_price',
  packed_closing_lines: 'prices',
  packed_withheld_lines: 'prices',
  archived_summaries: 'signal',
  archived_marks: 'quoted',
  archived_day_marks: 'races',
  packed_price_paths: 'prices',
  packed_withheld_paths: 'prices',
  price_path_rows: 'win_price',
  withheld_path_rows: 'lay_price',
  archived_month_counts: 'n',
  archived_totals: 'n',
  withheld_line_rows: 'close_win_price',
  sport_ticks: 'home_price',
};

test.each(Object.entries(COLUMN))('a worker can neither delete nor rewrite %s', async (table, name) => {
  for (const text of [`DELETE FROM ${table}`, `UPDATE ${table} SET ${name} = ${name}`, `TRUNCATE ${table}`])
    await expect(worker.query(text)).rejects.toMatchObject({ code: '42501' });
});

/** As the previous release writes them. */
const BEFORE = [
  ...['archived_runners', 'archived_closing_lines', 'withheld_closing_lines', 'archived_summaries'],
  ...['archived_price_paths', 'withheld_price_paths', 'sport_ticks', 'race_results', 'race_book_results'],
].map((table) => `DELETE FROM ${table} WHERE false`);
BEFORE.push(
  'UPDATE withheld_closing_lines SET close_lay_price = NULL WHERE false',
  'UPDATE archived_summaries SET signal = NULL WHERE false',
  'UPDATE sport_ticks SET home_price = NULL WHERE false',
);

test('beside processes of the previous release a worker has their rights; once they are gone it has not', async () => {
  await db.pool.query(readRights());
  for (const text of BEFORE) await worker.query(text);
  await grantRights(db.pool);
  for (const text of BEFORE) await expect(worker.query(text)).rejects.toMatchObject({ code: '42501' });
});

test('a worker takes back an abandonment and moves captures by functions; the API can do neither', async () => {
  const api = poolAs(db, 'racing_api', 1);
  try {
    for (const call of ['reinstate_result($1)', `move_sport_ticks($1, $1, 'tab', false)`]) {
      await worker.query(`SELECT ${call}`, [randomUUID()]);
      await expect(api.query(`SELECT ${call}`, [randomUUID()])).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    await api.end();
  }
});

test('only the owner’s login creates tables, temporary ones included', async () => {
  // A copy of a database has none of the rights on the database itself.
  await grantRights(db.pool);
  const make = ['CREATE TEMPORARY TABLE races (id integer)', 'CREATE TABLE mine (id integer)', 'CREATE SCHEMA mine'];
  for (const text of make) await expect(worker.query(text)).rejects.toMatchObject({ code: '42501' });
});

test('a least-privilege login is not a superuser; the owner of the test’s database is', async () => {
  expect([await isSuperuser(worker), await isSuperuser(db.pool)]).toEqual([false, true]);
});

test('a login that may become a superuser counts as one', async () => {
  const login = `member_${randomBytes(6).toString('hex')}`;
  const { rows } = await db.pool.query<{ owner: string }>('SELECT session_user AS owner');
  await db.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD '${login}' IN ROLE ${rows[0]!.owner}`);
  const url = new URL(db.url);
  Object.assign(url, { username: login, password: login });
  const pool = createPool(url.toString(), 1);
  try {
    expect(await isSuperuser(pool)).toBe(true);
  } finally {
    await pool.end();
    await db.pool.query(`DROP ROLE ${login}`);
  }
});

test('a worker locks events and records how one was sent', async () => {
  await worker.query('SELECT FROM events WHERE fanned_at IS NULL FOR UPDATE SKIP LOCKED');
  await worker.query('UPDATE events SET fanned_at = now(), sequence = 1, body = NULL, position = NULL WHERE false');
});
