// The files of bulk datasets in a real database and folder: built, checked, rebuilt, joined and swept; read back by
// DuckDB.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { buildBulkPeriod, dueBulkPeriods, sweepBulkFiles } from '../../src/activities/bulk-files';
import { DATASETS, datasetNamed } from '../../src/bulk/catalogue';
import { closingLineRow } from '../../src/bulk/rows/closing-lines';
import { marketSummaryRow } from '../../src/bulk/rows/market-summary';
import { pricePathRow } from '../../src/bulk/rows/price-paths';
import type { FileStore } from '../../src/file-store/file-store';
import { createFolderStore } from '../../src/file-store/folder';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { type DuckDb, openDuckDb } from '../support/duckdb';
import { SIGNER } from '../support/manifests';
import { feedField } from '../support/races/builders';
import { addPastRace } from '../support/races/past-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { poolAs } from '../support/servers/roles';
import { addBulkRaces } from './bulk-races';

const folder = mkdtempSync(join(tmpdir(), 'bulk-'));
const clock = { nowMs: Date.parse('2026-11-30T18:59:00Z') };
const now = () => clock.nowMs;
const HOUR = 3_600_000;
const at = (iso: string) => {
  clock.nowMs = Date.parse(iso);
};

let db: TestDatabase;
let duckdb: DuckDb;
let deps: Parameters<typeof buildBulkPeriod>[0] & { readonly stores: ReturnType<typeof createStores> };
let first: string;
/** One race in the afternoon, and one of the same meeting after midnight. */
let archived: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  duckdb = await openDuckDb();
  const pool = poolAs(db, 'racing_worker');
  const stores = createStores(pool);
  deps = {
    stores,
    files: createFolderStore(folder),
    signer: SIGNER,
    bulkReads: createReads(pool),
    now,
    wallMs: now,
  };
  ({ first, archived } = await addBulkRaces(db, stores));
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

const namedRows = async (dataset: Parameters<typeof datasetNamed>[0], period: string) => {
  const names = datasetNamed(dataset).columns.map(({ name }) => name);
  return (await parquetRows(dataset, period)).map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
};

const versionsOf = async (dataset: string, period: string) =>
  (await served(dataset, period)).map(({ version }) => version);

test('days are built six hours after their end, newest first, and a month once all its days are', async () => {
  // The day of the 30th ends at 13:00 UTC.
  at('2026-11-30T18:59:00Z');
  expect((await run()).sort()).toEqual(DATASETS.map(({ name }) => `${name} 2026-11-29 built`).sort());
  at('2026-11-30T19:00:00Z');
  const outcomes = await run();
  const named = (period: string) => DATASETS.map(({ name }) => `${name} ${period} built`);
  expect(outcomes.slice(0, DATASETS.length).sort()).toEqual(named('2026-11-30').sort());
  expect(outcomes.slice(DATASETS.length)).toEqual([]);
  expect((await run()).sort()).toEqual(named('2026-11').sort());
  expect(await run()).toEqual([]);
});

