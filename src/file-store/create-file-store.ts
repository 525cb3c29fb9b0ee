// The file store that the settings name.
import type { FileStore } from './file-store';
import { createFolderStore } from './folder';
import { createS3Store, type S3Settings } from './s3';

export interface FileSettings {
  /** Used unless `s3` is set. */
  readonly folder: string;
  readonly s3: S3Settings | null;
}

export const createFileStore = ({ folder, s3 }: FileSettings): FileStore =>
  s3 ? createS3Store(s3) : createFolderStore(folder);
