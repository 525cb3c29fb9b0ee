// CSV files in gzip, as two members (RFC 1952 2.2): the header, then the rows. So the files of days are joined by
// copying their rows.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { Column, RowBatches } from './columns';
import { csvHeader, csvLinesOf, type LineBatches } from './csv';

/** The member of the header, equal for equal columns. */
export const gzipHead = (columns: readonly Column[]): Buffer => gzipSync(csvHeader(columns));

export const csvGzipOf = (columns: readonly Column[], batches: RowBatches): AsyncGenerator<Buffer> =>
  csvGzipOfLines(columns, csvLinesOf(columns, batches));

/** The same for existing lines. */
export async function* csvGzipOfLines(columns: readonly Column[], batches: LineBatches): AsyncGenerator<Buffer> {
  yield gzipHead(columns);
  const gzip = createGzip();
  const compressed = pipeline(Readable.from(oneByOne(batches), { objectMode: false }), gzip);
  // It ends with `gzip`, whose readers get the error.
  compressed.catch(() => {});
  yield* gzip;
  await compressed;
}

async function* oneByOne(batches: LineBatches): AsyncGenerator<string> {
  for await (const texts of batches) yield* texts;
}
