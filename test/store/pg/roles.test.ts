// The rights of the service's groups in a database, with logins that are in them as an operator's are.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { createRoles, GROUPS, grantRights, grantRightsIn } from '../../../src/store/pg/roles';
import { storeRace } from '../../support/races/stored-race';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { type Group, poolAs } from '../../support/servers/roles';

let db: TestDatabase;
const pools = new Map<Group, Pool>();
beforeAll(async () => {
  db = await createTestDatabase();
  for (const group of GROUPS) pools.set(group, poolAs(db, group, 2));
});
afterAll(async () => {
  for (const pool of pools.values()) await pool.end();
  await db.drop();
});

const DENIED = '42501';
const run = (group: Group, text: string) => pools.get(group)!.query(text);

test('creating the groups again changes nothing; they cannot log in and are not superusers', async () => {
  expect(await createRoles(db.pool)).toEqual([]);
  expect(await grantRights(db.pool)).toBe(true);
  const { rows } = await db.pool.query(
    'SELECT rolname, rolcanlogin OR rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls AS more FROM pg_roles WHERE rolname = ANY ($1) ORDER BY 1 DESC',
    [GROUPS],
  );
  expect(rows).toEqual(GROUPS.map((rolname) => ({ rolname, more: false })));
});

test.each(GROUPS)('%s cannot change the schema, read a file or run a program', async (group) => {
  for (const text of [
    'CREATE TABLE mine (id integer)',
    'ALTER TABLE races ADD COLUMN mine integer',
    'DROP TABLE races',
    'TRUNCATE races',
    'CREATE EXTENSION file_fdw',
    "COPY races TO PROGRAM 'true'",
    "SELECT pg_read_file('PG_VERSION')",
    'UPDATE schema_migrations SET sha256 = name',
  ])
    await expect(run(group, text)).rejects.toMatchObject({ code: DENIED });
});

test('a worker sees no key; the API reads keys and cannot make one an operator’s', async () => {
  await expect(run('racing_worker', 'SELECT key_hash FROM api_keys')).rejects.toMatchObject({ code: DENIED });
  await run('racing_api', 'SELECT key_hash FROM api_keys');
  await expect(run('racing_api', `UPDATE api_keys SET role = 'internal'`)).rejects.toMatchObject({ code: DENIED });
  const key = `INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, role) VALUES ('x', 'last', 'x', 'free', now(), 'internal')`;
  await expect(run('racing_api', key)).rejects.toMatchObject({ code: DENIED });
});

test('the API reads every other table, and writes neither results nor a poller’s claim', async () => {
  const { rows } = await db.pool.query(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'`,
  );
  for (const { name } of rows) await run('racing_api', `SELECT * FROM ${name} LIMIT 1`);
  for (const text of [
    'DELETE FROM races',
    `UPDATE race_results SET status = 'final'`,
    'UPDATE race_control SET epoch = epoch + 1',
    'DELETE FROM price_ticks',
  ])
    await expect(run('racing_api', text)).rejects.toMatchObject({ code: DENIED });
});

test('a worker discovers, controls and polls a race', async () => {
  const { poll } = await storeRace({ ...db, pool: pools.get('racing_worker')! });
  expect(await poll(1800, {})).toMatchObject({ fenced: false });
});

const LOGINS = join(__dirname, '../../../scripts/servers/logins.mjs');

test('a stack creates the logins of its addresses, and a changed password takes effect at the next start', async () => {
  const addressOf = (group: Group, password: string) => {
    const url = new URL(db.url);
    url.username = `${group}_${suffix}`;
    url.password = encodeURIComponent(password);
    return url.toString();
  };
  const suffix = randomBytes(6).toString('hex');
  try {
    for (const password of ["first'", '$%:second']) {
      const [worker, api] = GROUPS.map((group) => addressOf(group, password));
      const env = { ...process.env, DATABASE_URL: db.url, WORKER_DATABASE_URL: worker, API_DATABASE_URL: api };
      await promisify(execFile)(process.execPath, [LOGINS], { env });
    }
    for (const group of GROUPS) {
      const pool = createPool(addressOf(group, '$%:second'), 1);
      try {
        await pool.query('SELECT 1 FROM races');
        expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '10s' }]);
        await expect(pool.query('CREATE TABLE mine (id integer)')).rejects.toMatchObject({ code: DENIED });
      } finally {
        await pool.end();
      }
    }
  } finally {
    for (const group of GROUPS) await db.pool.query(`DROP ROLE IF EXISTS ${group}_${suffix}`);
  }
});

test('the rights come with the later command, whether the groups or the schema came first', async () => {
  const empty = await createEmptyDatabase();
  const worker = poolAs(empty, 'racing_worker', 1);
  try {
    expect(await grantRights(empty.pool)).toBe(false);
    // They commit with the functions: a worker of the previous release runs these at once, and they may need new
    // objects.
    const refused = async () => Promise.reject(new Error('no rights'));
    await expect(migrate(empty.pool, readMigrations(), refused)).rejects.toThrow('no rights');
    const functions = `SELECT count(*)::int FROM schema_migrations WHERE starts_with(name, 'functions/')`;
    expect((await empty.pool.query(functions)).rows).toEqual([{ count: 0 }]);
    await migrate(empty.pool);
    // A database of an older release lacks tables whose rights are named.
    const newest = `DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations WHERE name ~ '^[0-9]') RETURNING *`;
    const { rows } = await empty.pool.query(newest);
    expect(await grantRights(empty.pool)).toBe(false);
    await empty.pool.query(
      'INSERT INTO schema_migrations SELECT * FROM json_populate_record(NULL::schema_migrations, $1)',
      rows,
    );
    await expect(worker.query('SELECT 1 FROM races')).rejects.toMatchObject({ code: DENIED });
    await migrate(empty.pool, readMigrations(), grantRightsIn);
    expect((await worker.query('SELECT 1 FROM races')).rows).toEqual([]);
    expect(await grantRights(empty.pool)).toBe(true);
    expect((await worker.query('SELECT 1 FROM races')).rows).toEqual([]);
  } finally {
    await worker.end();
    await empty.drop();
  }
});
