// Joins files of equal columns: gzip members and full row groups are copied without decoding their rows, and memory
// contains one row group and the written descriptions of all.
import type { Column } from './columns';
import { gzipHead } from './csv-gzip';
import { collected, type FilePart } from './file-part';
import type { ParquetLayout } from './parquet/layout';
import { PARQUET_HEAD, parquetFoot } from './parquet/parquet';
import { parquetPart } from './parquet/part';
import { type EncodedGroup, RowGroupRows } from './parquet/row-group';

/** Throws if a part was written with another compression of the header, because its rows begin elsewhere. */
export async function* composedCsvGzip(
  columns: readonly Column[],
  parts: Iterable<FilePart>,
): AsyncGenerator<Uint8Array> {
  const head = gzipHead(columns);
  yield head;
  for (const { bytes, read } of parts) {
    const found = await collected(read(0, Math.min(head.length, bytes)));
    if (!found.equals(head)) throw new Error('a part has another header');
    yield* read(head.length, bytes);
  }
}

/**
 * Full row groups are copied. Smaller ones, of days with fewer rows, are put together: their rows are read, and written
 * again.
 */
export async function* composedParquet(
  columns: readonly Column[],
  parts: Iterable<FilePart>,
  layout: ParquetLayout,
): AsyncGenerator<Uint8Array> {
  yield PARQUET_HEAD;
  const foot = parquetFoot(columns);
  const rest = new RowGroupRows(columns, layout);
  let offset = PARQUET_HEAD.length;
  const add = ({ bytes, rowGroup, indexes }: EncodedGroup): Buffer => {
    foot.add(rowGroup, indexes);
    offset += bytes.length;
    return bytes;
  };
  for (const part of parts) {
    const described = await parquetPart(part);
    const { names, groups } = described;
    if (names.join() !== columns.map(({ name }) => name).join())
      throw new Error(`a part has the columns ${names.join(', ')}`);
    for (const [i, group] of groups.entries()) {
      if (Number(group.num_rows) >= layout.groupRows && described.isIndexed(i)) {
        if (rest.rows > 0) yield add(await rest.encode(offset));
        yield add(await described.copied(i, offset));
        continue;
      }
      for await (const rows of described.rows(i, columns)) {
        for (let from = 0; from < rows.length; ) {
          from += rest.take(rows, from);
          if (rest.isFull) yield add(await rest.encode(offset));
        }
      }
    }
  }
  if (rest.rows > 0) yield add(await rest.encode(offset));
  yield foot.bytes(offset);
}
