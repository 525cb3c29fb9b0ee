// The page index of stored Parquet files is right: read back page by page, also of months composed from days; and what
// a row group declares about its order is true.
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type ColumnChunk,
  parquetMetadata,
  parquetReadObjects,
  type RowGroup,
  readOffsetIndex,
  type SchemaElement,
} from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { convertMetadata } from 'hyparquet/src/metadata.js';
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js';
import type { Row } from '../../src/row-files/columns';
import { composedParquet } from '../../src/row-files/compose';
import { isCellAfterOf } from '../../src/row-files/order';
import { fileLayout, type ParquetLayout, STREAM_LAYOUT } from '../../src/row-files/parquet/layout';
import { parquetOf } from '../../src/row-files/parquet/parquet';
import { parquetPart } from '../../src/row-files/parquet/part';
import { runs } from '../support/property';
import { anyRow, COLUMNS, columnOf, inBatches, partOf } from './support/any-rows';

const SORTED_BY = ['day_or_null', 'boolean', 'text'];
const layoutOf = (groupRows: number, pageRows: number): ParquetLayout => ({ groupRows, pageRows, sortedBy: SORTED_BY });

const fileOf = (rows: readonly Row[], layout: ParquetLayout): Promise<Buffer> =>
  buffer(Readable.from(parquetOf(COLUMNS, inBatches(rows, 5), layout)));

const exact = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
const readerOf = (bytes: Buffer, offset: bigint | undefined, length: number | undefined) => {
  const view = new DataView(exact(bytes.subarray(Number(offset), Number(offset) + length!)));
  return { view, offset: 0 };
};

const footOf = (bytes: Buffer) => parquetMetadata(exact(bytes));

/** Every row, read by the library that reads the page index too. */
async function rowsOf(bytes: Buffer): Promise<Row[]> {
  const file = { byteLength: bytes.length, slice: async (a: number, b?: number) => exact(bytes.subarray(a, b)) };
  const parsers = {
    timestampFromMilliseconds: (ms: bigint) => new Date(Number(ms)).toISOString(),
    dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  };
  const compressors = { ZSTD: (page: Uint8Array) => zstdDecompressSync(page) };
  const found = await parquetReadObjects({ file, parsers, compressors });
  return found.map((row) => COLUMNS.map(({ name }) => row[name]));
}

interface Group {
  readonly rows: readonly Row[];
  readonly described: RowGroup;
}

function groupsOf(bytes: Buffer, rows: readonly Row[]): Group[] {
  let from = 0;
  return footOf(bytes).row_groups.map((described) => {
    const until = from + Number(described.num_rows);
    const own = rows.slice(from, until);
    from = until;
    return { rows: own, described };
  });
}

/** The library's own reader fails at the bounds of a page of nulls, which are empty. */
function columnIndexOf(bytes: Buffer, chunk: ColumnChunk, schema: SchemaElement) {
  const thrift = deserializeTCompactProtocol(readerOf(bytes, chunk.column_index_offset, chunk.column_index_length));
  const null_pages = thrift.field_1 as boolean[];
  const bound = (value: Uint8Array, page: number) =>
    null_pages[page] ? null : convertMetadata(value, schema, DEFAULT_PARSERS);
  return {
    null_pages,
    min_values: (thrift.field_2 as Uint8Array[]).map(bound),
    max_values: (thrift.field_3 as Uint8Array[]).map(bound),
    null_counts: thrift.field_5 as bigint[],
  };
}

/** As the index has its bounds: bytes of text, which may be cut, everything else whole. */
const asBytes = (value: unknown): Buffer => Buffer.from(String(value));

