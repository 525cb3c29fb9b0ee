// Files in an S3-compatible store. A file is first written to this machine's temporary folder, because a store wants
// its length before its bytes; the store shows an object when all of it is there.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { byName, checkName, type FileStore, type StoredFile } from './file-store';
import { createFolderStore } from './folder';
import { s3Client } from './s3-client';

export interface S3Settings {
  readonly bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  /** Null: the one of AWS for the region. */
  readonly endpoint: string | null;
  /** Null: as AWS's own tools find them (environment, files, the machine's role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

export interface S3Store extends FileStore {
  close(): void;
}

/** An object of S3 in one request; above it would take parts. */
const MOST_BYTES = 5 * 2 ** 30;

export interface S3Patience {
  /** Milliseconds, for each of the client's tries. */
  readonly connectMs: number;
  /** Until the head of the answer: a body may take as long as its reader. */
  readonly answerMs: number;
}

const PATIENCE: S3Patience = { connectMs: 5000, answerMs: 15_000 };
/** A file is sent before the answer to it. */
const UPLOAD_MS = 3_600_000;

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof s3Client().S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
    throw error;
  }
}

export function createS3Store(
  { bucket, prefix, region, endpoint, credentials }: S3Settings,
  { connectMs, answerMs }: S3Patience = PATIENCE,
): S3Store {
  // A download has a connection for as long as its client reads, and downloads are limited per key: the client's own 50
  // are too few.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  const sdk = s3Client();
  const client = new sdk.S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Stores other than Amazon's refuse the checksums that its client adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const objectOf = (name: string) => ({ Bucket: bucket, Key: prefix + checkName(name) });
  return {
    async put(name, content) {
      const object = objectOf(name);
      const folder = await mkdtemp(join(tmpdir(), 'upload-'));
      try {
        const { bytes } = await createFolderStore(folder).put('file', content);
        if (bytes > MOST_BYTES) throw new Error(`${name} has ${bytes} bytes, and the store takes ${MOST_BYTES}`);
        const body = createReadStream(join(folder, 'file'));
        const upload = new sdk.PutObjectCommand({ ...object, Body: body, ContentLength: bytes });
        await client.send(upload, { requestTimeout: UPLOAD_MS });
        return { name, bytes };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async open(name, range) {
      const bytes = range && { Range: `bytes=${range.start}-${range.end - 1}` };
      const found = await orNull(client.send(new sdk.GetObjectCommand({ ...objectOf(name), ...bytes })));
      return found && (found.Body as Readable);
    },
    async stat(name) {
      const found = await orNull(client.send(new sdk.HeadObjectCommand(objectOf(name))));
      return found && { name, bytes: found.ContentLength ?? 0 };
    },
    async list(folder) {
      const files: StoredFile[] = [];
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix + folder })) {
        for (const { Key = '', Size = 0 } of page.Contents ?? [])
          files.push({ name: Key.slice(prefix.length), bytes: Size });
      }
      return files.sort(byName);
    },
    async delete(name) {
      await client.send(new sdk.DeleteObjectCommand(objectOf(name)));
    },
    close: () => client.destroy(),
  };
}
