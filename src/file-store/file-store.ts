// Where files for customers are stored: a folder or an S3-compatible store, behind one interface. A file appears whole
// or not at all and never changes under its name.
import type { Readable } from 'node:stream';

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** `end` is exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileStore {
  /**
   * Resolves when the file is safe. A failure before that leaves no file, and an existing one of that name unchanged.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile>;
  /** Null: there is no such file. Destroying the stream ends the reading. */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  stat(name: string): Promise<StoredFile | null>;
  /** By name, those below a folder (`results/`); an empty one: all. */
  list(folder: string): Promise<readonly StoredFile[]>;
  /** Deleting a missing file succeeds. */
  delete(name: string): Promise<void>;
}

const NAME = /^[a-z0-9][\w.-]*(\/[a-z0-9][\w.-]*)*$/i;

/** Throws for a name that could lead out of the store. */
export function checkName(name: string): string {
  if (!NAME.test(name)) throw new Error(`'${name}' is not a name of a stored file`);
  return name;
}

/** Ascending, as both stores list. */
export const byName = (one: StoredFile, other: StoredFile): number => (one.name < other.name ? -1 : 1);
