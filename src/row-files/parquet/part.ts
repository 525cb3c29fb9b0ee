// A Parquet file that becomes part of another: its row groups, to copy with their page index or to read their rows.
import { setImmediate as otherWork } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { type DecodedArray, type ParquetParsers, parquetMetadata, type RowGroup } from 'hyparquet';
import { parquetReadColumn } from 'hyparquet/src/read.js';
import type { Cell, Column, Row, RowBatches } from '../columns';
import { collected, type FilePart } from '../file-part';
import { type ChunkIndex, movedIndex } from './page-index';
import type { EncodedGroup } from './row-group';

export interface ParquetPart {
  /** Of the columns. */
  readonly names: readonly string[];
  readonly groups: readonly RowGroup[];
  isIndexed(group: number): boolean;
  /** The row group as it stands at `offset` of the other file. */
  copied(group: number, offset: number): Promise<EncodedGroup>;
  /** Decodes a column at a time. Other work runs between two columns, and between two batches. */
  rows(group: number, columns: readonly Column[]): RowBatches;
}

const BATCH_ROWS = 8192;

/** The length of the description and the mark. */
const TAIL_BYTES = 8;

export async function parquetPart({ bytes, read }: FilePart): Promise<ParquetPart> {
  const slice = async (start: number, end = bytes) => exact(await collected(read(start, end)));
  const tail = await collected(read(bytes - TAIL_BYTES, bytes));
  const metadata = parquetMetadata(await slice(bytes - TAIL_BYTES - tail.readUInt32LE(0)), { parsers: AS_STORED });
  const { schema, row_groups: groups } = metadata;
  const firstRows = groups.map((_, i) => Number(groups.slice(0, i).reduce((sum, { num_rows }) => sum + num_rows, 0n)));
  return {
    names: schema.slice(1).map(({ name }) => name),
    groups,
    isIndexed: (i) => groups[i]!.columns.every(({ offset_index_offset }) => offset_index_offset !== undefined),
    async copied(i, offset) {
      const group = groups[i]!;
      const start = Number(group.file_offset);
      const by = BigInt(offset - start);
      const content = await collected(read(start, start + Number(group.total_compressed_size)));
      const indexes = await indexesOf(group, (from, until) => collected(read(from, until)));
      const moved = indexes.map((index) => movedIndex(index, by));
      return { bytes: content, rowGroup: movedGroup(group, by), indexes: moved };
    },
    async *rows(i, columns) {
      const rowStart = firstRows[i]!;
      const count = Number(groups[i]!.num_rows);
      const of = { file: { byteLength: bytes, slice }, metadata, rowStart, rowEnd: rowStart + count };
      const cells: DecodedArray[] = [];
      for (const { name } of columns) {
        cells.push(await parquetReadColumn({ ...of, columns: [name], compressors, parsers: AS_CELLS }));
        await otherWork();
      }
      for (let from = 0; from < count; from += BATCH_ROWS) {
        yield rowsOf(cells, from, Math.min(count, from + BATCH_ROWS));
        await otherWork();
      }
    },
  };
}

function rowsOf(cells: readonly DecodedArray[], from: number, until: number): Row[] {
  const rows: Row[] = [];
  for (let place = from; place < until; place++) rows.push(cells.map((column) => column[place] as Cell));
  return rows;
}

const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

/** Bounds as the footer is written with. */
const AS_STORED: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (ms) => ms,
  dateFromDays: (days) => days,
};

const AS_CELLS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (ms) => new Date(Number(ms)).toISOString(),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};

/** The reader wants a buffer with nothing around the bytes. */
const exact = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

/** The indexes of one row group stand beside each other: two reads. */
async function indexesOf(
  { columns }: RowGroup,
  read: (start: number, end: number) => Promise<Buffer>,
): Promise<ChunkIndex[]> {
  const ofColumns = columns.map((one) => [Number(one.column_index_offset), one.column_index_length!] as const);
  const ofPages = columns.map((one) => [Number(one.offset_index_offset), one.offset_index_length!] as const);
  const [columnIndexes, offsetIndexes] = [await cut(ofColumns, read), await cut(ofPages, read)];
  return columns.map((_, i) => ({ columnIndex: columnIndexes[i]!, offsetIndex: offsetIndexes[i]! }));
}

async function cut(
  places: readonly (readonly [offset: number, length: number])[],
  read: (start: number, end: number) => Promise<Buffer>,
): Promise<Buffer[]> {
  const start = Math.min(...places.map(([offset]) => offset));
  const content = await read(start, Math.max(...places.map(([offset, length]) => offset + length)));
  return places.map(([offset, length]) => content.subarray(offset - start, offset - start + length));
}

const plus = (offset: bigint | undefined, by: bigint) => (offset === undefined ? undefined : offset + by);

const movedGroup = (group: RowGroup, by: bigint): RowGroup => ({
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