test('the manifest describes the stored files', async () => {
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

test('a day of the archive waits until all its races are archived, but not forever', async () => {
  const due = { dataset: 'closing_lines', period: '2026-11-29' } as const;
  const { rows } = await db.pool.query(
    `INSERT INTO races SELECT (r).* FROM (SELECT jsonb_populate_record(r, jsonb_build_object('race_id', gen_random_uuid(), 'race_number', 8)) AS r
       FROM races r WHERE race_id = $1) q RETURNING race_id`,
    [archived[0]],
  );
  for (const [hours, outcome] of [
    [0, 'waiting'],
    [48, 'unchanged'],
  ] as const)
    expect(await buildBulkPeriod({ ...deps, now: () => clock.nowMs + hours * HOUR }, due, alive)).toBe(outcome);
  await db.pool.query('DELETE FROM races WHERE race_id = $1', [rows[0].race_id]);
  expect(await buildBulkPeriod(deps, due, alive)).toBe('unchanged');
});

test('a file has the rows of its day, and a month those of its days', async () => {
  const rows = (period: string) => namedRows('results', period);
  expect(await rows('2026-11-29')).toMatchObject(
    [1, 2, 3].map((number) => ({
      race_id: first,
      meeting_date_aet: '2026-11-29',
      start_time: '2026-11-29T03:00:00.000Z',
      country: 'AU',
      result_status: 'final',
      full_field: false,
      runner_number: number,
      finish_position: number,
      runner_status: null,
      horse_ref: `pe:runner${number}`,
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
  const rows = await namedRows('acceptances', '2026-11-29');
  expect(rows).toHaveLength(6);
  expect(rows[4]).toMatchObject({
    meeting_date_aet: '2026-11-29',
    venue: 'Flemington',
    race_number: 2,
    runner_number: 2,
    runner_name: 'RUNNER 2',
    horse_ref: 'pe:runner2',
    runner_ref: 'ra:201202',
    emergency: false,
    scratched: null,
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

test('the archive’s files have the rows of its pages, including those after midnight', async () => {
  const { archive } = deps.bulkReads;
  const page = { limit: 5000, offset: 0 };
  const all = { meetingDate: '2026-11-29', includeFlagged: true, includeScratched: true };
  const lines = await archive.closingLines(all, page);
  const paths = await archive.pricePaths(all, page);
  expect([lines.total, paths.total]).toEqual([12, 24]);
  expect(new Set(paths.rows.map(({ race_id }) => race_id))).toEqual(new Set(archived));
  expect(await parquetRows('closing_lines', '2026-11-29')).toEqual(lines.rows.map(closingLineRow));
  expect(await parquetRows('price_paths', '2026-11-29')).toEqual(paths.rows.map(pricePathRow));
  const summaries = await archive.marketSummary({ meetingDate: '2026-11-29', includeScratched: true }, page);
  expect(summaries.total).toBe(4);
  expect(await parquetRows('market_summary', '2026-11-29')).toEqual(summaries.rows.map(marketSummaryRow));
});

test('markets have the last quotes that the API compares, with the best of them', async () => {
  const rows = await namedRows('markets', '2026-11-29');
  expect(
    rows.map((row) => [row.race_id, row.runner_number, row.market, row.bookmaker_key, row.price, row.is_best]),
  ).toEqual(
    archived.flatMap((raceId) => [
      [raceId, 1, 'win', 'neds', 2.9, true],
      [raceId, 1, 'win', 'tab', 2.8, false],
      [raceId, 2, 'win', 'neds', 2.4, true],
      [raceId, 2, 'win', 'tab', 2.4, false],
    ]),
  );
  expect(rows[0]).toMatchObject({ status: 'off_board', last_update: '2026-11-29T04:59:55.000Z', is_suspect: false });
});

test('no file contains anything of an exchange or a reference book (D42)', async () => {
  const { rows } = await db.pool.query(`SELECT (SELECT count(*) FROM withheld_closing_lines) AS lines,
    (SELECT count(*) FROM withheld_price_paths) AS paths,
    (SELECT count(*) FROM race_books WHERE bookmaker_key IN ('betfair_ex_au', 'pinnacle')) AS books`);
  expect(rows).toEqual([{ lines: 8, paths: 16, books: 4 }]);
  for (const { name } of DATASETS) {
    const cells = (await parquetRows(name, '2026-11')).flat();
    expect(cells.filter((cell) => cell === 'betfair_ex_au' || cell === 'pinnacle')).toEqual([]);
  }
  expect((await parquetRows('track_conditions', '2026-11-29')).map((row) => row[6])).toEqual(['tab']);
});

test('a day is checked daily, and rebuilt only if its rows have changed; its month follows', async () => {
  at('2026-12-01T19:00:00Z');
  const outcomes = await run();
  expect(outcomes).toContain('results 2026-11-30 unchanged');
  expect(outcomes.filter((one) => one.includes('2026-11-') && !one.endsWith('unchanged'))).toEqual([]);
  await db.pool.query(`UPDATE race_results SET status_note = 'protest dismissed' WHERE race_id = $1`, [first]);
  await db.pool.query('UPDATE races SET race_number = 6 WHERE race_id = $1', [archived[0]]);
  await deps.stores.archive.archive(archived[0]!, '2026-12-02T00:00:00.000Z');
  at('2026-12-02T18:00:00Z');
  expect((await run()).filter((one) => one.includes('2026-11'))).toEqual([]);
  at('2026-12-02T19:00:00Z');
  const changed = ['closing_lines', 'market_summary', 'markets', 'price_paths', 'results'];
  const rebuilt = (await run()).filter((one) => one.includes(' 2026-11-') && one.endsWith('built'));
  expect(rebuilt.sort()).toEqual(changed.map((name) => `${name} 2026-11-29 built`));
  expect((await run()).sort()).toEqual(changed.map((name) => `${name} 2026-11 built`));
  expect(await versionsOf('results', '2026-11')).toEqual([2, 2]);
  expect(await versionsOf('results', '2026-11-30')).toEqual([1, 1]);
});

test('data outside the files does not change the checksum: prices and runners of withheld books, and unpublished columns', async () => {
  const { archive } = deps.bulkReads;
  const both = () =>
    Promise.all([archive.dayChecksum('line', '2026-11-29'), archive.dayChecksum('path', '2026-11-29')]);
  const before = await both();
  const [raceId] = archived;
  await db.pool.query(
    `INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price)
     SELECT start_time - interval '7 min', race_id, 'pinnacle', 1, 'aaa', 420, 9 FROM races WHERE race_id = $1`,
    [raceId],
  );
  await db.pool.query(`UPDATE races SET left_board_at = left_board_at + interval '1 min' WHERE race_id = $1`, [raceId]);
  const report = await deps.stores.archive.archive(raceId!, '2026-12-02T20:00:00.000Z');
  expect(report).toMatchObject({ verdict: 'replaced' });
  const { rows } = await db.pool.query('SELECT runner_key FROM archived_runners WHERE race_id = $1 ORDER BY runner', [
    raceId,
  ]);
  expect(rows.map((row) => row.runner_key)).toEqual(['aaa', 'runner1', 'runner2']);
  expect(await both()).toEqual(before);
  await db.pool.query('UPDATE closing_line_rows SET clv_place_price = 9 WHERE race_id = $1', [raceId]);
  expect(await both()).toEqual(before);
  await db.pool.query('UPDATE closing_line_rows SET close_age_s = close_age_s + 1 WHERE race_id = $1', [raceId]);
  expect((await both()).map((one, i) => one === before[i])).toEqual([false, true]);
  await db.pool.query('UPDATE closing_line_rows SET close_age_s = close_age_s - 1 WHERE race_id = $1', [raceId]);
});

test('the previous version is kept for two days and then deleted with its files', async () => {
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
  expect(await sweepBulkFiles(deps, alive)).toBe(20);
  expect(versions().every((name) => name.includes('.v2.'))).toBe(true);
  expect(await deps.stores.bulkFiles.find({ dataset: 'results', period: '2026-11-29', format: 'csv' }, 1)).toBeNull();
});

test('a failed build publishes nothing, and its leftovers are deleted once its version is published', async () => {
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
  expect(readdirSync(join(folder, 'results')).filter((name) => name.endsWith('.partial'))).toEqual([]);
  expect(await versionsOf('results', '2026-11-29')).toEqual([2, 2]);
  expect(await buildBulkPeriod(deps, due, alive)).toBe('built');
  // One file is left from a failed build, the other belongs to a running one.
  for (const version of [3, 4])
    await deps.files.put(
      `results/2026-11-29.v${version}.0badf00d.parquet`,
      (async function* () {
        yield Buffer.from('of another build');
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

test('a build whose rows are rewritten before both files are complete publishes neither', async () => {
  const write = () => deps.stores.archive.rewrite(archived[0]!, new Date(++clock.nowMs).toISOString());
  const due = { dataset: 'price_paths', period: '2026-11-29' } as const;
  const versions = () => versionsOf(due.dataset, due.period);
  const before = await versions();
  const files: FileStore = {
    ...deps.files,
    put: async (name, content) => {
      const stored = await deps.files.put(name, content);
      if (name.endsWith('.parquet')) await write();
      return stored;
    },
  };
  await write();
  expect(await buildBulkPeriod({ ...deps, files }, due, alive)).toBe('waiting');
  expect(await versions()).toEqual(before);
  expect(await buildBulkPeriod(deps, due, alive)).toBe('built');
  expect(await versions()).toEqual(before.map((version) => version + 1));
});

test('the queries of docs/operations/deliveries.md count the rows of the served version while the previous one is kept', async () => {
  expect(await buildBulkPeriod(deps, { dataset: 'results', period: '2026-11' }, alive)).toBe('built');
  const stands = readdirSync(join(folder, 'results')).filter((name) => /^2026-11\.v.*parquet$/.test(name));
  expect(stands).toHaveLength(2);
  const document = readFileSync(join(__dirname, '../../docs/operations/deliveries.md'), 'utf8');
  const [, manifest] = /```sql\n(SELECT [^`]*FROM bulk_files\n[^`]*)```/.exec(document)!;
  const [, query] = /```sql\n(SELECT [^`]*read_parquet[^`]*)```/.exec(document)!;
  const { names } = (await db.pool.query(manifest!)).rows[0];
  const rows = await duckdb.rows(query!.replace(':names', names).replaceAll('.local/bulk', folder));
  expect(rows.map(([venue, races]) => [venue, Number(races)])).toEqual([['Flemington', 3]]);
});

test('a sweep keeps files that are published while it decides about them', async () => {
  await addPastRace(db.pool, { startTime: '2026-11-29T04:30:00.000Z', raceNumber: 3, runners: feedField(2, 3) });
  clock.nowMs += 24 * HOUR;
  const { bulkFiles } = deps.stores;
  let published = false;
  const publish: typeof bulkFiles.publish = async (files) => {
    const lastVersion: typeof bulkFiles.lastVersion = async (...of) => {
      if (!published) await bulkFiles.publish(files);
      published = true;
      return bulkFiles.lastVersion(...of);
    };
    await sweepBulkFiles({ ...deps, stores: { ...deps.stores, bulkFiles: { ...bulkFiles, lastVersion } } }, alive);
  };
  const builder = { ...deps, stores: { ...deps.stores, bulkFiles: { ...bulkFiles, publish } } };
  expect(await buildBulkPeriod(builder, { dataset: 'results', period: '2026-11-29' }, alive)).toBe('built');
  expect(published).toBe(true);
  for (const { name } of await bulkFiles.served('results', ['2026-11-29']))
    expect(await deps.files.stat(name)).not.toBeNull();
});
