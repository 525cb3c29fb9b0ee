// Signs a manifest of files that an earlier release published without one. They stay as they are: the bounds are read
// from the Parquet file.
import { parquetPart } from '../../row-files/parquet/part';
import type { BulkFile, BulkFileStore } from '../../store/bulk-files';
import { columnsKey, type Dataset, type Format } from '../catalogue';
import { type StoredPartDeps, storedPart } from '../stored-part';
import { boundsOfRows } from './bounds';
import { manifestText, type RowBounds } from './period-manifest';
import type { Signer } from './signer';

interface SignServedDeps extends StoredPartDeps {
  readonly manifest: Pick<BulkFileStore, 'periods' | 'served' | 'addManifest'>;
  readonly signer: Pick<Signer, 'sign'>;
}

/** False: there is nothing to sign. Files of other columns are left to the build. */
export async function signServed(dataset: Dataset, period: string, deps: SignServedDeps): Promise<boolean> {
  const { manifest, signer } = deps;
  const key = columnsKey(dataset);
  const stored = (await manifest.periods(dataset.name)).find((one) => one.period === period);
  if (!stored || stored.has_manifest || stored.columns_key !== key) return false;
  const files = await manifest.served(dataset.name, [period]);
  const parquet = files.find(({ format }) => format === 'parquet');
  if (!parquet) return false;
  const { version, rows, built_at: generated_at } = parquet;
  const of = { dataset: dataset.name, period, version };
  const all = files.map((file) => ({ ...file, format: file.format as Format }));
  const text = manifestText(
    { ...of, schema_version: key, rows, generated_at },
    await boundsOf(dataset, parquet, deps),
    all,
  );
  await manifest.addManifest(of, { text, signature: signer.sign(text) });
  return true;
}

async function boundsOf(dataset: Dataset, file: BulkFile, deps: StoredPartDeps): Promise<RowBounds> {
  const { groups, rows } = await parquetPart(storedPart(file, deps));
  const found = boundsOfRows(dataset);
  for (const i of groups.keys()) for await (const batch of rows(i, dataset.columns)) found.add(batch);
  return found.bounds();
}
