import { migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { createEmptyDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeEach(async () => {
  db = await createEmptyDatabase();
});
afterEach(() => db.drop());

const schemaOf = async (): Promise<unknown[]> => {
  const { rows } = await db.pool.query(`
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`);
  return rows;
};
const names = readMigrations().map((migration) => migration.name);

test('an empty database gets every migration in order', async () => {
  const report = await migrate(db.pool);
  expect(report.applied).toEqual(names);
  const { rows } = await db.pool.query('SELECT hypertable_name FROM timescaledb_information.hypertables ORDER BY 1');
  expect(rows.map(({ hypertable_name }) => hypertable_name)).toEqual([
    'archived_summaries',
    'closing_line_rows',
    'credit_ledger',
    'exchange_ticks',
    'poll_gaps',
    'price_breaks',
    'price_path_rows',
    'price_ticks',
    'sport_ticks',
    'withheld_line_rows',
    'withheld_path_rows',
  ]);
});

test('it reports the edition of the server', async () => {
  const report = await migrate(db.pool);
  // The setting exists once the extension does.
  const { rows } = await db.pool.query('SHOW timescaledb.license');
  expect(report.edition).toBe({ timescale: 'community', apache: 'apache' }[rows[0]['timescaledb.license'] as string]);
});

test('a second run changes nothing', async () => {
  await migrate(db.pool);
  const schema = await schemaOf();
  const stamps = await db.pool.query('SELECT * FROM schema_migrations ORDER BY name');
  expect((await migrate(db.pool)).applied).toEqual([]);
  expect(await schemaOf()).toEqual(schema);
  expect((await db.pool.query('SELECT * FROM schema_migrations ORDER BY name')).rows).toEqual(stamps.rows);
});

test('of two simultaneous runs exactly one applies each migration', async () => {
  const other = createPool(db.url, 2);
  try {
    const reports = await Promise.all([migrate(db.pool), migrate(other), migrate(db.pool), migrate(other)]);
    expect(reports.flatMap((report) => report.applied).sort()).toEqual(names);
  } finally {
    await other.end();
  }
});

test('a migration that fails leaves nothing behind, and the next run continues with it', async () => {
  const broken = { name: '9999_broken.sql', sql: 'CREATE TABLE half (id int); SELECT 1/0', sha256: 'x' };
  await expect(migrate(db.pool, [...readMigrations(), broken])).rejects.toThrow(/9999_broken.sql: division by zero/);
  // Functions and seeds come after every numbered file, so none was applied.
  expect((await migrate(db.pool)).applied).toEqual(names.filter((name) => !/^\d{4}_/.test(name)));
  await expect(db.pool.query('SELECT * FROM half')).rejects.toThrow(/does not exist/);
});

test('an edited migration that was already applied is refused by name', async () => {
  await migrate(db.pool);
  const [first, ...rest] = readMigrations();
  await expect(migrate(db.pool, [{ ...first!, sha256: 'other' }, ...rest])).rejects.toThrow(
    /0200_functions.sql was edited/,
  );
});