function expectPagesDescribed(bytes: Buffer, { rows, described }: Group, pageRows: number): void {
  for (const [i, column] of COLUMNS.entries()) {
    const chunk = described.columns[i]!;
    const offsets = readOffsetIndex(readerOf(bytes, chunk.offset_index_offset, chunk.offset_index_length));
    const found = columnIndexOf(bytes, chunk, footOf(bytes).schema[i + 1]!);
    const starts = offsets.page_locations.map(({ first_row_index }) => Number(first_row_index));
    expect(starts).toEqual(starts.map((_, page) => page * pageRows));
    expect(starts.length).toBe(Math.ceil(rows.length / pageRows));
    // The pages follow each other, and end with the chunk.
    const { data_page_offset, dictionary_page_offset, total_compressed_size } = chunk.meta_data!;
    let at = data_page_offset;
    for (const { offset, compressed_page_size } of offsets.page_locations) {
      expect(offset).toBe(at);
      at += BigInt(compressed_page_size);
    }
    expect(at).toBe((dictionary_page_offset ?? data_page_offset) + total_compressed_size);
    for (const [page, start] of starts.entries()) {
      const cells = rows.slice(start, start + pageRows).map((row) => row[i]!);
      const values = cells.filter((cell) => cell !== null);
      expect(Number(found.null_counts[page])).toBe(cells.length - values.length);
      expect(found.null_pages[page]).toBe(values.length === 0);
      if (values.length === 0) continue;
      const [min, max] = [found.min_values[page], found.max_values[page]];
      for (const value of values) {
        if (column.type === 'text') {
          expect(Buffer.compare(asBytes(min), asBytes(value))).toBeLessThanOrEqual(0);
          expect(Buffer.compare(asBytes(max), asBytes(value))).toBeGreaterThanOrEqual(0);
        } else {
          const isInstant = column.type === 'instant' || column.type === 'day';
          const own = isInstant ? new Date(String(value)) : value;
          expect(min! <= own! && own! <= max!).toBe(true);
        }
      }
    }
  }
}

const isAfter = SORTED_BY.map((name) => isCellAfterOf(COLUMNS.find((column) => column.name === name)!.type));
const places = SORTED_BY.map((name) => COLUMNS.findIndex((column) => column.name === name));

/** How many of the first columns the rows are sorted by, nulls last. */
function sortedBy(rows: readonly Row[]): number {
  const isSorted = (columns: number): boolean =>
    rows.slice(1).every((row, i) => {
      for (let k = 0; k < columns; k++) {
        const [a, b] = [rows[i]![places[k]!]!, row[places[k]!]!];
        if (a === b) continue;
        return b === null || (a !== null && isAfter[k]!(b, a));
      }
      return true;
    });
  let columns = 0;
  while (columns < SORTED_BY.length && isSorted(columns + 1)) columns += 1;
  return columns;
}

const expectOrderTrue = ({ rows, described }: Group): void =>
  expect(described.sorting_columns ?? []).toEqual(
    places.slice(0, sortedBy(rows)).map((column_idx) => ({ column_idx, descending: false, nulls_first: false })),
  );

/** As a dataset has them: sorted, but for some. */
const anyRows = fc
  .tuple(fc.array(anyRow, { maxLength: 30 }), fc.boolean())
  .map(([rows, isSorted]) => (isSorted ? rows.toSorted(byKey) : rows));

function byKey(one: Row, other: Row): number {
  for (const [k, place] of places.entries()) {
    const [a, b] = [one[place]!, other[place]!];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    return isAfter[k]!(a, b) ? 1 : -1;
  }
  return 0;
}

const sizes = fc.record({ groupRows: fc.integer({ min: 1, max: 9 }), pageRows: fc.integer({ min: 1, max: 4 }) });

test('each page has its place, its bounds and its nulls, and the declared order holds', () =>
  fc.assert(
    fc.asyncProperty(anyRows, sizes, async (rows, { groupRows, pageRows }) => {
      const bytes = await fileOf(rows, layoutOf(groupRows, pageRows));
      expect(await rowsOf(bytes)).toEqual(rows);
      for (const group of groupsOf(bytes, rows)) {
        expectPagesDescribed(bytes, group, pageRows);
        expectOrderTrue(group);
      }
    }),
    { numRuns: runs(150) },
  ));

