// The files of bulk datasets in a real database and folder: built, checked, built again, put together and swept; read back by DuckDB.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { buildBulkPeriod, dueBulkPeriods, sweepBulkFiles } from '../../../src/activities/bulk/bulk-files';
import { DATASETS, datasetNamed } from '../../../src/bulk/catalogue';
import type { FileStore } from '../../../src/file-store/file-store';
import { createFolderStore } from '../../../src/file-store/folder';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import { type DuckDb, openDuckDb } from '../../support/duckdb';
import { feedField, resultRunner } from '../../support/races/builders';
import { addPastRace } from '../../support/races/past-race';
import { registryCard, registryListing, registryRace } from '../../support/races/registry';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const folder = mkdtempSync(join(tmpdir(), 'bulk-'));
const clock = { nowMs: Date.parse('2026-11-30T18:59:00Z') };
const now = () => clock.nowMs;
const HOUR = 3_600_000;
const at = (iso: string) => {
  clock.nowMs = Date.parse(iso);
};

let db: TestDatabase;
let duckdb: DuckDb;
let deps: Parameters<typeof buildBulkPeriod>[0];
let first: string;

beforeAll(async () => {
  db = await createTestDatabase();
  duckdb = await openDuckDb();
  const pool = poolAs(db, 'racing_worker');
  const stores = createStores(pool);
  deps = {
    ...{ stores, files: createFolderStore(folder), bulkReads: createReads(pool) },
    ...{ now, wallMs: now },
  };
  first = await addPastRace(db.pool, { startTime: '2026-11-29T03:00:00.000Z', runners: feedField(2, 3, 4, 5) });
  await addPastRace(db.pool, {
    startTime: '2026-11-30T03:00:00.000Z',
    runners: feedField(2, 3),
    field: [resultRunner(1), resultRunner(2, { name: 'O’Brien, "The"' })],
  });
  await db.pool.query(
    `UPDATE race_results SET dividends = '{"exotics": [{"code": "QN", "type": "Quinella", "product": "tab", "selection": "1-2", "amount": 7.5}]}'
      WHERE race_id = $1`,
    [first],
  );
  const key = '2026Nov29,VIC,Flemington';
  await stores.registry.saveCalendar([registryListing({ key, day: '2026-11-29' })], '2026-11-27T00:00:00.000Z');
  await stores.registry.saveAcceptances(
    registryCard({ key, races: [registryRace(1), registryRace(2)] }),
    '2026-11-27T00:00:00.000Z',
  );
  for (const book of ['tab', 'betfair_ex_au']) {
    await db.pool.query(
      `INSERT INTO track_condition_changes (race_id, source, observed_at, category, track_condition, weather)
       VALUES ($1, $2, '2026-11-29T01:00:00Z', 'horse', 'Soft5', 'Fine')`,
      [first, book],
    );
  }
});
afterAll(async () => {
  duckdb.close();
  await db.drop();
  rmSync(folder, { recursive: true });
});

const alive = () => {};
async function run(): Promise<string[]> {
  const outcomes: string[] = [];
  for (const due of await dueBulkPeriods(deps))
    outcomes.push(`${due.dataset} ${due.period} ${await buildBulkPeriod(deps, due, alive)}`);
  return outcomes;
}

const served = async (dataset: string, period: string) =>
  (await deps.stores.bulkFiles.served(dataset, [period])).map((file) => ({ ...file, path: join(folder, file.name) }));

async function parquetRows(dataset: string, period: string): Promise<unknown[][]> {
  const [, parquet] = await served(dataset, period);
  return duckdb.rows(`SELECT * FROM read_parquet('${parquet!.path}')`);
}

test('days are built six hours after their end, newest first, and a month when its days are', async () => {
  // The day of the 30th ends at 13:00 UTC.
  at('2026-11-30T18:59:00Z');
  expect((await run()).sort()).toEqual(DATASETS.map(({ name }) => `${name} 2026-11-29 built`).sort());
  at('2026-11-30T19:00:00Z');
  const outcomes = await run();
  const named = (period: string) => DATASETS.map(({ name }) => `${name} ${period} built`);
  expect(outcomes.slice(0, 4).sort()).toEqual(named('2026-11-30').sort());
  expect(outcomes.slice(4)).toEqual([]);
  expect((await run()).sort()).toEqual(named('2026-11').sort());
  expect(await run()).toEqual([]);
});

test('the manifest describes the files that stand', async () => {
  for (const { name } of DATASETS) {
    for (const period of ['2026-11-29', '2026-11-30', '2026-11']) {
      const files = await served(name, period);
      expect(files.map(({ format, version }) => [format, version])).toEqual([
        ['csv', 1],
        ['parquet', 1],
      ]);
      for (const { path, bytes, sha256, rows } of files) {
        const content = readFileSync(path);
        expect(content.length).toBe(bytes);
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
        expect((await parquetRows(name, period)).length).toBe(rows);
      }
    }
  }
});

test('a file has the rows of its day, and a month those of its days', async () => {
  const names = datasetNamed('results').columns.map(({ name }) => name);
  const rows = async (period: string) =>
    (await parquetRows('results', period)).map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  expect(await rows('2026-11-29')).toMatchObject(
    [1, 2, 3].map((number) => ({
      ...{ race_id: first, meeting_date_aet: '2026-11-29', start_time: '2026-11-29T03:00:00.000Z', country: 'AU' },
      ...{ result_status: 'final', full_field: false, runner_number: number, finish_position: number },
      ...{ runner_status: null, horse_ref: `pe:runner${number}` },
    })),
  );
  expect(await rows('2026-11-30')).toMatchObject([
    { full_field: true, runner_number: 1, runner_status: 'ran' },
    { full_field: true, runner_number: 2, runner_name: 'O’Brien, "The"' },
  ]);
  expect(await rows('2026-11')).toEqual([...(await rows('2026-11-29')), ...(await rows('2026-11-30'))]);
  expect(await parquetRows('exotic_dividends', '2026-11')).toMatchObject([
    expect.arrayContaining([first, 'QN', 'Quinella', '1-2', 7.5]),
  ]);
});

