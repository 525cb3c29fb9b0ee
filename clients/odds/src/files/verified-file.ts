// A file under its final name only once it is whole and proven. Never: a file under that name that is broken off or has
// other bytes than the service states.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError, ConnectionError, FormatError } from '../../../typescript/src/index.ts';
import { CommandError } from '../io/failure.ts';

export interface StatedFile {
  /** In messages. */
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

export interface Fetching {
  readonly signal: AbortSignal;
  /** Bytes that are there, also those of an earlier attempt. */
  readonly onBytes: (bytes: number) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The bytes of the file from `from` on. */
type Parts = (from: number) => AsyncIterable<Uint8Array>;

/** In a row, without a new byte. */
const MOST_ATTEMPTS = 5;

/** Whether the file is there already, with these bytes. */
export async function isThere(path: string, { bytes, sha256 }: StatedFile): Promise<boolean> {
  return (await sizeOf(path)) === bytes && (await sha256Of(path)) === sha256;
}

/**
 * Fetches the file beside its final name and moves it there. What a broken connection left is kept, and continued now
 * or by the next command; what is proven wrong is removed.
 */
export async function fetchFile(path: string, stated: StatedFile, parts: Parts, fetching: Fetching): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // A part of another version has another name.
  const part = join(dirname(path), `.${basename(path)}.${stated.sha256.slice(0, 16)}.part`);
  await fetchPart(part, stated, parts, fetching);
  const found = await sha256Of(part);
  if (found !== stated.sha256) {
    await rm(part);
    throw new CommandError(
      `${stated.name} is refused and removed: its SHA-256 is ${found}, the service states ${stated.sha256}. Try again.`,
    );
  }
  await rename(part, path);
}

async function fetchPart(part: string, stated: StatedFile, parts: Parts, fetching: Fetching): Promise<void> {
  const { signal, onBytes, sleep } = fetching;
  let failures = 0;
  for (;;) {
    let from = (await sizeOf(part)) ?? 0;
    if (from > stated.bytes) {
      await rm(part);
      from = 0;
    }
    onBytes(from);
    if (from === stated.bytes && from > 0) return;
    try {
      await appendAll(part, from, stated, parts(from), onBytes);
      if (((await sizeOf(part)) ?? 0) >= stated.bytes) return;
      throw new ConnectionError(`${stated.name} ended early.`);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failures = ((await sizeOf(part)) ?? 0) > from ? 1 : failures + 1;
      if (error instanceof CommandError || (error instanceof FormatError && from > 0)) await rm(part, { force: true });
      if (!(error instanceof FormatError && from > 0) && !isTransient(error)) throw error;
      if (failures >= MOST_ATTEMPTS) throw error;
      await sleep(500 * 2 ** failures);
    }
  }
}

async function appendAll(
  part: string,
  from: number,
  stated: StatedFile,
  parts: AsyncIterable<Uint8Array>,
  onBytes: Fetching['onBytes'],
): Promise<void> {
  const file = await open(part, from === 0 ? 'w' : 'r+');
  try {
    let at = from;
    for await (const bytes of parts) {
      if (at + bytes.length > stated.bytes)
        throw new CommandError(
          `${stated.name} is refused: it is longer than the ${stated.bytes} bytes that the service states.`,
        );
      await file.write(bytes, 0, bytes.length, at);
      at += bytes.length;
      onBytes(at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
