// A manifest and the files that it names agree at every moment: whatever ends a builder, in a folder and in a bucket.
// Checked over what the store, the database and the signature state, never over what a build returned.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { buildBulkPeriod, dueBulkPeriods, sweepBulkFiles } from '../../src/activities/bulk-files';
import { DATASETS } from '../../src/bulk/catalogue';
import { canonicalText, type PeriodManifest } from '../../src/bulk/manifest/period-manifest';
import { createSigner } from '../../src/bulk/manifest/signer';
import type { FileStore } from '../../src/file-store/file-store';
import { createFolderStore } from '../../src/file-store/folder';
import { createS3Store } from '../../src/file-store/s3';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { SIGNER } from '../support/manifests';
import { runs } from '../support/property';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { poolAs } from '../support/servers/roles';
import { startS3 } from '../support/servers/s3';
import { addBulkRaces } from './bulk-races';

type Deps = Parameters<typeof buildBulkPeriod>[0] & { readonly stores: ReturnType<typeof createStores> };

const HOUR = 3_600_000;
const FIRST_MS = Date.parse('2026-12-01T19:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'bulk-manifests-'));
const alive = () => {};

let db: TestDatabase;
let nowMs = FIRST_MS;
let stores: ReturnType<typeof createStores>;
let reads: ReturnType<typeof createReads>;
let close = async () => {};
const places: Record<string, FileStore> = { folder: createFolderStore(join(folder, 'files')) };

beforeAll(async () => {
  db = await createTestDatabase();
  const pool = poolAs(db, 'racing_worker');
  stores = createStores(pool);
  reads = createReads(pool);
  await addBulkRaces(db, stores);
  const server = await startS3(join(folder, 's3'), 'bulk');
  const bucket = createS3Store({ ...server.settings, prefix: 'odds/' });
  places.bucket = bucket;
  close = async () => {
    bucket.close();
    await server.close();
  };
});
afterAll(async () => {
  await close();
  await db.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  nowMs = FIRST_MS;
  await db.pool.query('TRUNCATE bulk_files, bulk_manifests, bulk_periods');
});

const depsOn = (files: FileStore): Deps => ({
  stores,
  files,
  signer: SIGNER,
  bulkReads: reads,
  now: () => nowMs,
  wallMs: () => nowMs,
});

class Killed extends Error {}

/** Everything that a build does to the world, in order; it ends before the step of this number, for good. */
function killedAt(step: number, deps: Deps): Deps {
  let steps = 0;
  const next = (): void => {
    if (steps++ >= step) throw new Killed();
  };
  const put: FileStore['put'] = async (name, content) => {
    async function* half() {
      next();
      for await (const chunk of content) {
        yield chunk;
        next();
      }
    }
    const stored = await deps.files.put(name, half());
    next();
    return stored;
  };
  const publish: Deps['stores']['bulkFiles']['publish'] = async (files) => {
    next();
    await deps.stores.bulkFiles.publish(files);
    next();
  };
  const bulkFiles = { ...deps.stores.bulkFiles, publish };
  return { ...deps, files: { ...deps.files, put }, stores: { ...deps.stores, bulkFiles } };
}

const contentOf = async (files: FileStore, name: string) => {
  const found = await files.open(name);
  return found && (await buffer(found));
};
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Every version that is kept has one manifest, signed, and each file that it names has those bytes. */
async function expectAgreement(files: FileStore): Promise<PeriodManifest[]> {
  const { rows: kept } = await db.pool.query(
    `SELECT f.dataset, f.period, f.version, f.rows, f.built_at, m.text, m.key_id, m.signature,
       array_agg(ARRAY[f.format, f.name, f.sha256, f.bytes::text] ORDER BY f.format) AS files
       FROM bulk_files f FULL JOIN bulk_manifests m USING (dataset, period, version)
      GROUP BY f.dataset, f.period, f.version, f.rows, f.built_at, m.text, m.key_id, m.signature`,
  );
  const manifests: PeriodManifest[] = [];
  for (const { text, key_id, signature, files: stored, ...version } of kept) {
    expect(SIGNER.verifies(text, { algorithm: 'ed25519', key_id, value: signature })).toBe(true);
    const manifest: PeriodManifest = JSON.parse(text);
    expect(canonicalText(manifest)).toBe(text);
    const { dataset, period, version: number, rows, generated_at } = manifest;
    expect({ dataset, period, version: number, rows, built_at: generated_at }).toEqual(version);
    expect(manifest.files.map(({ format }) => format)).toEqual(stored.map(([format]: string[]) => format));
    for (const [i, { bytes, sha256: hash }] of manifest.files.entries()) {
      const content = await contentOf(files, stored[i][1]);
      expect([period, content?.length, content && sha256(content)]).toEqual([period, bytes, hash]);
      expect([stored[i][2], stored[i][3]]).toEqual([hash, `${bytes}`]);
    }
    manifests.push(manifest);
  }
  return manifests;
}

async function buildAll(deps: Deps): Promise<void> {
  for (const due of await dueBulkPeriods(deps)) await buildBulkPeriod(deps, due, alive);
}

let changes = 0;
/** A race is replaced: the rows of two datasets are others. */
const change = () => db.pool.query('UPDATE race_results SET status_note = $1', [`note ${++changes}`]);

const PERIODS = ['2026-11-29', '2026-11-30', '2026-11'];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kill: fc.integer({ min: 0, max: 9 }), period: fc.constantFrom(...PERIODS) }) },
  { weight: 2, arbitrary: fc.constant('build' as const) },
  { weight: 2, arbitrary: fc.constant('change' as const) },
  { weight: 1, arbitrary: fc.constant('sweep' as const) },
);

