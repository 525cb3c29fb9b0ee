// Builds the files of a period and publishes them with their signed manifest (D47): a day from its rows, a month from
// the files of its days. A failed build leaves what is published unchanged; its own files are swept later.
import { createHash, randomBytes } from 'node:crypto';
import type { Day } from '../domain/race/race';
import type { FileStore } from '../file-store/file-store';
import type { Column, RowBatches } from '../row-files/columns';
import { composedCsvGzip, composedParquet } from '../row-files/compose';
import { csvLines } from '../row-files/csv';
import { csvGzipOf, csvGzipOfLines } from '../row-files/csv-gzip';
import { fileLayout } from '../row-files/parquet/layout';
import { parquetOf } from '../row-files/parquet/parquet';
import { split } from '../row-files/split';
import type { BulkFile, BulkFileStore, NewFiles } from '../store/bulk-files';
import { columnsKey, type Dataset, type DatasetName, datasetNamed, EXTENSIONS, type Format } from './catalogue';
import { boundsOfRows, joinedBounds } from './manifest/bounds';
import { manifestText, type PeriodManifest, type RowBounds } from './manifest/period-manifest';
import { signServed } from './manifest/sign-served';
import type { Signer } from './manifest/signer';
import { type BulkPeriod, daysOf, endMs } from './periods';
import type { RowSource } from './rows/sources';
import { storedPart } from './stored-part';

export interface BuildDeps {
  readonly files: FileStore;
  readonly manifest: BulkFileStore;
  readonly signer: Pick<Signer, 'sign'>;
  readonly sources: Readonly<Record<DatasetName, RowSource>>;
  /** Race time, epoch milliseconds. */
  now(): number;
  /** Called during the work; may throw to end it. */
  alive(): void;
}

/** Race time: how long a day waits for rows that may still come. */
const WAITS_MS = 48 * 3_600_000;

/** `signed`: files that were published without a manifest have one now. */
export type Outcome = 'built' | 'signed' | 'unchanged' | 'waiting';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `from`: the first day with rows. */
export async function buildPeriod(name: DatasetName, period: BulkPeriod, from: Day, deps: BuildDeps): Promise<Outcome> {
  const dataset = datasetNamed(name);
  if (await signServed(dataset, period.id, deps)) return 'signed';
  return period.kind === 'day' ? buildDay(dataset, period, deps) : buildMonth(dataset, period, from, deps);
}

async function buildDay(dataset: Dataset, period: BulkPeriod, deps: BuildDeps): Promise<Outcome> {
  const { columns, name, sortedBy } = dataset;
  const layout = fileLayout(sortedBy);
  const source = deps.sources[name];
  const isOld = deps.now() - endMs(period) > WAITS_MS;
  if (source.isReady && !(await source.isReady(period.id, isOld))) return 'waiting';
  // Before the rows are read, so that the next check finds a change in between.
  const checksum = await (source.checksum?.(period.id) ?? checksumOf(columns, source.rows(period.id)));
  return publishIfNew(dataset, period, checksum, deps, async (put) => {
    const rows = counted(dataset, source.rows(period.id), deps.alive);
    if (source.lines) {
      await put('parquet', parquetOf(columns, rows.batches, layout));
      await put('csv', csvGzipOfLines(columns, watched(source.lines(period.id), deps.alive)));
      // Two readings: both cover exactly these rows only if the rows are unchanged.
      return (await source.checksum?.(period.id)) === checksum ? rows.facts() : null;
    }
    const [one, other, stop] = split(rows.batches);
    const both = [put('parquet', parquetOf(columns, one, layout)), put('csv', csvGzipOf(columns, other))];
    try {
      await Promise.all(both);
    } catch (error) {
      await stop();
      // Neither leaves an open file.
      await Promise.allSettled(both);
      throw error;
    }
    return rows.facts();
  });
}

