// Joins files of equal columns without decoding their rows: row groups and gzip members are copied, and memory contains
// one chunk of them and the written descriptions of the row groups.
import { parquetMetadata, type RowGroup } from 'hyparquet';
import type { Column } from './columns';
import { gzipHead } from './csv-gzip';
import { PARQUET_HEAD, parquetFoot } from './parquet';

/** A finished file. `end` is exclusive. */
export interface FilePart {
  readonly bytes: number;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

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

export async function* composedParquet(
  columns: readonly Column[],
  parts: Iterable<FilePart>,
): AsyncGenerator<Uint8Array> {
  yield PARQUET_HEAD;
  const foot = parquetFoot(columns);
  let offset = PARQUET_HEAD.length;
  for (const part of parts) {
    const { names, groups, footAt } = await footOf(part);
    if (names.join() !== columns.map(({ name }) => name).join())
      throw new Error(`a part has the columns ${names.join(', ')}`);
    if (groups.length === 0) continue;
    yield* part.read(PARQUET_HEAD.length, footAt);
    for (const group of groups) foot.add(moved(group, BigInt(offset - PARQUET_HEAD.length)));
    offset += footAt - PARQUET_HEAD.length;
  }
  yield foot.bytes();
}

/** The length of the description and the mark. */
const TAIL_BYTES = 8;

async function footOf({ bytes, read }: FilePart) {
  const tail = await collected(read(bytes - TAIL_BYTES, bytes));
  const footAt = bytes - TAIL_BYTES - tail.readUInt32LE(0);
  const foot = await collected(read(footAt, bytes));
  const { schema, row_groups } = parquetMetadata(new Uint8Array(foot).buffer);
  return { names: schema.slice(1).map(({ name }) => name), groups: row_groups, footAt };
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const plus = (offset: bigint | undefined, by: bigint) => (offset === undefined ? undefined : offset + by);

const moved = (group: RowGroup, by: bigint): RowGroup => ({
  ...group,
  file_offset: plus(group.file_offset, by),
  columns: group.columns.map((chunk) => ({
    ...chunk,
    file_offset: chunk.file_offset + by,
    ...(chunk.meta_data && {
      meta_data: {
        ...chunk.meta_data,
        data_page_offset: chunk.meta_data.data_page_offset + by,
        dictionary_page_offset: plus(chunk.meta_data.dictionary_page_offset, by),
      },
    }),
  })),
});