describe.each(['folder', 'bucket'])('in a %s', (kind) => {
  test('a builder that ends at any step leaves manifests that agree with their files', async () => {
    const files = places[kind]!;
    const deps = depsOn(files);
    let killed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        for (const one of steps) {
          if (one === 'change') await change();
          else if (one === 'sweep') {
            nowMs += 30 * HOUR;
            await sweepBulkFiles(deps, alive);
          } else if (one === 'build') {
            for (const period of PERIODS) await buildBulkPeriod(deps, { dataset: 'results', period }, alive);
          } else {
            const due = { dataset: 'results', period: one.period } as const;
            const ended = await buildBulkPeriod(killedAt(one.kill, deps), due, alive).catch((error) => error);
            if (ended instanceof Error) {
              expect(ended).toBeInstanceOf(Killed);
              killed += 1;
            }
          }
          await expectAgreement(files);
        }
      }),
      { numRuns: runs(kind === 'folder' ? 12 : 6, kind === 'folder' ? 5 : 3) },
    );
    expect(killed).toBeGreaterThan(0);
  });

  test('a reader of a manifest finds the files that it names, or none, while they are built again', async () => {
    const files = places[kind]!;
    const deps = depsOn(files);
    await buildAll(deps);
    await buildAll(deps);
    const [held] = await stores.bulkFiles.manifests('results', ['2026-11-29']);
    const { version, files: named } = JSON.parse(held!.text) as PeriodManifest;
    const read = async (format: string) => {
      const found = await stores.bulkFiles.find({ dataset: 'results', period: '2026-11-29', format }, version);
      const content = found && (await contentOf(files, found.name));
      return content && sha256(content);
    };
    const hashes = () => Promise.all(named.map(({ format }) => read(format)));
    await change();
    nowMs += 24 * HOUR;
    await buildAll(deps);
    const [next] = await stores.bulkFiles.manifests('results', ['2026-11-29']);
    expect(JSON.parse(next!.text)).toMatchObject({ version: version + 1 });
    expect(await hashes()).toEqual(named.map(({ sha256: hash }) => hash));
    nowMs += 49 * HOUR;
    await sweepBulkFiles(deps, alive);
    expect(await hashes()).toEqual(named.map(() => null));
    expect(await stores.bulkFiles.manifest('results', '2026-11-29', version)).toBeNull();
    expect((await expectAgreement(files)).length).toBeGreaterThanOrEqual(3 * DATASETS.length);
  });
});

test('a month’s manifest has the rows and the bounds of its days', async () => {
  const deps = depsOn(places.folder!);
  await buildAll(deps);
  await buildAll(deps);
  for (const { name, sortedBy } of DATASETS) {
    const texts = await stores.bulkFiles.manifests(name, PERIODS);
    const [month, ...days] = texts.map(({ text }): PeriodManifest => JSON.parse(text));
    expect(days.map(({ period }) => period)).toEqual(['2026-11-29', '2026-11-30']);
    expect(month!.rows).toBe(days.reduce((sum, { rows }) => sum + rows, 0));
    expect(month!.sort_key.columns).toEqual(sortedBy);
    expect(month!.schema_version).toBe(days[0]!.schema_version);
    for (const [i, { min, max }] of month!.times.entries()) {
      const ofDays = days.flatMap(({ times }) => [times[i]!.min, times[i]!.max]).filter((at) => at !== null);
      expect([name, min, max]).toEqual([name, ofDays.toSorted()[0] ?? null, ofDays.toSorted().at(-1) ?? null]);
    }
  }
});

