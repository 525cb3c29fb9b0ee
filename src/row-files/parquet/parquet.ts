// A table as Parquet: typed columns, instants in UTC, ZSTD, row groups in the order of the rows. Keeps one row group,
// encodes it a column at a time and lets other work run between two columns.
import type { SchemaElement } from 'hyparquet';
import type { Column, RowBatches } from '../columns';
import { elementOf, ROOT_ELEMENT } from './encode-column';
import { MAGIC, ParquetFoot } from './foot';
import { STREAM_LAYOUT } from './layout';
import { RowGroupRows } from './row-group';

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { ...ROOT_ELEMENT, num_children: columns.length },
  ...columns.map(elementOf),
];

export const PARQUET_HEAD: Buffer = MAGIC;

export const parquetFoot = (columns: readonly Column[]): ParquetFoot => new ParquetFoot(schemaOf(columns));

/** The file in chunks, one per row group. A reader that stops closes the batches too. */
export async function* parquetOf(
  columns: readonly Column[],
  batches: RowBatches,
  layout = STREAM_LAYOUT,
): AsyncGenerator<Buffer> {
  const foot = parquetFoot(columns);
  const group = new RowGroupRows(columns, layout);
  let offset = MAGIC.length;
  let ahead = MAGIC;
  const next = async (): Promise<Buffer> => {
    const { bytes, rowGroup, indexes } = await group.encode(offset);
    foot.add(rowGroup, indexes);
    offset += bytes.length;
    return bytes;
  };
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; ) {
      from += group.take(rows, from);
      if (!group.isFull) continue;
      yield Buffer.concat([ahead, await next()]);
      ahead = Buffer.alloc(0);
    }
  }
  const last = group.rows > 0 ? await next() : Buffer.alloc(0);
  yield Buffer.concat([ahead, last, foot.bytes(offset)]);
}