test('acceptances have a row per runner, and null where no sheet was read', async () => {
  const names = datasetNamed('acceptances').columns.map(({ name }) => name);
  const rows = await parquetRows('acceptances', '2026-11-29');
  expect(rows).toHaveLength(6);
  expect(Object.fromEntries(names.map((name, i) => [name, rows[4]![i]]))).toMatchObject({
    ...{
      meeting_date_aet: '2026-11-29',
      venue: 'Flemington',
      race_number: 2,
      runner_number: 2,
      runner_name: 'RUNNER 2',
    },
    ...{ horse_ref: 'pe:runner2', runner_ref: 'ra:201202', emergency: false, scratched: null },
  });
});

test('CSV has the rows of the Parquet file', async () => {
  for (const { name } of DATASETS) {
    const [csv] = await served(name, '2026-11');
    const read = parse(gunzipSync(readFileSync(csv!.path)), { record_delimiter: '\r\n', from_line: 2 }) as string[][];
    const rows = await parquetRows(name, '2026-11');
    expect(read).toEqual(rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell)))));
  }
});

test('reports of an exchange are in no file (D42)', async () => {
  const rows = await parquetRows('track_conditions', '2026-11-29');
  expect(rows.map((row) => row[6])).toEqual(['tab']);
});

test('a day is checked daily, and built again only if its rows have changed; its month follows', async () => {
  at('2026-12-01T19:00:00Z');
  const outcomes = await run();
  expect(outcomes).toContain('results 2026-11-30 unchanged');
  expect(outcomes.filter((one) => one.includes('2026-11-') && !one.endsWith('unchanged'))).toEqual([]);
  await db.pool.query(`UPDATE race_results SET status_note = 'protest dismissed' WHERE race_id = $1`, [first]);
  at('2026-12-02T18:00:00Z');
  expect((await run()).filter((one) => one.includes('2026-11'))).toEqual([]);
  at('2026-12-02T19:00:00Z');
  expect(await run()).toContain('results 2026-11-29 built');
  expect(await run()).toEqual(
    ['exotic_dividends 2026-11 unchanged', 'results 2026-11 built'].filter((one) => one.startsWith('results')),
  );
  expect((await served('results', '2026-11')).map(({ version }) => version)).toEqual([2, 2]);
  expect((await served('results', '2026-11-30')).map(({ version }) => version)).toEqual([1, 1]);
});

test('the version before stands for two days, and then goes with its files', async () => {
  const versions = () => readdirSync(join(folder, 'results')).filter((name) => name.startsWith('2026-11-29'));
  clock.nowMs += 47 * HOUR;
  expect(await sweepBulkFiles(deps, alive)).toBe(0);
  expect(
    await deps.stores.bulkFiles.find({ dataset: 'results', period: '2026-11-29', format: 'csv' }, 1),
  ).toMatchObject({
    version: 1,
  });
  expect(versions()).toHaveLength(4);
  clock.nowMs += 2 * HOUR;
  expect(await sweepBulkFiles(deps, alive)).toBe(4);
  expect(versions().every((name) => name.includes('.v2.'))).toBe(true);
  expect(await deps.stores.bulkFiles.find({ dataset: 'results', period: '2026-11-29', format: 'csv' }, 1)).toBeNull();
});

test('a build that fails publishes nothing, and what it left is swept once its version is there', async () => {
  await addPastRace(db.pool, { startTime: '2026-11-29T04:00:00.000Z', raceNumber: 2, runners: feedField(2, 3) });
  const full: FileStore = {
    ...deps.files,
    put: async (name, content) => {
      if (!name.endsWith('.gz')) return deps.files.put(name, content);
      for await (const _ of content) break;
      throw new Error('no space left');
    },
  };
  const due = { dataset: 'results', period: '2026-11-29' } as const;
  await expect(buildBulkPeriod({ ...deps, files: full }, due, alive)).rejects.toThrow('no space left');
  expect((await served('results', '2026-11-29')).map(({ version }) => version)).toEqual([2, 2]);
  expect(await buildBulkPeriod(deps, due, alive)).toBe('built');
  await deps.files.put(
    'results/2026-11-29.v3.0badf00d.parquet',
    (async function* () {
      yield Buffer.from('left');
    })(),
  );
  await deps.files.put(
    'results/2026-11-29.v4.0badf00d.parquet',
    (async function* () {
      yield Buffer.from('under way');
    })(),
  );
  await sweepBulkFiles(deps, alive);
  const names = readdirSync(join(folder, 'results')).filter((name) => /^2026-11-29\.v[34]/.test(name));
  expect(names.map((name) => name.replace(/[0-9a-f]{8}/, '*'))).toEqual([
    '2026-11-29.v3.*.csv.gz',
    '2026-11-29.v3.*.parquet',
    '2026-11-29.v4.*.parquet',
  ]);
});

test('the query of docs/operations.md runs in DuckDB', async () => {
  const document = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
  const [, query] = /```sql\n(SELECT [^`]*read_parquet[^`]*)```/.exec(document)!;
  const rows = await duckdb.rows(query!.replace('.local/bulk', folder));
  expect(rows.map(([venue]) => venue)).toEqual(['Flemington']);
});
