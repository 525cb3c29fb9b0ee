// The Iceberg catalogue over mirrored files, read by PyIceberg: the rows of the files, also after a day was replaced, a
// day came and a column was added. Where Python or PyPI is missing, this test counts as skipped.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Column, Row } from '../../src/row-files/columns';
import { fileLayout } from '../../src/row-files/parquet/layout';
import { parquetOf } from '../../src/row-files/parquet/parquet';
import { installPython } from '../support/clients/installed-python';
import { column } from '../support/pyarrow/column';

const SUPPORT = join(__dirname, '../support/pyarrow');
const CLIENT = join(__dirname, '../../clients/iceberg');
const { python, lacks } = installPython('pyiceberg', join(SUPPORT, 'iceberg-requirements.txt'), 400);

const COLUMNS = [
  column('start_time', 'instant'),
  column('venue', 'text'),
  column('runner_number', 'integer', true),
  column('sp', 'number', true),
  column('meeting_date', 'day'),
];
const ADDED = column('weather', 'text');

const folder = mkdtempSync(join(tmpdir(), 'iceberg-'));
const mirror = join(folder, 'mirror');
const catalogue = join(folder, 'catalogue');
afterAll(() => rmSync(folder, { recursive: true }));

async function* once(rows: readonly Row[]) {
  yield rows;
}

const rowsOf = (day: string, sp: number): Row[] =>
  [1, 2, null].map((number) => [`${day}T03:00:00.000Z`, 'Flemington', number, number && sp, day]);

/** As `odds mirror` lays it out. */
async function addDay(day: string, rows: readonly Row[], columns: readonly Column[] = COLUMNS): Promise<void> {
  const place = join(mirror, 'dataset=results', `month=${day.slice(0, 7)}`, `day=${day}`);
  mkdirSync(place, { recursive: true });
  const bytes = await buffer(Readable.from(parquetOf(columns, once(rows), fileLayout(['start_time']))));
  writeFileSync(join(place, `results-${day}.parquet`), bytes);
}

const run = async (...args: string[]) => (await promisify(execFile)(python!, args)).stdout;
const update = () => run(join(CLIENT, 'catalogue.py'), mirror, catalogue);
const read = async (...filter: string[]): Promise<{ rows: string[][]; files: number }> =>
  JSON.parse(await run(join(SUPPORT, 'read_iceberg.py'), CLIENT, catalogue, 'racing.results', ...filter));

const asPython = (rows: readonly Row[], ...more: string[]): string[][] =>
  rows.map(([start, venue, number, sp, day]) => [
    String(start).replace('T', ' ').replace('.000Z', '+00:00'),
    ...[venue, number, sp, day].map((cell) => (cell === null ? 'None' : String(cell))),
    ...more,
  ]);

const sorted = (rows: readonly string[][]) => rows.map((row) => row.join()).toSorted();

const runs = python ? test : test.skip;

runs(`PyIceberg reads the rows of the mirrored files${lacks ? ` (skipped: ${lacks})` : ''}`, async () => {
  const [first, second] = [rowsOf('2026-11-19', 2.5), rowsOf('2026-11-20', 3.5)];
  await addDay('2026-11-19', first);
  await addDay('2026-11-20', second);
  expect(await update()).toBe('racing.results: 2 files\n');
  expect(sorted((await read()).rows)).toEqual(sorted([...asPython(first), ...asPython(second)]));
  const late = await read("start_time >= '2026-11-20T00:00:00+00:00'");
  expect([sorted(late.rows), late.files]).toEqual([sorted(asPython(second)), 1]);
  const replaced = rowsOf('2026-11-19', 9.5);
  await addDay('2026-11-19', replaced);
  const third = rowsOf('2026-11-21', 4.5);
  await addDay(
    '2026-11-21',
    third.map((row) => [...row, 'Fine']),
    [...COLUMNS, ADDED],
  );
  expect(await update()).toBe('racing.results: 3 files\n');
  expect(sorted((await read()).rows)).toEqual(
    sorted([...asPython(replaced, 'None'), ...asPython(second, 'None'), ...asPython(third, 'Fine')]),
  );
  expect(await update()).toBe('racing.results: 3 files\n');
  expect((await read()).rows).toHaveLength(9);
});
