// CSV and Parquet have the same rows as their source, as read by other programs: a strict CSV parser and DuckDB.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetMetadataAsync } from 'hyparquet';
import {
  type Cell,
  CellError,
  type Column,
  type ColumnType,
  type Row,
  type RowBatches,
} from '../../src/row-files/columns';
import { composedCsvGzip, composedParquet } from '../../src/row-files/compose';
import { csvOf } from '../../src/row-files/csv';
import { csvGzipOf } from '../../src/row-files/csv-gzip';
import { STREAM_LAYOUT } from '../../src/row-files/parquet/layout';
import { parquetOf } from '../../src/row-files/parquet/parquet';
import { split } from '../../src/row-files/split';
import { type DuckDb, openDuckDb } from '../support/duckdb';
import { runs } from '../support/property';
import { anyRow, COLUMNS, columnOf, inBatches, partOf } from './support/any-rows';

const folder = mkdtempSync(join(tmpdir(), 'row-files-'));
let duckdb: DuckDb;
beforeAll(async () => {
  duckdb = await openDuckDb();
});
afterAll(() => {
  duckdb.close();
  rmSync(folder, { recursive: true });
});

const inGroupsOf = (groupRows: number) => ({ ...STREAM_LAYOUT, groupRows });

/** How a strict reader of the CSV interprets a cell. */
function asRead({ type }: Column, { quoting }: { quoting: boolean }, value: string): Cell {
  if (value === '' && !quoting) return null;
  if (type === 'long') return BigInt(value);
  if (type === 'integer' || type === 'number') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

test('a table reads back unchanged from CSV', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (rows, size) => {
      const csv = await text(Readable.from(csvOf(COLUMNS, inBatches(rows, size))));
      expect(csv.split('\r\n', 1)).toEqual([COLUMNS.map(({ name }) => name).join(',')]);
      const read = parse(csv, {
        record_delimiter: '\r\n',
        from_line: 2,
        cast: (value, context) => asRead(COLUMNS[context.index]!, context, value) as string,
      });
      expect(read).toEqual(rows);
    }),
    { numRuns: runs(300) },
  ));