test('a month is not built while the manifest of a day is of other files than its parts', async () => {
  const deps = depsOn(places.folder!);
  const due = (period: string) => ({ dataset: 'results', period }) as const;
  for (const period of ['2026-11-29', '2026-11-30']) await buildBulkPeriod(deps, due(period), alive);
  let isBetween = true;
  const manifests: typeof stores.bulkFiles.manifests = async (...of) => {
    if (isBetween) {
      isBetween = false;
      await change();
      expect(await buildBulkPeriod(deps, due('2026-11-29'), alive)).toBe('built');
    }
    return stores.bulkFiles.manifests(...of);
  };
  const overtaken = { ...deps, stores: { ...stores, bulkFiles: { ...stores.bulkFiles, manifests } } };
  expect(await buildBulkPeriod(overtaken, due('2026-11'), alive)).toBe('waiting');
  expect(await stores.bulkFiles.served('results', ['2026-11'])).toEqual([]);
  expect(await buildBulkPeriod(overtaken, due('2026-11'), alive)).toBe('built');
});

test('files without a manifest keep their bytes and version, and get the manifest of a build', async () => {
  const files = places.folder!;
  const deps = depsOn(files);
  await buildAll(deps);
  await buildAll(deps);
  const kept = async () => (await db.pool.query('SELECT * FROM bulk_files ORDER BY name')).rows;
  const signed = async () => (await db.pool.query('SELECT * FROM bulk_manifests ORDER BY text')).rows;
  const before = await kept();
  const manifests = await signed();
  expect(manifests).toHaveLength(3 * DATASETS.length + DATASETS.length);
  await db.pool.query('TRUNCATE bulk_manifests');
  // Rows that changed are built when the day is checked, not when it is signed.
  await change();
  for (const due of await dueBulkPeriods(deps)) expect(await buildBulkPeriod(deps, due, alive)).toBe('signed');
  expect(await dueBulkPeriods(deps)).toEqual([]);
  expect(await kept()).toEqual(before);
  expect(await signed()).toEqual(manifests);
  await expectAgreement(files);
});

test('each file of a day declares the whole order of its dataset', async () => {
  const deps = depsOn(places.folder!);
  await buildAll(deps);
  for (const { name, columns, sortedBy } of DATASETS) {
    const files = await stores.bulkFiles.served(name, ['2026-11-29', '2026-11-30']);
    for (const { name: file } of files.filter(({ format }) => format === 'parquet')) {
      const bytes = (await contentOf(places.folder!, file))!;
      const length = bytes.readUInt32LE(bytes.length - 8);
      const { row_groups, schema } = parquetMetadata(new Uint8Array(bytes.subarray(-8 - length)).buffer);
      expect(schema.slice(1).map((column) => column.name)).toEqual(columns.map((column) => column.name));
      for (const { sorting_columns = [] } of row_groups)
        expect([name, ...sorting_columns.map(({ column_idx }) => columns[column_idx]!.name)]).toEqual([
          name,
          ...sortedBy,
        ]);
    }
  }
});

test('manifests are signed again under a new key, and one that does not verify is left and named', async () => {
  const deps = depsOn(places.folder!);
  await buildAll(deps);
  const signer = createSigner([
    { id: 'new', key: Buffer.alloc(32, 8) },
    { id: 'test', key: Buffer.alloc(32, 7) },
  ]);
  const texts = async () => (await db.pool.query('SELECT text FROM bulk_manifests ORDER BY text')).rows;
  const before = await texts();
  await sweepBulkFiles({ ...deps, signer }, alive);
  const { rows } = await db.pool.query('SELECT text, key_id, signature FROM bulk_manifests');
  for (const { text, key_id, signature } of rows) {
    expect(key_id).toBe('new');
    expect(signer.verifies(text, { algorithm: 'ed25519', key_id, value: signature })).toBe(true);
  }
  expect(await texts()).toEqual(before);
  await db.pool.query(
    `UPDATE bulk_manifests SET text = replace(text, '"rows":', '"rows":1') WHERE dataset = 'results' AND period = '2026-11-30'`,
  );
  await expect(sweepBulkFiles(deps, alive)).rejects.toThrow(/does not verify: .*"period":/);
  const { rows: left } = await db.pool.query(`SELECT key_id FROM bulk_manifests WHERE text LIKE '%"rows":1%'`);
  expect(new Set(left.map(({ key_id }) => key_id))).toEqual(new Set(['new']));
});
