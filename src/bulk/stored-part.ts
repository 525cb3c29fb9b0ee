// A published file, read in parts.
import type { FileStore } from '../file-store/file-store';
import type { FilePart } from '../row-files/file-part';
import type { BulkFile } from '../store/bulk-files';

export interface StoredPartDeps {
  readonly files: FileStore;
  /** Called during the work; may throw to end it. */
  alive(): void;
}

/** Reading throws if the file store lacks the file. */
export const storedPart = (
  { name, bytes }: Pick<BulkFile, 'name' | 'bytes'>,
  { files, alive }: StoredPartDeps,
): FilePart => ({
  bytes,
  async *read(start, end) {
    alive();
    const found = await files.open(name, { start, end });
    if (!found) throw new Error(`${name} is published and not in the file store`);
    yield* found as AsyncIterable<Uint8Array>;
  },
});
