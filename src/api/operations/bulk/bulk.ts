// The bulk files that customers may fetch: the manifest's list, one file, and why a file is missing (D47).
import { type DatasetName, datasetNamed, EXTENSIONS, type Format } from '../../../bulk/catalogue';
import type { PublicKey } from '../../../bulk/manifest/signer';
import { BUILT_AFTER_MS, type BulkPeriod, endMs } from '../../../bulk/periods';
import { AppError } from '../../../errors';
import type { FileStore } from '../../../file-store/file-store';
import type { BulkFile, BulkFileStore } from '../../../store/bulk-files';
import type { SignedManifest } from '../../../store/bulk-manifests';
import type { FileReply } from '../../kernel/http/response/reply';

export interface BulkStores {
  readonly manifest: BulkFileStore;
  readonly files: FileStore;
  /** That verify manifests, the newest first. */
  readonly keys: readonly PublicKey[];
}

export interface BulkShelf extends Pick<BulkStores, 'keys'> {
  list: BulkFileStore['list'];
  /** `version` null: the served one. Throws `not_found` with the reason. */
  find(dataset: DatasetName, period: BulkPeriod, format: Format, version: number | null): Promise<FileReply>;
  /** The same of the manifest of the period’s files. */
  manifest(dataset: DatasetName, period: BulkPeriod, version: number | null): Promise<SignedManifest>;
}

const TYPES: Readonly<Record<Format, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'application/gzip',
};
export const BULK_TYPES = Object.values(TYPES);

/** `now`: race time, epoch milliseconds. */
export function createBulkShelf({ manifest, files, keys }: BulkStores, now: () => number): BulkShelf {
  return {
    keys,
    list: (query) => manifest.list(query),
    async find(dataset, period, format, version) {
      const found = await manifest.find({ dataset, period: period.id, format }, version);
      if (!found) throw new AppError('not_found', whyNot(dataset, period, version, now()));
      const { name, sha256, bytes } = found;
      return {
        name,
        sha256,
        bytes,
        type: TYPES[format],
        fileName: `${dataset}-${period.id}.${EXTENSIONS[format]}`,
        open: (range) => files.open(name, range),
      };
    },
    async manifest(dataset, period, version) {
      const found = await manifest.manifest(dataset, period.id, version);
      if (found) return found;
      // Those of an earlier release.
      const file = await manifest.find({ dataset, period: period.id, format: 'csv' }, version);
      throw new AppError('not_found', file ? notSigned(file) : whyNot(dataset, period, version, now()));
    },
  };
}

const notSigned = ({ dataset, period, version }: BulkFile): string =>
  `Version ${version} of ${dataset} ${period} has no manifest yet: the next version of its files has one.`;

function whyNot(name: DatasetName, period: BulkPeriod, version: number | null, nowMs: number): string {
  const { from } = datasetNamed(name);
  const readyMs = endMs(period) + BUILT_AFTER_MS;
  const readyAt = new Date(readyMs).toISOString();
  if (period.lastDay < from) return `${name} begins on ${from}: there is no file of ${period.id}.`;
  if (readyMs > nowMs) return `${period.id} is not complete yet: its files are built from ${readyAt} on.`;
  if (version !== null)
    return `Version ${version} of ${name} ${period.id} is not stored: a replaced version stays for 48 hours.`;
  return `The files of ${name} ${period.id} are not built yet, or no race of that time is stored. GET /v1/bulk/datasets lists what there is.`;
}
