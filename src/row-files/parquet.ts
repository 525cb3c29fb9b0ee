// A table as Parquet: typed columns, instants in UTC, ZSTD, row groups in the order of the rows. Keeps one row group,
// encodes it a column at a time and lets other work run between two columns.
import { setImmediate as otherWork } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import type { RowGroup, SchemaElement, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { type Cell, type Column, type ColumnType, cellCheck, checkWidth, type Row, type RowBatches } from './columns';
import { MAGIC, ParquetFoot } from './parquet-foot';

/** Rows of a row group. More compress little better, and take more memory. */
const ROW_GROUP_ROWS = 8192;

type Physical = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const PHYSICAL: Readonly<Record<ColumnType, Physical>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
};

const elementOf = ({ name, type, nullable }: Column): SchemaElement => ({
  name,
  repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
  ...PHYSICAL[type],
});

const ROOT: SchemaElement = { name: 'schema', repetition_type: 'REQUIRED' };

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { ...ROOT, num_children: columns.length },
  ...columns.map(elementOf),
];

const DAY_MS = 86_400_000;

/** Checks a value and turns it into what Parquet stores. Sorted rows repeat values, so the last one is kept. */
function storedOf(column: Column): (value: Cell) => unknown {
  const { type } = column;
  const check = cellCheck(column);
  if (type === 'instant' || type === 'day') {
    let last: Cell | undefined;
    let stored: unknown = null;
    return (value) => {
      if (value === last) return stored;
      check(value);
      const ms = value === null ? null : Date.parse(value as string);
      last = value;
      stored = ms === null ? null : type === 'day' ? ms / DAY_MS : BigInt(ms);
      return stored;
    };
  }
  return (value) => {
    check(value);
    return type === 'long' && value !== null ? BigInt(value as number | bigint) : value;
  };
}

/** Collects rows as columns. */
class Group {
  private readonly cells: unknown[][];
  private readonly stored: ((value: Cell) => unknown)[];
  rows = 0;

  constructor(readonly columns: readonly Column[]) {
    this.cells = columns.map(() => []);
    this.stored = columns.map(storedOf);
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) checkWidth(this.columns, row);
    for (const [i, stored] of this.stored.entries()) {
      const cells = this.cells[i]!;
      for (const row of rows) cells.push(stored(row[i]!));
    }
    this.rows += rows.length;
  }

  /** Moves the rows to the file that starts `offset` bytes before. */
  async encode(offset: number): Promise<{ bytes: Buffer; rowGroup: RowGroup }> {
    const writer = new ByteWriter(1 << 18);
    writer.offset = offset;
    const chunks = [];
    for (const [i, column] of this.columns.entries()) {
      chunks.push(encodeColumn(writer, column, this.cells[i]!));
      this.cells[i] = [];
      await otherWork();
    }
    const sizes = chunks.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    const rowGroup: RowGroup = {
      columns: chunks,
      num_rows: BigInt(this.rows),
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      total_compressed_size: BigInt(writer.offset - offset),
      file_offset: BigInt(offset),
    };
    this.rows = 0;
    return { bytes: Buffer.from(writer.getBytes()), rowGroup };
  }
}

const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) };

function encodeColumn(writer: ByteWriter, column: Column, values: unknown[]): RowGroup['columns'][number] {
  const element = elementOf(column);
  const { chunk } = writeColumn({
    writer,
    column: {
      columnName: column.name,
      element,
      schemaPath: [ROOT, element],
      codec: 'ZSTD',
      compressors,
      stats: false,
      pageSize: 1 << 20,
      columnIndex: false,
      offsetIndex: false,
    },
    pageData: {
      values,
      definitionLevels: column.nullable ? values.map((value) => (value === null ? 0 : 1)) : [],
      repetitionLevels: [],
      maxDefinitionLevel: column.nullable ? 1 : 0,
    },
  });
  return { ...chunk, meta_data: chunk.meta_data && { ...chunk.meta_data, statistics: boundsOf(column, values) } };
}

/**
 * Bounds by which readers skip row groups. Sorted rows repeat values, so that comparing neighbours first saves most
 * comparisons.
 */
function boundsOf({ type }: Column, values: readonly unknown[]): Statistics {
  const isAfter = type === 'text' ? isTextAfter : isNumberAfter;
  let [min, max, last]: unknown[] = [];
  let nulls = 0;
  for (const value of values) {
    if (value === null) nulls++;
    else if (value !== last) {
      if (min === undefined || isAfter(min, value)) min = value;
      if (max === undefined || isAfter(value, max)) max = value;
      last = value;
    }
  }
  // For both zeros the bounds have to be the outer ones.
  return { min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max, null_count: BigInt(nulls) } as Statistics;
}

const isNumberAfter = (one: unknown, other: unknown): boolean => (one as number) > (other as number);

/** Printable ASCII in JavaScript's order is also in byte order. */
const ASCII = /^[ -~]*$/;
const isTextAfter = (one: unknown, other: unknown): boolean => {
  const a = one as string;
  const b = other as string;
  return ASCII.test(a) && ASCII.test(b) ? a > b : Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;
};

export const PARQUET_HEAD: Buffer = MAGIC;

export const parquetFoot = (columns: readonly Column[]): ParquetFoot => new ParquetFoot(schemaOf(columns));

/** The file in chunks, one per row group. A reader that stops closes the batches too. */
export async function* parquetOf(
  columns: readonly Column[],
  batches: RowBatches,
  rowGroupRows = ROW_GROUP_ROWS,
): AsyncGenerator<Buffer> {
  const foot = parquetFoot(columns);
  const group = new Group(columns);
  let offset = MAGIC.length;
  let ahead = MAGIC;
  const next = async (): Promise<Buffer> => {
    const { bytes, rowGroup } = await group.encode(offset);
    foot.add(rowGroup);
    offset += bytes.length;
    return bytes;
  };
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; ) {
      const until = from + rowGroupRows - group.rows;
      group.add(rows.slice(from, until));
      from = until;
      if (group.rows < rowGroupRows) continue;
      yield Buffer.concat([ahead, await next()]);
      ahead = Buffer.alloc(0);
    }
  }
  const last = group.rows > 0 ? await next() : Buffer.alloc(0);
  yield Buffer.concat([ahead, last, foot.bytes()]);
}
