// The manifest of bulk files (A 4.13, D47): the files in the file store, and what they were built from. A period's
// formats are published together; a published file never changes.
import type { ClientBase, Pool } from 'pg';
import type { Day, Instant } from '../domain/race/race';
import { type BulkManifestStore, createBulkManifestStore, type SignedManifest } from './bulk-manifests';
import { inTransaction } from './pg/transaction';

interface BulkFileKey {
  readonly dataset: string;
  readonly period: string;
  readonly format: string;
}

export interface BulkFile extends BulkFileKey {
  readonly version: number;
  /** In the file store. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly built_at: Instant;
}

interface BulkPeriod {
  readonly period: string;
  readonly checksum: string;
  readonly columns_key: string;
  readonly built_at: Instant;
  readonly checked_at: Instant;
  /** Whether the served files have one. */
  readonly has_manifest: boolean;
}

export interface NewFiles {
  readonly dataset: string;
  readonly period: string;
  readonly version: number;
  readonly checksum: string;
  readonly columnsKey: string;
  readonly at: Instant;
  readonly files: readonly Omit<BulkFile, 'dataset' | 'period' | 'version' | 'built_at'>[];
  /** Published with them. */
  readonly manifest: SignedManifest;
}

interface BulkListQuery {
  readonly dataset: string | null;
  /** Only days or only months. Default: both. */
  readonly kind?: 'day' | 'month' | null;
  readonly limit: number;
  readonly offset: number;
}

export interface BulkFileStore extends BulkManifestStore {
  /** The first day with a race; null: none is stored. */
  firstDay(): Promise<Day | null>;
  periods(dataset: string): Promise<readonly BulkPeriod[]>;
  /** The served files of these periods, by period. */
  served(dataset: string, periods: readonly string[]): Promise<readonly BulkFile[]>;
  /** A served one, or one of a version that is still kept; null: there is none. */
  find(key: BulkFileKey, version: number | null): Promise<BulkFile | null>;
  /** Served files of periods, the newest period first. */
  list(query: BulkListQuery): Promise<{ readonly total: number; readonly files: readonly BulkFile[] }>;
  /** Which of these versions the account began to download after this instant, and when. Wall time. */
  downloads(accountId: string, names: readonly string[], after: Instant): Promise<ReadonlyMap<string, Instant>>;
  /** Highest version of the period, served or not; 0: none. */
  lastVersion(dataset: string, period: string): Promise<number>;
  /** Serves these in place of the previous version. Rejects if another builder published the version. */
  publish(files: NewFiles): Promise<void>;
  /** Nothing has changed since it was built. */
  checked(dataset: string, period: string, at: Instant): Promise<void>;
  /** Deletes the versions superseded before the first instant, and the downloads started before the second. */
  forget(supersededBefore: Instant, downloadsBefore: Instant): Promise<void>;
  /** Which of these names are published. */
  published(names: readonly string[]): Promise<ReadonlySet<string>>;
}

const FILE = 'dataset, period, format, version, name, sha256, bytes, rows, built_at';

const PERIODS = `
  SELECT period, checksum, columns_key, built_at, checked_at,
         EXISTS (SELECT FROM bulk_files f JOIN bulk_manifests m USING (dataset, period, version)
                  WHERE f.dataset = p.dataset AND f.period = p.period AND f.superseded_at IS NULL) AS has_manifest
    FROM bulk_periods p WHERE dataset = $1`;

const LIST = `
  WITH periods AS (
    SELECT DISTINCT dataset, period FROM bulk_files WHERE superseded_at IS NULL AND ($1::text IS NULL OR dataset = $1)
       AND ($4::text IS NULL OR ($4 = 'day') = (length(period) = 10))),
  page AS (
    SELECT * FROM periods ORDER BY period COLLATE "C" DESC, dataset LIMIT $2 OFFSET $3)
  SELECT ${FILE}, (SELECT count(*) FROM periods)::int AS total
    FROM page JOIN bulk_files f USING (dataset, period) WHERE f.superseded_at IS NULL
   ORDER BY period COLLATE "C" DESC, dataset, format DESC`;

/** Never one that is still free by the database's clock (D37). */
const FORGET_DOWNLOADS = `DELETE FROM bulk_downloads WHERE begun_at < LEAST($1::timestamptz, now() - interval '24 hours')`;