test('a table reads back unchanged from Parquet by DuckDB, for any row groups', () => {
  // DuckDB caches what it has read of a path, unless the file's time has changed.
  let files = 0;
  return fc.assert(
    fc.asyncProperty(fc.array(anyRow, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (rows, size) => {
      const path = join(folder, `property-${files++}.parquet`);
      writeFileSync(path, await buffer(Readable.from(parquetOf(COLUMNS, inBatches(rows, size), inGroupsOf(4)))));
      const read = await duckdb.rows(`SELECT * FROM read_parquet('${path}')`);
      expect(read).toEqual(rows);
    }),
    { numRuns: runs(200) },
  );
});

test('Parquet has typed columns, UTC instants, ZSTD and row groups with their bounds', async () => {
  const columns = [
    columnOf('seen_at', 'instant', false),
    columnOf('day', 'day', true),
    columnOf('n', 'integer', false),
  ];
  const rows = Array.from({ length: 25 }, (_, i): Row => [`2026-11-20T00:00:${10 + i}.000Z`, '2026-11-20', i]);
  const path = join(folder, 'typed.parquet');
  const bytes = await buffer(Readable.from(parquetOf(columns, inBatches(rows, 7), inGroupsOf(10))));
  writeFileSync(path, bytes);
  expect(await duckdb.describe(path)).toEqual([
    ['seen_at', 'TIMESTAMP WITH TIME ZONE'],
    ['day', 'DATE'],
    ['n', 'INTEGER'],
  ]);
  const file = {
    byteLength: bytes.length,
    slice: (a: number, b?: number) => new Uint8Array(bytes.subarray(a, b)).buffer,
  };
  const { row_groups } = await parquetMetadataAsync(file);
  expect(row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([10, 10, 5]);
  const chunks = row_groups.map(({ columns: [, , n] }) => n!.meta_data!);
  expect(chunks.map(({ codec }) => codec)).toEqual(['ZSTD', 'ZSTD', 'ZSTD']);
  expect(chunks.map(({ statistics: s }) => [s?.min_value, s?.max_value])).toEqual([
    [0, 9],
    [10, 19],
    [20, 24],
  ]);
  const filtered = await duckdb.rows(
    `SELECT count(*) FROM read_parquet('${path}') WHERE seen_at >= '2026-11-20T00:00:30Z'`,
  );
  expect(filtered).toEqual([[5n]]);
});

test.each([14, 15, 300])('%i row groups are described', async (count) => {
  const columns = [columnOf('n', 'integer', false), columnOf('name', 'text', true)];
  const rows = Array.from({ length: count }, (_, i): Row => [i, i % 3 === 0 ? null : `name ${i}`]);
  const path = join(folder, `groups-${count}.parquet`);
  writeFileSync(path, await buffer(Readable.from(parquetOf(columns, inBatches(rows, 50), inGroupsOf(1)))));
  expect(await duckdb.rows(`SELECT * FROM read_parquet('${path}')`)).toEqual(rows);
  expect(await duckdb.rows(`SELECT num_row_groups, num_rows FROM parquet_file_metadata('${path}')`)).toEqual([
    [BigInt(count), BigInt(count)],
  ]);
});

test('bounds are in byte order, also for text beyond ASCII', async () => {
  const names = ['a', 'Z', 'é', '\uffee', '🏇', ''];
  const path = join(folder, 'bounds.parquet');
  const rows = names.map((name): Row => [name]);
  writeFileSync(
    path,
    await buffer(Readable.from(parquetOf([columnOf('name', 'text', false)], inBatches(rows, 9), inGroupsOf(9)))),
  );
  for (const name of names)
    expect(await duckdb.rows(`SELECT name FROM read_parquet('${path}') WHERE name = '${name}'`)).toEqual([[name]]);
  expect(await duckdb.rows(`SELECT stats_min_value, stats_max_value FROM parquet_metadata('${path}')`)).toEqual([
    ['', '🏇'],
  ]);
});

test('a table without rows has its header or its schema', async () => {
  const path = join(folder, 'empty.parquet');
  writeFileSync(path, await buffer(Readable.from(parquetOf(COLUMNS, inBatches([], 1)))));
  expect(await duckdb.rows(`SELECT * FROM read_parquet('${path}')`)).toEqual([]);
  expect((await duckdb.describe(path)).map(([name]) => name)).toEqual(COLUMNS.map(({ name }) => name));
  const csv = await text(Readable.from(csvOf(COLUMNS, inBatches([], 1))));
  expect(csv).toBe(`${COLUMNS.map(({ name }) => name).join(',')}\r\n`);
});

const REFUSED: readonly (readonly [ColumnType, Cell | undefined])[] = [
  ['number', Number.NaN],
  ['number', Number.POSITIVE_INFINITY],
  ['integer', 1.5],
  ['integer', 2 ** 31],
  ['long', 2 ** 53],
  ['long', 2n ** 63n],
  ['boolean', 'true'],
  ['instant', '2026-11-20 00:00:00'],
  ['day', '2026-11-20T00:00:00Z'],
  ['text', 7],
  ['text', null],
  ['text', undefined],
];

test.each(REFUSED)('a %s that is %p breaks the file', async (type, value) => {
  for (const format of [csvOf, parquetOf]) {
    const chunks = format([columnOf('c', type, false)], inBatches([[value as Cell]], 1));
    await expect(buffer(Readable.from(chunks))).rejects.toThrow(CellError);
  }
});

test.each([['CSV', csvOf] as const, ['Parquet', parquetOf] as const])(
  '%s is read no further than its reader takes, and is closed with it',
  async (_, format) => {
    let batches = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<readonly Row[]> {
      try {
        for (;;) {
          batches += 1;
          yield Array.from({ length: 20_000 }, (__, i): Row => [`${'x'.repeat(90)}${(i * 7919) % 20_000}`]);
        }
      } finally {
        closed = true;
      }
    }
    const stream = Readable.from(format([columnOf('c', 'text', false)], endless()), { objectMode: false });
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toBeLessThanOrEqual(3);
    await reader.return?.();
    expect(closed).toBe(true);
  },
);

test('joined files have the rows of their parts, and the bounds of their row groups', async () => {
  const days = fc.sample(fc.array(anyRow, { minLength: 1, maxLength: 9 }), { numRuns: 3, seed: 7 }) as Row[][];
  const parts = [days[0]!, [], ...days.slice(1)];
  const parquet = await Promise.all(
    parts.map((rows) => buffer(Readable.from(parquetOf(COLUMNS, inBatches(rows, 4), inGroupsOf(4))))),
  );
  const path = join(folder, 'month.parquet');
  writeFileSync(path, await buffer(Readable.from(composedParquet(COLUMNS, parquet.map(partOf), inGroupsOf(4)))));
  expect(await duckdb.rows(`SELECT * FROM read_parquet('${path}')`)).toEqual(days.flat());
  const [one] = days[2]!.filter(([text]) => !(text as string).includes("'"));
  const found = await duckdb.rows(
    `SELECT * FROM read_parquet('${path}') WHERE text = '${one![0]}' AND instant = '${one![10]}'`,
  );
  expect(found).toContainEqual(one);

  const gzip = await Promise.all(parts.map((rows) => buffer(Readable.from(csvGzipOf(COLUMNS, inBatches(rows, 4))))));
  const month = await buffer(Readable.from(composedCsvGzip(COLUMNS, gzip.map(partOf))));
  expect(gunzipSync(month).toString()).toBe(await text(Readable.from(csvOf(COLUMNS, inBatches(days.flat(), 5)))));
});

test('parts with different columns are not joined', async () => {
  const part = await buffer(Readable.from(parquetOf(COLUMNS.slice(1), inBatches([], 1))));
  const composed = composedParquet(COLUMNS, [partOf(part)], inGroupsOf(4));
  await expect(buffer(Readable.from(composed))).rejects.toThrow('a part has the columns');
  const whole = await buffer(Readable.from(csvGzipOf(COLUMNS, inBatches([], 1))));
  // As another release of zlib may write the same header.
  const other = Buffer.concat([gzipSync(gunzipSync(whole), { level: 1 }), Buffer.from('rows')]);
  for (const csv of [other, whole.subarray(0, 9)])
    await expect(buffer(Readable.from(composedCsvGzip(COLUMNS, [partOf(csv)])))).rejects.toThrow('another header');
});

describe('two writers of the same reading', () => {
  const reading = (log: string[]) =>
    (async function* () {
      try {
        for (let i = 0; i < 3; i++) {
          log.push(`read ${i}`);
          yield [[i]];
        }
      } finally {
        log.push('closed');
      }
    })();

  test('get the same batches in step', async () => {
    const log: string[] = [];
    const take = async (name: string, batches: RowBatches) => {
      for await (const [[i]] of batches as AsyncIterable<[[number]]>) log.push(`${name} ${i}`);
    };
    const [a, b] = split(reading(log));
    await Promise.all([take('a', a), take('b', b)]);
    expect(log).toEqual([0, 1, 2].flatMap((i) => [`read ${i}`, `a ${i}`, `b ${i}`]).concat('closed'));
  });

  test('fail together when one stops, and the reading is closed', async () => {
    const log: string[] = [];
    const [a, b] = split(reading(log));
    const one = a[Symbol.asyncIterator]();
    const other = b[Symbol.asyncIterator]();
    await Promise.all([one.next(), other.next()]);
    const waiting = other.next();
    await Promise.all([one.return?.(), expect(waiting).rejects.toThrow('has stopped')]);
    await expect(other.next()).rejects.toThrow('has stopped');
    expect(log).toEqual(['read 0', 'closed']);
  });
});