async function buildMonth(dataset: Dataset, period: BulkPeriod, from: Day, deps: BuildDeps): Promise<Outcome> {
  const days = daysOf(period, from);
  const parts = await deps.manifest.served(dataset.name, days);
  const of = (format: Format): readonly BulkFile[] => parts.filter((file) => file.format === format);
  if (days.length === 0 || of('parquet').length < days.length || of('csv').length < days.length) return 'waiting';
  const signed = await deps.manifest.manifests(dataset.name, days);
  const manifests = signed.map(({ text }): PeriodManifest => JSON.parse(text));
  // A day may have been built again between the two readings.
  if (!areOf(parts, manifests)) return 'waiting';
  const { columns, sortedBy } = dataset;
  return publishIfNew(dataset, period, digest(parts.map(({ sha256 }) => sha256).join()), deps, async (put) => {
    const partsOf = (format: Format) => of(format).map((file) => storedPart(file, deps));
    await put('parquet', composedParquet(columns, partsOf('parquet'), fileLayout(sortedBy)));
    await put('csv', composedCsvGzip(columns, partsOf('csv')));
    const rows = of('parquet').reduce((sum, file) => sum + file.rows, 0);
    return { rows, bounds: joinedBounds(dataset, manifests) };
  });
}

/** Whether each part is a file of its day's manifest. */
function areOf(parts: readonly BulkFile[], manifests: readonly PeriodManifest[]): boolean {
  const byDay = new Map(manifests.map(({ period, files }) => [period, files]));
  return parts.every(({ period, sha256 }) => byDay.get(period)?.some((file) => file.sha256 === sha256));
}

type Put = (format: Format, content: AsyncIterable<Uint8Array>) => Promise<void>;

interface RowFacts {
  readonly rows: number;
  readonly bounds: RowBounds;
}

/** `write` resolves to the facts of the rows; null: they changed meanwhile, and the next check builds them. */
async function publishIfNew(
  dataset: Dataset,
  { id: period }: BulkPeriod,
  checksum: string,
  { files, manifest, signer, now }: BuildDeps,
  write: (put: Put) => Promise<RowFacts | null>,
): Promise<Outcome> {
  const key = columnsKey(dataset);
  const at = new Date(now()).toISOString();
  const before = (await manifest.periods(dataset.name)).find((one) => one.period === period);
  if (before?.checksum === checksum && before.columns_key === key) {
    await manifest.checked(dataset.name, period, at);
    return 'unchanged';
  }
  const version = (await manifest.lastVersion(dataset.name, period)) + 1;
  // A builder that was taken for dead may still write, so each has its own names.
  const stem = `${dataset.name}/${period}.v${version}.${randomBytes(4).toString('hex')}`;
  const written: (Omit<NewFiles['files'][number], 'rows' | 'format'> & { readonly format: Format })[] = [];
  const put: Put = async (format, content) => {
    const hash = createHash('sha256');
    const { name, bytes } = await files.put(`${stem}.${EXTENSIONS[format]}`, hashed(content, hash));
    written.push({ format, name, bytes, sha256: hash.digest('hex') });
  };
  const facts = await write(put);
  if (facts === null) return 'waiting';
  const { rows, bounds } = facts;
  const of = { dataset: dataset.name, period, version };
  const all = written.map((file) => ({ ...file, rows }));
  const text = manifestText({ ...of, schema_version: key, rows, generated_at: at }, bounds, all);
  const signed = { text, signature: signer.sign(text) };
  await manifest.publish({ ...of, checksum, columnsKey: key, at, files: all, manifest: signed });
  return 'built';
}

async function checksumOf(columns: readonly Column[], batches: RowBatches): Promise<string> {
  const hash = createHash('sha256');
  const lines = csvLines(columns);
  for await (const rows of batches) hash.update(lines(rows));
  return hash.digest('hex');
}

function counted(dataset: Dataset, batches: RowBatches, alive: () => void) {
  let count = 0;
  const found = boundsOfRows(dataset);
  async function* passing() {
    for await (const rows of watched(batches, alive)) {
      count += rows.length;
      found.add(rows);
      yield rows;
    }
  }
  return { batches: passing(), facts: (): RowFacts => ({ rows: count, bounds: found.bounds() }) };
}

async function* watched<T>(batches: AsyncIterable<T>, alive: () => void): AsyncGenerator<T> {
  for await (const batch of batches) {
    alive();
    yield batch;
  }
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: { update(chunk: Uint8Array): unknown }) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
