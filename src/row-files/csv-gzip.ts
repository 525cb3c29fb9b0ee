// CSV files in gzip, as two members (RFC 1952 2.2): the header, then the rows. So the files of days are put together by copying their rows.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Column, RowBatches } from './columns';
import { csvHeader, csvLinesOf } from './csv';

/** The member of the header, equal for equal columns. */
export const gzipHead = (columns: readonly Column[]): Buffer => gzipSync(csvHeader(columns));

export async function* csvGzipOf(columns: readonly Column[], batches: RowBatches): AsyncGenerator<Buffer> {
  yield gzipHead(columns);
  const gzip = createGzip();
  const compressed = pipeline(Readable.from(csvLinesOf(columns, batches), { objectMode: false }), gzip);
  // It ends with `gzip`, whose readers get the error.
  compressed.catch(() => {});
  yield* gzip;
  await compressed;
}
