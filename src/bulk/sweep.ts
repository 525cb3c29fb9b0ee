// Deletes from the file store what is no longer served (D47): versions superseded for two days, and leftovers of
// builders that did not publish.
import type { FileStore } from '../file-store/file-store';
import type { BulkFileStore } from '../store/bulk-files';
import { DATASETS } from './catalogue';

const HOUR_MS = 3_600_000;
const SUPERSEDED_FOR_MS = 48 * HOUR_MS;
/** Longer than a download is charged for, and by the wall clock as that is. */
const DOWNLOADS_FOR_MS = 48 * HOUR_MS;

export interface SweepDeps {
  readonly files: FileStore;
  readonly manifest: BulkFileStore;
  /** Race time, epoch milliseconds. */
  now(): number;
  wallMs(): number;
  alive(): void;
}

/** Resolves to the number of deleted files. */
export async function sweepFiles({ files, manifest, now, wallMs, alive }: SweepDeps): Promise<number> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  await manifest.forget(iso(now() - SUPERSEDED_FOR_MS), iso(wallMs() - DOWNLOADS_FOR_MS));
  let gone = 0;
  for (const { name: dataset } of DATASETS) {
    const stored = (await files.list(`${dataset}/`)).map(({ name }) => name);
    const published = await manifest.published(stored);
    for (const name of stored.filter((one) => !published.has(one))) {
      const [, period, version] = /^\w+\/([\d-]+)\.v(\d+)\./.exec(name) ?? [];
      // A later version may be in progress, and the last one may have been published meanwhile.
      if (period !== undefined && Number(version) > (await manifest.lastVersion(dataset, period))) continue;
      if ((await manifest.published([name])).has(name)) continue;
      await files.delete(name);
      gone += 1;
      alive();
    }
  }
  return gone;
}
