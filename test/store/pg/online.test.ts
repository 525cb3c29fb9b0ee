// A migration beside a reader whose transaction stays open. Never: others wait for as long as that reader reads, a file
// is left half applied, or a process serves before its schema exists.
import type { PoolClient } from 'pg';
import { isOfBaseline } from '../../../src/store/pg/adopt';
import type { LockPatience } from '../../../src/store/pg/lock-patience';
import { isNumbered, type Migration, migrate, readMigrations } from '../../../src/store/pg/migrate';
import { statementsOf } from '../../../src/store/pg/outside-transaction';
import { createPool } from '../../../src/store/pg/pool';
import { createSchemaCheck, SchemaBehind, unlessBehind } from '../../../src/store/pg/schema';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const all = readMigrations();
const numbered = all.filter(isNumbered);
const baseline = numbered.filter(isOfBaseline);
const later = numbered.slice(baseline.length);

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const written = (name: string, sql: string): Migration => ({ name, sql, sha256: sql });
const QUICK: LockPatience = { lockMs: 100, pauseMs: 20, withinMs: PATIENT_MS };

/** Reads every table, as a dump or a long query does, until it is released. */
async function openReader(): Promise<PoolClient> {
  const reader = await db.pool.connect();
  await reader.query('BEGIN');
  const { rows } = await reader.query(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  await reader.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
  return reader;
}

/** The service's continuous work. A statement that ends while the reader reads has not waited for it. */
async function probes(): Promise<void> {
  await db.pool.query('SELECT count(*) FROM races JOIN race_books USING (race_id)');
  await db.pool.query('UPDATE races SET venue = venue');
  await db.pool.query('UPDATE race_books SET polled_at = polled_at');
}

/**
 * Migrates beside a reader that ends when the migration has waited for it twice and the service has worked after each
 * wait.
 */
async function beside(migrations: readonly Migration[]): Promise<{ waited: number; applied: readonly string[] }> {
  const reader = await openReader();
  let waited = 0;
  let isDone = false;
  const migrating = migrate(db.pool, migrations, undefined, { ...QUICK, waits: () => waited++ }).finally(() => {
    isDone = true;
  });
  migrating.catch(() => undefined);
  const seen = () => waited >= 2 || isDone;
  do await probes();
  while (!seen());
  await probes();
  await reader.query('COMMIT');
  reader.release();
  return { waited, applied: (await migrating).applied };
}

test('readers and writers continue beside every file after the baseline, and each file completes when its reader has ended', async () => {
  const empty = await createEmptyDatabase();
  await db.drop();
  db = empty;
  await migrate(db.pool, baseline);
  for (const [place, file] of later.entries()) {
    const { applied } = await beside([...baseline, ...later.slice(0, place + 1)]);
    expect(applied).toEqual([file.name]);
  }
  expect((await migrate(db.pool)).applied.filter((name) => isNumbered({ name }))).toEqual([]);
});

test('planted: a column, a rewrite, an index and a constraint on a table that is being read and written', async () => {
  await addRace(db.pool, {}, { tab: { runners: [] } });
  const column = written('9001_column.sql', `ALTER TABLE races ADD COLUMN planted text NOT NULL DEFAULT 'x'`);
  const rewrite = written(
    '9004_rewrite.sql',
    'ALTER TABLE races ADD COLUMN stamped timestamptz NOT NULL DEFAULT clock_timestamp()',
  );
  const index = written(
    '9002_index.sql',
    `-- Outside a transaction.
-- Whom it is for.
DROP INDEX CONCURRENTLY IF EXISTS races_planted;
CREATE INDEX CONCURRENTLY races_planted ON races (planted);
`,
  );
  const constraint = written(
    '9003_constraint.sql',
    `-- Outside a transaction.
ALTER TABLE races DROP CONSTRAINT IF EXISTS planted_is_short;
ALTER TABLE races ADD CONSTRAINT planted_is_short CHECK (length(planted) < 10) NOT VALID;
ALTER TABLE races VALIDATE CONSTRAINT planted_is_short;
`,
  );
  const first = await beside([...all, column]);
  expect(first.waited).toBeGreaterThanOrEqual(2);
  expect(first.applied).toContain('9001_column.sql');
  const reader = await openReader();
  const building = migrate(db.pool, [...all, column, index], undefined, QUICK);
  for (let n = 0; n < 5; n++) await probes();
  await reader.query('COMMIT');
  reader.release();
  expect((await building).applied).toContain('9002_index.sql');
  expect((await beside([...all, column, index, constraint])).applied).toContain('9003_constraint.sql');
  const rewriting = await beside([...all, column, index, constraint, rewrite]);
  expect(rewriting.waited).toBeGreaterThanOrEqual(2);
  expect(rewriting.applied).toContain('9004_rewrite.sql');
  const { rows } = await db.pool.query(
    `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = 'races_planted'::regclass) AS index,
            (SELECT convalidated FROM pg_constraint WHERE conname = 'planted_is_short') AS constraint`,
  );
  expect(rows).toEqual([{ index: true, constraint: true }]);
});

test('a statement that waits for a lock without a limit blocks the probes, so the tests above can fail', async () => {
  await addRace(db.pool, {}, { tab: { runners: [] } });
  const reader = await openReader();
  const column = written('9001_column.sql', 'ALTER TABLE races ADD COLUMN planted text');
  const migrating = migrate(db.pool, [...all, column], undefined, { ...QUICK, lockMs: 0 });
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const count = async () => (await db.pool.query(waiting)).rowCount;
  while ((await count()) === 0);
  const probing = probes();
  while ((await count())! < 2);
  await reader.query('COMMIT');
  reader.release();
  await Promise.all([migrating, probing]);
});

test('the lock timeout ends the wait, and nothing of the file is left', async () => {
  const reader = await openReader();
  await reader.query(`SET application_name = 'a report'`);
  const two = written('9001_two.sql', 'CREATE TABLE planted (id int); ALTER TABLE races ADD COLUMN planted text');
  const reasons: string[] = [];
  const patience = { ...QUICK, withinMs: 0, waits: (reason: string) => reasons.push(reason) };
  await expect(migrate(db.pool, [...all, two], undefined, patience)).rejects.toThrow(
    /^9001_two\.sql: others use what it changes: process \d+ \(a report, idle in transaction\) has a transaction of \d+ s$/,
  );
  const { rows } = await db.pool.query(`SELECT to_regclass('planted') AS planted`);
  expect(rows).toEqual([{ planted: null }]);
  await reader.query('COMMIT');
  reader.release();
  expect((await migrate(db.pool, [...all, two], undefined, patience)).applied).toContain('9001_two.sql');
});

test('a migration refuses to start beside pg_dump, unless it has nothing to do', async () => {
  const dump = createPool(db.url, 1);
  const { rows } = await dump.query(`SELECT set_config('application_name', 'pg_dump', false), pg_backend_pid() AS pid`);
  const one = written('9001_one.sql', 'CREATE TABLE planted (id int)');
  await expect(migrate(db.pool, [...all, one])).rejects.toThrow(
    `pg_dump (process ${rows[0].pid}) reads this database: migrate when it has ended`,
  );
  expect((await migrate(db.pool, all)).applied).toEqual([]);
  await dump.end();
  expect((await migrate(db.pool, [...all, one])).applied).toContain('9001_one.sql');
});

test('an interrupted file outside a transaction is repeated from its first statement', async () => {
  const sql = `-- Outside a transaction.
DROP INDEX CONCURRENTLY IF EXISTS races_planted;
CREATE UNIQUE INDEX CONCURRENTLY races_planted ON races (venue);
`;
  await addRace(db.pool, { raceNumber: 1 }, { tab: { runners: [] } });
  await addRace(db.pool, { raceNumber: 2 }, { tab: { runners: [] } });
  const index = written('9001_index.sql', sql);
  await expect(migrate(db.pool, [...all, index])).rejects.toThrow(/^9001_index.sql: .*unique/);
  await db.pool.query(`UPDATE races SET venue = venue || race_number`);
  expect((await migrate(db.pool, [...all, index])).applied).toContain('9001_index.sql');
  const { rows } = await db.pool.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'races_planted'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
  expect(() => statementsOf({ sql: sql.replace(/^DROP.*\n/m, '') })).toThrow(/must come before it is built/);
  expect(() => statementsOf({ sql: 'DO $$ BEGIN END $$;' })).toThrow(/no body of a function/);
});

describe('the schema that a process needs', () => {
  const names = numbered.map(({ name }) => name);

  test('is missing before the migration and before its functions, and present with it and with a newer one', async () => {
    const asApi = poolAs(db, 'racing_api', 1);
    try {
      await createSchemaCheck(asApi, names)(PATIENT_MS);
      const newest = [...names, '9001_newest.sql', '9002_newer.sql'];
      await expect(createSchemaCheck(asApi, newest)(PATIENT_MS)).rejects.toThrow(
        'the database lacks 9001_newest.sql and 1 more: run ops migrate',
      );
      const check = createSchemaCheck(asApi, newest.slice(0, -1));
      const one = written('9001_newest.sql', 'CREATE TABLE planted (id int)');
      const cut = {
        ...all.find(({ name }) => name.startsWith('functions/'))!,
        name: 'functions/a.sql',
        sql: 'SELECT 1/0',
      };
      await expect(migrate(db.pool, [...all, cut, one])).rejects.toThrow('division');
      await expect(check(PATIENT_MS)).rejects.toThrow(
        'the database lacks the functions of this release: run ops migrate',
      );
      await migrate(db.pool, [...all, one]);
      await check(PATIENT_MS);
      // Once seen, it is not checked again.
      await db.pool.query('DELETE FROM schema_migrations');
      await check(PATIENT_MS);
      await expect(createSchemaCheck(asApi, names)(PATIENT_MS)).rejects.toBeInstanceOf(SchemaBehind);
    } finally {
      await asApi.end();
    }
  });

  test('is behind without a table or a right; a database that does not answer is not behind', async () => {
    const asApi = poolAs(db, 'racing_api', 1);
    await db.pool.query('REVOKE SELECT ON schema_migrations FROM racing_api');
    const lacks = 'the database lacks the tables of this release: run ops migrate';
    await expect(unlessBehind(createSchemaCheck(asApi, names)(PATIENT_MS))).rejects.toThrow(lacks);
    await db.pool.query('ALTER TABLE schema_migrations RENAME TO elsewhere');
    await expect(createSchemaCheck(asApi, names)(PATIENT_MS)).rejects.toThrow(lacks);
    await asApi.end();
    const gone = { query: () => Promise.reject(new Error('ECONNREFUSED')) };
    await expect(createSchemaCheck(gone as never, names)(PATIENT_MS)).rejects.toThrow('ECONNREFUSED');
    await unlessBehind(createSchemaCheck(gone as never, names)(PATIENT_MS));
  });
});