test('a month has the rows of its days with the right index, and row groups are full where days are short', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyRows, { minLength: 1, maxLength: 4 }),
      sizes,
      async (days, { groupRows, pageRows }) => {
        const layout = layoutOf(groupRows, pageRows);
        const parts = await Promise.all(days.map((rows) => fileOf(rows, layout)));
        const month = await buffer(Readable.from(composedParquet(COLUMNS, parts.map(partOf), layout)));
        const rows = days.flat();
        expect(await rowsOf(month)).toEqual(rows);
        const groups = groupsOf(month, rows);
        for (const group of groups) {
          expectPagesDescribed(month, group, pageRows);
          expectOrderTrue(group);
        }
        // A smaller one stands only before a copied full one, or last.
        for (const [i, { described }] of groups.entries()) {
          const after = groups[i + 1];
          if (after && Number(described.num_rows) < groupRows) expect(Number(after.described.num_rows)).toBe(groupRows);
        }
        expect(footOf(month).num_rows).toBe(BigInt(rows.length));
      },
    ),
    { numRuns: runs(100) },
  ));

test('a stored file has row groups of 65,536 rows in pages of 8,192; a stream has no page index', async () => {
  const columns = [columnOf('n', 'integer', false)];
  const rows = Array.from({ length: 70_000 }, (_, n): Row => [n]);
  const of = (layout: ParquetLayout) => buffer(Readable.from(parquetOf(columns, inBatches(rows, 10_000), layout)));
  const stored = footOf(await of(fileLayout(['n']))).row_groups;
  expect(stored.map(({ num_rows }) => Number(num_rows))).toEqual([65_536, 4464]);
  const bytes = await of(fileLayout(['n']));
  const [chunk] = stored[0]!.columns;
  const { page_locations } = readOffsetIndex(readerOf(bytes, chunk!.offset_index_offset, chunk!.offset_index_length));
  expect(page_locations.map(({ first_row_index }) => Number(first_row_index))).toEqual(
    Array.from({ length: 8 }, (_, page) => page * 8192),
  );
  expect(stored.map(({ sorting_columns }) => sorting_columns?.map(({ column_idx }) => column_idx))).toEqual([[0], [0]]);
  const streamed = footOf(await of(STREAM_LAYOUT)).row_groups;
  expect(streamed.map(({ num_rows }) => Number(num_rows))).toEqual([...new Array(8).fill(8192), 4464]);
  for (const { columns: chunks, sorting_columns } of streamed)
    expect([chunks[0]!.offset_index_offset, sorting_columns]).toEqual([undefined, undefined]);
});

/** Calls `turn` whenever other work has its turn. Returns what ends it. */
function everyTurn(turn: () => void): () => void {
  let next: NodeJS.Immediate;
  const again = (): void => {
    turn();
    next = setImmediate(again);
  };
  next = setImmediate(again);
  return () => clearImmediate(next);
}

test('other work has a turn between two columns and between two batches of a row group that is read', async () => {
  const columns = ['a', 'b', 'c'].map((name) => columnOf(name, 'integer', false));
  const rows = Array.from({ length: 20_000 }, (_, n): Row => [n, n % 7, -n]);
  const layout = fileLayout(['a']);
  const day = await buffer(Readable.from(parquetOf(columns, inBatches(rows, 9000), layout)));
  const pagesEnd = day.length - 8 - day.readUInt32LE(day.length - 8);
  let log: string[] = [];
  const part = {
    bytes: day.length,
    async *read(start: number, end: number) {
      if (start < pagesEnd) log.push('column');
      yield day.subarray(start, end);
    },
  };
  const stop = everyTurn(() => log.push('turn'));
  try {
    for await (const batch of (await parquetPart(part)).rows(0, columns)) log.push(`${batch.length} rows`);
    // Turns without a step between them are one.
    const steps = () => log.filter((one, i) => one !== 'turn' || log[i - 1] !== 'turn').join(', ');
    const inTurn = (all: string[]) => all.join(', turn, ');
    expect(steps()).toContain(
      inTurn(['column', 'column', 'column', ...[8192, 8192, 3616].map((count) => `${count} rows`)]),
    );
    log = [];
    const month = await buffer(Readable.from(composedParquet(columns, [part, part], layout)));
    expect(Number(footOf(month).num_rows)).toBe(40_000);
    const columnsRead = inTurn(['column', 'column', 'column']);
    expect(steps().split(columnsRead)).toHaveLength(3);
    expect(steps()).not.toContain('column, column');
  } finally {
    stop();
  }
});
