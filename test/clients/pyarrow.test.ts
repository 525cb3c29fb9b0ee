// Files of days and of a month as pyarrow reads them: row groups, page index, and the order that each row group
// declares. Where Python or PyPI is missing, this test counts as skipped.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Row } from '../../src/row-files/columns';
import { composedParquet } from '../../src/row-files/compose';
import { fileLayout } from '../../src/row-files/parquet/layout';
import { parquetOf } from '../../src/row-files/parquet/parquet';
import { installPython } from '../support/clients/installed-python';
import { column } from '../support/pyarrow/column';

const FOLDER = join(__dirname, '../support/pyarrow');
const { python, lacks } = installPython('pyarrow', join(FOLDER, 'requirements.txt'), 250);

const COLUMNS = [
  column('start_time', 'instant'),
  column('race_id', 'text'),
  column('runner_number', 'integer', true),
  column('bookmaker_key', 'text'),
  column('price', 'number', true),
  column('meeting_date', 'day'),
  column('scratched', 'boolean'),
];
const SORTED_BY = ['start_time', 'race_id', 'runner_number', 'bookmaker_key'];
const BOOKS = ['bet365', 'neds', 'tab', 'unibet'];
const RUNNERS = 20;

/** Races of twenty runners, the last of them without a number, at four books. */
function dayOf(day: number, count: number): Row[] {
  const startMs = Date.UTC(2026, 10, day);
  return Array.from({ length: count }, (_, i): Row => {
    const race = Math.floor(i / (BOOKS.length * RUNNERS));
    const runner = Math.floor(i / BOOKS.length) % RUNNERS;
    return [
      new Date(startMs + race * 10_000).toISOString(),
      `race ${String(race).padStart(5, '0')}`,
      runner === RUNNERS - 1 ? null : runner + 1,
      BOOKS[i % BOOKS.length]!,
      i % 7 === 0 ? null : 1.5 + (i % 40) / 10,
      new Date(startMs).toISOString().slice(0, 10),
      i % 11 === 0,
    ];
  });
}

async function* batches(rows: readonly Row[]) {
  for (let i = 0; i < rows.length; i += 1000) yield rows.slice(i, i + 1000);
}

const folder = mkdtempSync(join(tmpdir(), 'pyarrow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const runs = python ? test : test.skip;

runs(`pyarrow reads row groups, page index and order${lacks ? ` (skipped: ${lacks})` : ''}`, async () => {
  const layout = fileLayout(SORTED_BY);
  const sizes = [140_000, 30_000, 40_000, 100];
  const days = sizes.map((count, i) => dayOf(i + 1, count));
  const files = await Promise.all(days.map((rows) => buffer(Readable.from(parquetOf(COLUMNS, batches(rows), layout)))));
  const parts = files.map((bytes) => ({
    bytes: bytes.length,
    async *read(start: number, end: number) {
      yield bytes.subarray(start, end);
    },
  }));
  const month = join(folder, 'month.parquet');
  writeFileSync(month, await buffer(Readable.from(composedParquet(COLUMNS, parts, layout))));
  const paths = files.map((bytes, i) => {
    const path = join(folder, `day-${i}.parquet`);
    writeFileSync(path, bytes);
    return path;
  });
  const running = promisify(execFile)(python!, [join(FOLDER, 'describe.py')]);
  running.child.stdin!.end(JSON.stringify({ month, days: paths }));
  const found = JSON.parse((await running).stdout);
  expect([found.equal, found.filtered]).toEqual([true, true]);
  expect(found.types).toEqual(['timestamp[ms, tz=UTC]', 'string', 'int32', 'string', 'double', 'date32[day]', 'bool']);
  const rowsOf = (groups: { rows: number }[]) => groups.map(({ rows }) => rows);
  expect(found.days.map(rowsOf)).toEqual([[65_536, 65_536, 8928], [30_000], [40_000], [100]]);
  // What is left of the first day, and the three short days, are put together.
  expect(rowsOf(found.month)).toEqual([65_536, 65_536, 65_536, 13_492]);
  for (const group of [...found.month, ...found.days.flat()])
    expect(group).toMatchObject({ column_index: true, offset_index: true, sorted_by: SORTED_BY, is_sorted: true });
  const nullsOf = (place: number) => days.flat().filter((row) => row[place] === null).length;
  for (const place of [2, 4]) {
    const nulls = found.month.reduce((sum: number, one: { nulls: number[] }) => sum + one.nulls[place]!, 0);
    expect(nulls).toBe(nullsOf(place));
  }
});
