// Functions of the database as repeatable migrations: when each is applied, in what order, and the result of a failure.
import { type Migration, migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { createEmptyDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createEmptyDatabase();
});
afterEach(() =>
  db.pool.query(`
    DROP TABLE IF EXISTS schema_migrations, one, two;
    DROP FUNCTION IF EXISTS a, b`),
);
afterAll(() => db.drop());

const names = readMigrations().map((migration) => migration.name);
const written = (name: string, sql: string): Migration => ({ name, sql, sha256: sql });
const one = written('0001_table.sql', 'CREATE TABLE one (id int)');
const functionOf = (name: string, body: string): Migration =>
  written(
    `functions/${name}.sql`,
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS $$ ${body} $$`,
  );
const call = async (name: string) => (await db.pool.query(`SELECT ${name}() AS is`)).rows[0].is;

test('functions are applied after the numbered files, by name, in any order on disk', () => {
  const functions = names.filter((name) => name.startsWith('functions/'));
  expect(names).toEqual([...names.filter((name) => /^\d{4}_/.test(name)), ...functions, 'seeds/sport_names']);
  expect(functions).toEqual([...functions].sort());
  expect(functions).toContain('functions/write_race.sql');
});

test('each function is applied once, and again only when its text changes', async () => {
  const before = [one, functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT 1')];
  expect((await migrate(db.pool, before)).applied).toEqual(['0001_table.sql', 'functions/a.sql', 'functions/b.sql']);
  expect((await migrate(db.pool, before)).applied).toEqual([]);
  const after = [one, functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT 2')];
  expect((await migrate(db.pool, after)).applied).toEqual(['functions/b.sql']);
  expect([await call('a'), await call('b')]).toEqual([1, 2]);
  expect((await migrate(db.pool, after)).applied).toEqual([]);
  // A rollback of the release brings its functions back too.
  expect((await migrate(db.pool, before)).applied).toEqual(['functions/b.sql']);
  expect(await call('b')).toBe(1);
});

test('a function may use an earlier one on creation', async () => {
  const functions = [functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT a() + 1')];
  await migrate(db.pool, [one, ...functions]);
  expect(await call('b')).toBe(2);
});

test('of four simultaneous runs exactly one applies each changed text', async () => {
  await migrate(db.pool, [one, functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT 1')]);
  const other = createPool(db.url, 2);
  try {
    const after = [one, functionOf('a', 'SELECT 2'), functionOf('b', 'SELECT 2')];
    const reports = await Promise.all([db.pool, other, db.pool, other].map((pool) => migrate(pool, after)));
    expect(reports.flatMap(({ applied }) => applied)).toEqual(['functions/a.sql', 'functions/b.sql']);
  } finally {
    await other.end();
  }
});

test('a failure names the function and leaves every function unchanged', async () => {
  await migrate(db.pool, [one, functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT 1')]);
  const after = [one, functionOf('a', 'SELECT 2'), functionOf('b', 'SELECT gone()')];
  await expect(migrate(db.pool, after)).rejects.toThrow(/^functions\/b.sql: function gone\(\) does not exist/);
  expect([await call('a'), await call('b')]).toEqual([1, 1]);
  const mended = [one, functionOf('a', 'SELECT 2'), functionOf('b', 'SELECT 2')];
  expect((await migrate(db.pool, mended)).applied).toEqual(['functions/a.sql', 'functions/b.sql']);
});

test('a function’s file wins over a numbered file that replaces or drops the function', async () => {
  const functions = [functionOf('a', 'SELECT 1'), functionOf('b', 'SELECT 1')];
  await migrate(db.pool, [one, ...functions]);
  const two = written('0002_drop.sql', `DROP FUNCTION a(); ${functionOf('b', 'SELECT 7').sql}`);
  const report = await migrate(db.pool, [one, two, ...functions]);
  expect(report.applied).toEqual(['0002_drop.sql', 'functions/a.sql', 'functions/b.sql']);
  expect([await call('a'), await call('b')]).toEqual([1, 1]);
});

test('even if the run ended between the numbered files and the functions', async () => {
  const a = functionOf('a', 'SELECT 1');
  await migrate(db.pool, [one, a]);
  const two = written('0002_drop.sql', 'DROP FUNCTION a()');
  const broken = functionOf('a', 'SELECT gone()');
  await expect(migrate(db.pool, [one, two, broken])).rejects.toThrow(/functions\/a.sql/);
  expect((await migrate(db.pool, [one, two, a])).applied).toEqual(['functions/a.sql']);
  expect(await call('a')).toBe(1);
});

test('a function is removed by a numbered file that drops it and by deleting its own file', async () => {
  await migrate(db.pool, [one, functionOf('a', 'SELECT 1')]);
  const two = written('0002_drop.sql', 'DROP FUNCTION a()');
  expect((await migrate(db.pool, [one, two])).applied).toEqual(['0002_drop.sql']);
  await expect(call('a')).rejects.toThrow(/does not exist/);
});

test('a file with a new return type drops the function first; prepared statements continue with the new one', async () => {
  await migrate(db.pool, [one, functionOf('a', 'SELECT 1')]);
  const session = await db.pool.connect();
  try {
    const prepared = { name: 'calls-a', text: 'SELECT a()::text AS is' };
    expect((await session.query(prepared)).rows).toEqual([{ is: '1' }]);
    const text = "CREATE OR REPLACE FUNCTION a() RETURNS text LANGUAGE sql AS $$ SELECT 'one' $$";
    await expect(migrate(db.pool, [one, written('functions/a.sql', text)])).rejects.toThrow(
      /functions\/a.sql: cannot change return type/,
    );
    await migrate(db.pool, [one, written('functions/a.sql', `DROP FUNCTION IF EXISTS a(); ${text}`)]);
    expect((await session.query(prepared)).rows).toEqual([{ is: 'one' }]);
  } finally {
    session.release();
  }
});

test('an older release leaves the functions of a newer schema unchanged', async () => {
  const older = [one, functionOf('a', 'SELECT 1')];
  const newer = [one, written('0002_more.sql', 'CREATE TABLE two (id int)'), functionOf('a', 'SELECT 2')];
  await migrate(db.pool, older);
  await migrate(db.pool, newer);
  expect((await migrate(db.pool, older)).applied).toEqual([]);
  expect(await call('a')).toBe(2);
});
