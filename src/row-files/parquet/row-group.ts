// Collects rows as the columns of a row group, and encodes them.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { type Cell, type Column, cellCheck, checkWidth, type Row } from '../columns';
import { isAfterOf } from '../order';
import { encodeColumn } from './encode-column';
import type { ParquetLayout } from './layout';
import { type ChunkIndex, chunkIndexOf } from './page-index';

export interface EncodedGroup {
  readonly bytes: Buffer;
  readonly rowGroup: RowGroup;
  /** By column. */
  readonly indexes: readonly ChunkIndex[];
}

export class RowGroupRows {
  private readonly cells: unknown[][];
  private readonly stored: ((value: Cell) => unknown)[];
  rows = 0;

  constructor(
    private readonly columns: readonly Column[],
    private readonly layout: ParquetLayout,
  ) {
    this.cells = columns.map(() => []);
    this.stored = columns.map(storedOf);
  }

  get isFull(): boolean {
    return this.rows >= this.layout.groupRows;
  }

  /** Adds rows from this one on until it is full. Returns how many. */
  take(rows: readonly Row[], from: number): number {
    const taken = rows.slice(from, from + this.layout.groupRows - this.rows);
    for (const row of taken) checkWidth(this.columns, row);
    for (const [i, stored] of this.stored.entries()) {
      const cells = this.cells[i]!;
      for (const row of taken) cells.push(stored(row[i]!));
    }
    this.rows += taken.length;
    return taken.length;
  }

  /** Moves the rows to the file, in which the row group begins at `offset`. */
  async encode(offset: number): Promise<EncodedGroup> {
    const writer = new ByteWriter(1 << 18);
    writer.offset = offset;
    const { pageRows } = this.layout;
    const sorting_columns = this.sortingColumns();
    const encoded = [];
    for (const [i, column] of this.columns.entries()) {
      encoded.push(encodeColumn(writer, column, this.cells[i]!, pageRows ?? this.rows));
      this.cells[i] = [];
      await otherWork();
    }
    const chunks = encoded.map(({ chunk }) => chunk);
    const sizes = chunks.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    const rowGroup: RowGroup = {
      columns: chunks,
      num_rows: BigInt(this.rows),
      total_byte_size: sizes.reduce((sum, size) => sum + size, 0n),
      total_compressed_size: BigInt(writer.offset - offset),
      file_offset: BigInt(offset),
      ...(sorting_columns.length > 0 && { sorting_columns }),
    };
    this.rows = 0;
    const indexes = pageRows === null ? [] : encoded.map(({ pages }) => chunkIndexOf(pages));
    return { bytes: Buffer.from(writer.getBytes()), rowGroup, indexes };
  }

  /** The longest prefix of the layout's columns that the rows are sorted by. Nulls come last. */
  private sortingColumns() {
    const places = this.layout.sortedBy.map((name) => this.columns.findIndex((column) => column.name === name));
    const keys = places.map((place) => ({
      cells: this.cells[place]!,
      isAfter: isAfterOf(this.columns[place]!.type),
    }));
    let sorted = keys.length;
    for (let row = 1; row < this.rows; row++) {
      for (let k = 0; k < sorted; k++) {
        const { cells, isAfter } = keys[k]!;
        const [before, after] = [cells[row - 1], cells[row]];
        if (before === after) continue;
        if (before === null || (after !== null && isAfter(before, after))) sorted = k;
        break;
      }
    }
    return places.slice(0, sorted).map((column_idx) => ({ column_idx, descending: false, nulls_first: false }));
  }
}

const DAY_MS = 86_400_000;
/** Texts that are kept once, however often they occur. */
const MOST_TEXTS = 4096;

/** Checks a value and turns it into what Parquet stores. Sorted rows repeat values, so the last one is kept. */
function storedOf(column: Column): (value: Cell) => unknown {
  const { type } = column;
  const check = cellCheck(column);
  if (type === 'text') return textOnce(check);
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

/** Every row that is read brings its own copy of a venue or a name: a row group keeps one. */
function textOnce(check: (value: Cell) => void): (value: Cell) => unknown {
  const texts = new Map<Cell, Cell>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    check(value);
    if (texts.size >= MOST_TEXTS) texts.clear();
    texts.set(value, value);
    return value;
  };
}
