// The files of bulk datasets: which periods are due, building one of them, deleting old files, and signing again what
// an older key has signed.
import { buildPeriod, type Outcome } from '../bulk/build';
import { columnsKey, DATASETS, type DatasetName, datasetNamed } from '../bulk/catalogue';
import { resignManifests } from '../bulk/manifest/resign';
import { type BulkPeriod, periodOf, periodsDue } from '../bulk/periods';
import { createRowSources } from '../bulk/rows/sources';
import { sweepFiles } from '../bulk/sweep';
import type { Day } from '../domain/race/race';
import type { ActivityDeps } from './deps';

type BulkDeps = Pick<ActivityDeps, 'now' | 'wallMs' | 'files' | 'signer' | 'bulkReads'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'bulkFiles'>;
};

export interface DuePeriod {
  readonly dataset: DatasetName;
  readonly period: string;
}

/** Per run: the rest is due in the next. */
export const MOST_PERIODS = 200;

/** Days of every dataset before older days of any. */
export async function dueBulkPeriods({ stores: { bulkFiles }, now }: BulkDeps): Promise<readonly DuePeriod[]> {
  const firstDay = await bulkFiles.firstDay();
  if (firstDay === null) return [];
  const due: (DuePeriod & Pick<BulkPeriod, 'kind'>)[] = [];
  for (const dataset of DATASETS) {
    const stored = await bulkFiles.periods(dataset.name);
    const built = stored.map(({ period, columns_key, built_at, checked_at, has_manifest }) => ({
      period,
      columnsKey: columns_key,
      builtMs: Date.parse(built_at),
      checkedMs: Date.parse(checked_at),
      hasManifest: has_manifest,
    }));
    const periods = periodsDue(fromOf(dataset.name, firstDay), built, columnsKey(dataset), now());
    due.push(...periods.map(({ id, kind }) => ({ dataset: dataset.name, period: id, kind })));
  }
  const inOrder = due.sort((a, b) => (a.kind === b.kind ? order(b.period, a.period) : a.kind === 'day' ? -1 : 1));
  return inOrder.slice(0, MOST_PERIODS).map(({ dataset, period }) => ({ dataset, period }));
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const fromOf = (dataset: DatasetName, firstDay: Day): Day => {
  const { from } = datasetNamed(dataset);
  return firstDay > from ? firstDay : from;
};

export async function buildBulkPeriod(deps: BulkDeps, due: DuePeriod, alive: () => void): Promise<Outcome> {
  const { stores, files, signer, bulkReads, now } = deps;
  const firstDay = await stores.bulkFiles.firstDay();
  const period = periodOf(due.period);
  if (firstDay === null || period === null) return 'waiting';
  const sources = createRowSources(bulkReads);
  const build = { files, manifest: stores.bulkFiles, signer, sources, now, alive };
  return buildPeriod(due.dataset, period, fromOf(due.dataset, firstDay), build);
}

/** Resolves to the number of deleted files. */
export async function sweepBulkFiles(deps: BulkDeps, alive: () => void): Promise<number> {
  const { files, signer, now, wallMs } = deps;
  const manifest = deps.stores.bulkFiles;
  const gone = await sweepFiles({ files, manifest, now, wallMs, alive });
  await resignManifests({ manifest, signer, alive });
  return gone;
}
