// A day of made-up price paths as Parquet, streamed and stored, and a month composed from thirty such days: time, bytes
// and growth of resident memory. Needs no server.
//   node --import tsx bench/parquet-layout.ts [--rows 475000]; with --max-old-space-size, memory that is really needed
import { parseArgs } from 'node:util';
import { datasetNamed } from '../src/bulk/catalogue';
import type { Column, Row } from '../src/row-files/columns';
import { composedParquet } from '../src/row-files/compose';
import { fileLayout, type ParquetLayout, STREAM_LAYOUT } from '../src/row-files/parquet/layout';
import { parquetOf } from '../src/row-files/parquet/parquet';
import { growthOf } from './support/resident';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '475000' } } });
const ROWS = Number(values.rows);
const DAYS = 30;
const BATCH = 5000;
const [RUNNERS, BOOKS, PRICES] = [11, 15, 9];
const START_MS = Date.UTC(2026, 10, 20);

const { columns, sortedBy } = datasetNamed('price_paths');

/** Every row brings texts of its own, as a row from the database does. */
const own = (text: string): string => Buffer.from(text).toString();

function cellOf({ name, type, nullable }: Column, i: number): Row[number] {
  const price = i % PRICES;
  const book = Math.floor(i / PRICES) % BOOKS;
  const runner = Math.floor(i / (PRICES * BOOKS)) % RUNNERS;
  const race = Math.floor(i / (PRICES * BOOKS * RUNNERS));
  const startMs = START_MS + race * 90_000;
  if (name === 'start_time') return own(new Date(startMs).toISOString());
  if (name === 'captured_at') return own(new Date(startMs - 3_600_000 + price * 400_000 + (i % 399)).toISOString());
  if (type === 'day') return own('2026-11-20');
  if (type === 'boolean') return false;
  if (type === 'number') return nullable && price > 2 ? null : 1.5 + ((i * 31) % 900) / 100;
  if (type === 'integer') return name === 'runner_number' ? runner + 1 : price;
  if (name === 'bookmaker_key') return own(`book ${book}`);
  return own(`${name} ${String(race).padStart(6, '0')}${name.startsWith('r') ? ` ${runner}` : ''}`);
}

async function* batches(): AsyncGenerator<Row[]> {
  for (let from = 0; from < ROWS; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, ROWS - from) }, (_, i) => columns.map((one) => cellOf(one, from + i)));
}

async function measured(what: string, chunks: AsyncIterable<Uint8Array>, keep: Uint8Array[] | null): Promise<void> {
  const growth = growthOf(process.pid);
  const began = performance.now();
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    keep?.push(chunk);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const memory = growth.megabytes().toFixed(0);
  console.log(`${what}: ${(bytes / 1e6).toFixed(2)} MB, ${seconds} s, ${memory} MB more memory`);
}

async function main(): Promise<void> {
  const stored: Uint8Array[] = [];
  const write = (layout: ParquetLayout) => parquetOf(columns, batches(), layout);
  await measured('once before, for a warm process', write(STREAM_LAYOUT), null);
  await measured(`${ROWS} rows streamed`, write(STREAM_LAYOUT), null);
  await measured(`${ROWS} rows stored`, write(fileLayout(sortedBy)), stored);
  const day = Buffer.concat(stored);
  const part = {
    bytes: day.length,
    async *read(start: number, end: number) {
      yield day.subarray(start, end);
    },
  };
  const month = composedParquet(columns, new Array(DAYS).fill(part), fileLayout(sortedBy));
  await measured(`a month of ${DAYS} such days`, month, null);
}

void main();
