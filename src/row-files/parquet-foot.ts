// The end of a Parquet file, which describes its row groups. It keeps the written description of each as bytes: a month
// has thousands of column chunks, and as objects they take hundreds of megabytes.
import type { FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';

export const MAGIC = Buffer.from('PAR1');
const CREATED_BY = 'racing-odds-service';
const LENGTH_BYTES = 4;

export class ParquetFoot {
  private readonly rowGroups: Buffer[] = [];
  private rows = 0n;

  private readonly empty: Buffer;

  /** The first element is the root. */
  constructor(private readonly schema: SchemaElement[]) {
    this.empty = this.described([], 0n);
  }

  add(rowGroup: RowGroup): void {
    const one = this.described([rowGroup], 0n);
    const at = listAt(this.empty, one) + 1;
    this.rowGroups.push(Buffer.from(one.subarray(at, at + one.length - this.empty.length)));
    this.rows += rowGroup.num_rows;
  }

  /** The description, its length and the mark. */
  bytes(): Buffer {
    const without = this.described([], this.rows);
    const at = listAt(without, this.described([NONE], this.rows));
    const parts = [without.subarray(0, at), listOf(this.rowGroups.length), ...this.rowGroups, without.subarray(at + 1)];
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0));
    return Buffer.concat([...parts, length, MAGIC]);
  }

  private described(row_groups: RowGroup[], num_rows: bigint): Buffer {
    const writer = new ByteWriter();
    const whole = { version: 2, created_by: CREATED_BY, schema: this.schema, num_rows, row_groups };
    writeMetadata(writer, whole as unknown as FileMetaData);
    return Buffer.from(writer.buffer, 0, writer.index - LENGTH_BYTES);
  }
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
