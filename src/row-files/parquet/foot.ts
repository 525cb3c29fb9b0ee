// The end of a Parquet file: the page index, if it has one, and the description of its row groups. It keeps each
// description as bytes: a month has thousands of column chunks, and as objects they take hundreds of megabytes.
import { deserialize, serialize } from 'node:v8';
import type { FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { ChunkIndex } from './page-index';

export const MAGIC = Buffer.from('PAR1');
const CREATED_BY = 'racing-odds-service';
const LENGTH_BYTES = 4;

interface Described {
  readonly rowGroup: Buffer;
  /** By column; none: the file has no page index. */
  readonly indexes: readonly ChunkIndex[];
}

export class ParquetFoot {
  private readonly groups: Described[] = [];
  private rows = 0n;

  private readonly empty: Buffer;

  /** The first element is the root. */
  constructor(private readonly schema: SchemaElement[]) {
    this.empty = this.described([], 0n);
  }

  add(rowGroup: RowGroup, indexes: readonly ChunkIndex[]): void {
    this.groups.push({ rowGroup: serialize(rowGroup), indexes });
    this.rows += rowGroup.num_rows;
  }

  /** From `offset` in the file on: the page index, the description, its length and the mark. */
  bytes(offset: number): Buffer {
    const indexes = this.groups.flatMap((group) => group.indexes);
    const columns = indexes.map(({ columnIndex }) => columnIndex);
    const pages = indexes.map(({ offsetIndex }) => offsetIndex);
    const at = { column: offset, page: offset + bytesOf(columns) };
    const without = this.described([], this.rows);
    const listed = listAt(without, this.described([NONE], this.rows));
    const rowGroups = this.groups.map((group) => this.listed(located(group, at)));
    const description = [
      without.subarray(0, listed),
      listOf(rowGroups.length),
      ...rowGroups,
      without.subarray(listed + 1),
    ];
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytesOf(description));
    return Buffer.concat([...columns, ...pages, ...description, length, MAGIC]);
  }

  /** The row group as a list of them has it. */
  private listed(rowGroup: RowGroup): Buffer {
    const one = this.described([rowGroup], 0n);
    const at = listAt(this.empty, one) + 1;
    return Buffer.from(one.subarray(at, at + one.length - this.empty.length));
  }

  private described(row_groups: RowGroup[], num_rows: bigint): Buffer {
    const writer = new ByteWriter();
    const whole = { version: 2, created_by: CREATED_BY, schema: this.schema, num_rows, row_groups };
    writeMetadata(writer, whole as unknown as FileMetaData);
    return Buffer.from(writer.buffer, 0, writer.index - LENGTH_BYTES);
  }
}

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** The row group with the places of its page index. Moves `at` behind them. */
function located({ rowGroup, indexes }: Described, at: { column: number; page: number }): RowGroup {
  const group: RowGroup = deserialize(rowGroup);
  for (const [i, { columnIndex, offsetIndex }] of indexes.entries()) {
    Object.assign(group.columns[i]!, {
      column_index_offset: BigInt(at.column),
      column_index_length: columnIndex.length,
      offset_index_offset: BigInt(at.page),
      offset_index_length: offsetIndex.length,
    });
    at.column += columnIndex.length;
    at.page += offsetIndex.length;
  }
  return group;
}

const NONE: RowGroup = { columns: [], total_byte_size: 0n, num_rows: 0n };

/**
 * Where the list of row groups begins: descriptions with none and with one differ there first, in the byte that has
 * type and number.
 */
const listAt = (without: Buffer, one: Buffer): number => without.findIndex((byte, i) => byte !== one[i]);

const STRUCT = 12;
/** More are counted after the byte, seven bits at a time (Thrift's compact protocol). */
const COUNTED_APART = 15;

function listOf(length: number): Buffer {
  if (length === 0) return Buffer.from([STRUCT]);
  if (length < COUNTED_APART) return Buffer.from([(length << 4) | STRUCT]);
  const bytes = [(COUNTED_APART << 4) | STRUCT];
  for (let left = length; left > 0; left >>>= 7) bytes.push((left & 127) | (left > 127 ? 128 : 0));
  return Buffer.from(bytes);
}
