// The functions of the database against their files (migrations/functions) and against the domain.
import { BOOKMAKERS, visibleToCustomers } from '../../../src/domain/bookmakers';
import { CAPTURE_MS } from '../../../src/domain/market/intelligence/captured';
import { migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { sourceCode, sourceFiles } from '../../support/source/imports';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const definitions = async (): Promise<Record<string, string>> => {
  const { rows } = await db.pool.query(`
    SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS text
      FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e')
     ORDER BY 1`);
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
};
const files = readMigrations().filter(({ name }) => name.startsWith('functions/'));

test('every function of the database has its own file, and every file one function', async () => {
  const names = Object.keys(await definitions()).map((signature) => `functions/${signature.split('(')[0]}.sql`);
  expect(names).toEqual(files.map(({ name }) => name));
  expect(names).toContain('functions/write_runs_by_name.sql');
});

test('every file can be applied again over itself', async () => {
  const before = await definitions();
  await db.pool.query(`DELETE FROM schema_migrations WHERE name LIKE 'functions/%'`);
  expect((await migrate(db.pool)).applied).toEqual(files.map(({ name }) => name));
  expect(await definitions()).toEqual(before);
});

test('the capture window equals the domain’s, and is defined nowhere else', async () => {
  const { rows } = await db.pool.query('SELECT extract(epoch FROM capture_window())::integer * 1000 AS ms');
  expect(rows).toEqual([{ ms: CAPTURE_MS }]);
  const inCode = sourceFiles().filter((file) => /interval '60 minutes'/.test(sourceCode(file)));
  const inSql = files.filter(({ sql }) => /interval '60 minutes'/.test(sql)).map(({ name }) => name);
  expect([...inCode, ...inSql]).toEqual(['functions/capture_window.sql']);
});

test('market state is shown for books that customers may see', async () => {
  const keys = BOOKMAKERS.map(({ key }) => key);
  const { rows } = await db.pool.query('SELECT k AS key, market_state_shown(k) AS shown FROM unnest($1::text[]) k', [
    keys,
  ]);
  expect(rows).toEqual(keys.map((key) => ({ key, shown: visibleToCustomers(key) })));
});
