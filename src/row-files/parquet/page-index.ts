// The page index of a Parquet file (ColumnIndex and OffsetIndex), by which readers skip pages: written close to the
// footer, and moved when row groups are copied to another file.
import { readOffsetIndex } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';

export interface IndexedPage {
  /** In the file. */
  readonly offset: number;
  readonly bytes: number;
  /** In its row group. */
  readonly firstRow: number;
  /** As Parquet stores values; empty for a page of nulls alone. */
  readonly min: Uint8Array;
  readonly max: Uint8Array;
  readonly nulls: number;
  readonly isNull: boolean;
}

/** Of one column chunk. */
export interface ChunkIndex {
  readonly columnIndex: Buffer;
  readonly offsetIndex: Buffer;
}

/** Pages are not declared in an order: readers then compare with each. */
const UNORDERED = 0;

export const chunkIndexOf = (pages: readonly IndexedPage[]): ChunkIndex => ({
  columnIndex: thrift({
    field_1: pages.map(({ isNull }) => isNull),
    field_2: pages.map(({ min }) => min),
    field_3: pages.map(({ max }) => max),
    field_4: UNORDERED,
    field_5: pages.map(({ nulls }) => BigInt(nulls)),
  }),
  offsetIndex: offsetIndexOf(pages),
});

/** The index of the same pages `by` bytes further on. */
export const movedIndex = ({ columnIndex, offsetIndex }: ChunkIndex, by: bigint): ChunkIndex => {
  const view = new DataView(offsetIndex.buffer, offsetIndex.byteOffset, offsetIndex.byteLength);
  const { page_locations } = readOffsetIndex({ view, offset: 0 });
  const pages = page_locations.map(({ offset, compressed_page_size, first_row_index }) => ({
    offset: Number(offset + by),
    bytes: compressed_page_size,
    firstRow: Number(first_row_index),
  }));
  return { columnIndex, offsetIndex: offsetIndexOf(pages) };
};

const offsetIndexOf = (pages: readonly Pick<IndexedPage, 'offset' | 'bytes' | 'firstRow'>[]): Buffer =>
  thrift({
    field_1: pages.map(({ offset, bytes, firstRow }) => ({
      field_1: BigInt(offset),
      field_2: bytes,
      field_3: BigInt(firstRow),
    })),
  });

function thrift(fields: Parameters<typeof serializeTCompactProtocol>[1]): Buffer {
  const writer = new ByteWriter();
  serializeTCompactProtocol(writer, fields);
  return Buffer.from(writer.getBytes());
}
