// Presents the catalogue of bulk files, and their manifests.
import type { Static } from '@sinclair/typebox';
import { DATASETS, type Dataset, type DatasetName, type Format } from '../../../bulk/catalogue';
import type { PeriodManifest } from '../../../bulk/manifest/period-manifest';
import type { BulkFile } from '../../../store/bulk-files';
import type { SignedManifest } from '../../../store/bulk-manifests';
import type { BulkDatasets } from './datasets-schema';
import type { BulkSignedManifest } from './manifest-schema';

type Wire = Static<typeof BulkDatasets>;

interface Page {
  readonly dataset: DatasetName | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** `files`: those of one period are adjacent. */
export function presentDatasets(total: number, files: readonly BulkFile[], page: Page, baseUrl: string): Wire {
  const rows: Wire['rows'] = [];
  for (const file of files) {
    const { dataset, period, version, rows: count, built_at } = file;
    const last = rows.at(-1);
    const row =
      last?.dataset === dataset && last.period === period
        ? last
        : { dataset: dataset as DatasetName, period, version, rows: count, generated_at: built_at, files: [] };
    if (row !== last) rows.push(row);
    row.files.push(presentFile(file, baseUrl));
  }
  return {
    datasets: DATASETS.filter(({ name }) => page.dataset === undefined || name === page.dataset).map(presentDataset),
    rows_returned: rows.length,
    total_rows: total,
    limit: page.limit,
    offset: page.offset,
    rows,
  };
}

const presentDataset = ({ name, description, from, sortedBy, columns }: Dataset): Wire['datasets'][number] => ({
  dataset: name,
  description,
  available_from: from,
  sorted_by: [...sortedBy],
  columns: columns.map((one) => ({ ...one })),
});

const presentFile = ({ dataset, period, format, bytes, sha256 }: BulkFile, baseUrl: string) => ({
  format: format as Format,
  bytes,
  sha256,
  url: `${baseUrl}/v1/bulk/${dataset}/${period}?format=${format}`,
});

export function presentManifest(
  { text, signature }: SignedManifest,
  baseUrl: string,
): Static<typeof BulkSignedManifest> {
  const manifest: PeriodManifest = JSON.parse(text);
  const { dataset, period, version, sort_key, times } = manifest;
  const address = `${baseUrl}/v1/bulk/${dataset}/${period}`;
  const { columns, first, last } = sort_key;
  return {
    manifest: {
      ...manifest,
      sort_key: { columns: [...columns], first: first && [...first], last: last && [...last] },
      times: [...times],
      files: [...manifest.files],
    },
    signature,
    sources: manifest.files.map(({ format }) => ({ format, url: `${address}?format=${format}&version=${version}` })),
  };
}
