// A database from before the baseline: one with exactly those files is adopted, any other one is refused and unchanged.
import { filesBeforeBaseline, isOfBaseline } from '../../../src/store/pg/adopt';
import { isNumbered, migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createSchemaCheck, SchemaBehind } from '../../../src/store/pg/schema';
import { PATIENT_MS } from '../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const before = [...filesBeforeBaseline()];
const numbered = readMigrations().filter(isNumbered);
const later = numbered.filter((file) => !isOfBaseline(file)).map(({ name }) => name);

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  await db.pool.query(`DELETE FROM schema_migrations WHERE name ~ '^\\d'`);
  await list(before);
});
afterEach(() => db.drop());

const list = (files: readonly (readonly [string, string])[]) =>
  db.pool.query('INSERT INTO schema_migrations (name, sha256) SELECT * FROM unnest($1::text[], $2::text[])', [
    files.map(([name]) => name),
    files.map(([, sha256]) => sha256),
  ]);
const listed = async () => (await db.pool.query('SELECT * FROM schema_migrations ORDER BY name')).rows;
/**
 * Relations, columns, constraints, indexes, triggers and functions, each with its identity: a recreated object has
 * another.
 */
const catalogue = async () =>
  (
    await db.pool.query(`
      SELECT 'class' AS kind, oid, relname AS name, relfilenode::text AS form FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace
      UNION ALL SELECT 'column', attrelid, attname, attnum || ' ' || atttypid || ' ' || attnotnull FROM pg_attribute
      UNION ALL SELECT 'constraint', oid, conname, pg_get_constraintdef(oid) FROM pg_constraint
      UNION ALL SELECT 'trigger', oid, tgname, pg_get_triggerdef(oid) FROM pg_trigger
      UNION ALL SELECT 'function', oid, proname, md5(prosrc) FROM pg_proc
      ORDER BY 1, 2, 3, 4`)
  ).rows;

test('it lists 88 files before the baseline, and none of them exists', () => {
  expect(before).toHaveLength(88);
  expect(before.every(([name, sha256]) => name < '0200' && /^[0-9a-f]{64}$/.test(sha256))).toBe(true);
  expect(numbered.filter(({ name }) => name < '0200')).toEqual([]);
});

test('a database with exactly those files is adopted, once, and nothing else changes', async () => {
  const schema = await catalogue();
  const baseline = numbered.filter(isOfBaseline);
  const functions = (await listed()).filter((row) => !isNumbered(row));
  const isNew = createSchemaCheck(db.pool);
  await expect(isNew(PATIENT_MS)).rejects.toBeInstanceOf(SchemaBehind);
  const only = readMigrations().filter((file) => !isNumbered(file) || isOfBaseline(file));
  expect(await migrate(db.pool, only)).toMatchObject({ adopted: true, applied: [] });
  expect(await catalogue()).toEqual(schema);
  const now = await listed();
  expect(now.filter((row) => isNumbered(row)).map(({ name, sha256 }) => [name, sha256])).toEqual([
    ...before,
    ...baseline.map(({ name, sha256 }) => [name, sha256]),
  ]);
  // A process of the previous release still finds its schema.
  await createSchemaCheck(
    db.pool,
    before.map(([name]) => name),
  )(PATIENT_MS);
  expect(now.filter((row) => !isNumbered(row))).toEqual(functions);
  const report = await migrate(db.pool);
  expect(report.adopted).toBe(false);
  expect(report.applied.filter((name) => isNumbered({ name }))).toEqual(later);
  await isNew(PATIENT_MS);
});

test('adoption removes what a new database does not have', async () => {
  await db.pool.query(`
    CREATE FUNCTION save_poll(uuid, text, integer, integer, timestamptz, timestamptz, text, text) RETURNS text LANGUAGE sql AS 'SELECT $2';
    ALTER TABLE sport_event_books DROP CONSTRAINT sport_event_books_placed_by_check;
    ALTER TABLE sport_event_books ADD CONSTRAINT sport_event_books_placed_by_check
      CHECK (placed_by IN ('new', 'ruling', 'id', 'competition', 'unnamed', 'unknown_competition', 'moved')) NOT VALID;`);
  const left = `SELECT to_regproc('save_poll') AS function, string_agg(conname, ',') AS unverified FROM pg_constraint WHERE NOT convalidated`;
  expect((await db.pool.query(left)).rows).toEqual([
    { function: 'save_poll', unverified: 'sport_event_books_placed_by_check' },
  ]);
  expect((await migrate(db.pool)).adopted).toBe(true);
  expect((await db.pool.query(left)).rows).toEqual([{ function: null, unverified: null }]);
});

const [first, ...others] = before as [[string, string], ...[string, string][]];
test.each<[string, readonly (readonly [string, string])[]]>([
  ['fewer', others],
  ['one alone', [first]],
  ['more', [...before, ['0118_planted.sql', 'x']]],
  ['a file of the baseline too', [...before, ['0201_card.sql', 'x']]],
  ['another checksum', [[first[0], 'x'], ...others]],
  ['another name', [['0001_others.sql', first[1]], ...others]],
])('%s: adoption is refused, and nothing changes', async (_, files) => {
  await db.pool.query(`DELETE FROM schema_migrations WHERE name ~ '^\\d'`);
  await list(files);
  const [rows, schema] = [await listed(), await catalogue()];
  await expect(migrate(db.pool)).rejects.toThrow(
    'this database has migrations of before the baseline, but not exactly all of them: run `ops migrate` of the last release before it, then this one',
  );
  expect(await listed()).toEqual(rows);
  expect(await catalogue()).toEqual(schema);
});