/** A manifest goes with its files. */
const FORGET_FILES = `
  WITH gone AS (
    DELETE FROM bulk_files WHERE superseded_at < $1 RETURNING dataset, period, version)
  DELETE FROM bulk_manifests WHERE (dataset, period, version) IN (SELECT dataset, period, version FROM gone)`;

export function createBulkFileStore(pool: Pool): BulkFileStore {
  return {
    ...createBulkManifestStore(pool),
    async firstDay() {
      const { rows } = await pool.query<{ day: Day | null }>('SELECT min(meeting_date) AS day FROM races');
      return rows[0]!.day;
    },
    async periods(dataset) {
      return (await pool.query<BulkPeriod>(PERIODS, [dataset])).rows;
    },
    async served(dataset, periods) {
      const text = `SELECT ${FILE} FROM bulk_files
        WHERE dataset = $1 AND period = ANY ($2) AND superseded_at IS NULL ORDER BY period COLLATE "C", format`;
      return (await pool.query<BulkFile>(text, [dataset, periods])).rows;
    },
    async find({ dataset, period, format }, version) {
      const text = `SELECT ${FILE} FROM bulk_files
        WHERE dataset = $1 AND period = $2 AND format = $3
          AND CASE WHEN $4::int IS NULL THEN superseded_at IS NULL ELSE version = $4 END`;
      return (await pool.query<BulkFile>(text, [dataset, period, format, version])).rows[0] ?? null;
    },
    async list({ dataset, kind = null, limit, offset }) {
      const { rows } = await pool.query<BulkFile & { total: number }>(LIST, [dataset, limit, offset, kind]);
      return { total: rows[0]?.total ?? 0, files: rows.map(({ total: _, ...file }) => file) };
    },
    async downloads(accountId, names, after) {
      const text =
        'SELECT name, begun_at AS at FROM bulk_downloads WHERE account_id = $1 AND name = ANY ($2) AND begun_at > $3';
      const { rows } = await pool.query<{ name: string; at: Instant }>(text, [accountId, names, after]);
      return new Map(rows.map(({ name, at }) => [name, at]));
    },
    async lastVersion(dataset, period) {
      const text = 'SELECT COALESCE(max(version), 0) AS last FROM bulk_files WHERE dataset = $1 AND period = $2';
      return (await pool.query<{ last: number }>(text, [dataset, period])).rows[0]!.last;
    },
    publish: (files) => inTransaction(pool, (client) => publish(client, files)),
    async checked(dataset, period, at) {
      await pool.query('UPDATE bulk_periods SET checked_at = $3 WHERE dataset = $1 AND period = $2', [
        dataset,
        period,
        at,
      ]);
    },
    async forget(supersededBefore, downloadsBefore) {
      await pool.query(FORGET_DOWNLOADS, [downloadsBefore]);
      await pool.query(FORGET_FILES, [supersededBefore]);
    },
    async published(names) {
      const text = 'SELECT name FROM bulk_files WHERE name = ANY ($1)';
      return new Set((await pool.query<{ name: string }>(text, [names])).rows.map(({ name }) => name));
    },
  };
}

async function publish(client: ClientBase, files: NewFiles): Promise<void> {
  const { dataset, period, version, checksum, columnsKey, at, manifest } = files;
  await client.query(
    'UPDATE bulk_files SET superseded_at = $3 WHERE dataset = $1 AND period = $2 AND superseded_at IS NULL',
    [dataset, period, at],
  );
  for (const { format, name, sha256, bytes, rows } of files.files) {
    const values = [dataset, period, format, version, name, sha256, bytes, rows, at];
    await client.query(`INSERT INTO bulk_files (${FILE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, values);
  }
  const { text, signature } = manifest;
  await client.query(
    'INSERT INTO bulk_manifests (dataset, period, version, text, key_id, signature) VALUES ($1, $2, $3, $4, $5, $6)',
    [dataset, period, version, text, signature.key_id, signature.value],
  );
  await client.query(
    `INSERT INTO bulk_periods (dataset, period, checksum, columns_key, built_at, checked_at) VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (dataset, period) DO UPDATE
        SET checksum = EXCLUDED.checksum, columns_key = EXCLUDED.columns_key, built_at = EXCLUDED.built_at,
            checked_at = EXCLUDED.checked_at`,
    [dataset, period, checksum, columnsKey, at],
  );
}
