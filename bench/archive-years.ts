// The archive after three years beside one of thirty days: what each table takes, the plans of the reads, and whether a
// page of 500 rows anywhere, a race's price history and coverage cost the same. Makes databases of its own, and drops
// them however it ends.
//   DATABASE_URL=… node --import tsx bench/archive-years.ts [--rows 5000000] [--rounds 9] [--explain]
// `--rows`: of price paths in three years, at most fifty million.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import { CUSTOMER_BOOKMAKER_KEYS } from '../src/domain/bookmakers';
import { differingCounts } from '../src/store/archive/reconcile';
import { createArchiveReads } from '../src/store/reads/archive/archive-reads';
import type { BenchDatabase, Databases } from './support/archive/databases';
import { afterDay, dayOf, TICKS_A_RACE } from './support/archive/generated-days';
import { alternating, line, milliseconds, ratioOf, timed } from './support/archive/report';
import { runOnDatabases } from './support/archive/run';
import { archiveOneDay, copyBack, racesOf } from './support/archive/three-years';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '9' },
    explain: { type: 'boolean', default: false },
  },
});
const rows = Math.min(50_000_000, Number(values.rows));
const rounds = Number(values.rounds);
const [YEARS, MONTH] = [3 * 365, 30];
const PAGE = 500;
const races = Math.max(1, Math.round(rows / YEARS / TICKS_A_RACE));

async function bench(databases: Databases): Promise<void> {
  console.log(`load ${loadavg()[0]!.toFixed(1)}, ${YEARS} days of ${races} races`);
  const month = await databases.create();
  await archiveOneDay(month, races);
  const years = await databases.copy(month);
  await copyBack(month, MONTH - 1);
  line('three years made', `${((await timed(() => copyBack(years, YEARS - 1))) / 1000).toFixed(0)} s`);
  // Totals were counted up in few transactions: the dead rows of one are not pruned, as they are between passes.
  for (const { pool } of [month, years])
    for (const text of ['VACUUM FULL archived_totals', 'VACUUM FULL archived_month_counts', 'VACUUM ANALYZE'])
      await pool.query({ text, query_timeout: 600_000 } as never);
  await sizes(years.pool);
  for (const [what, ours, theirs, most] of await readings(years, month)) {
    const [some, others] = await alternating(
      rounds,
      () => several(ours),
      () => several(theirs),
    );
    const figures = `${milliseconds(some)}, in thirty days ${milliseconds(others)}`;
    line(what, figures, ratioOf(some, others), ['at most', most]);
    if (values.explain) await explain(years.pool, ours);
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
}

type Read = (pool: Pool) => Promise<unknown>;
interface Reading {
  readonly read: Read;
  readonly pool: Pool;
}
const CALLS = 8;

const several = ({ read, pool }: Reading): Promise<number> =>
  timed(async () => {
    for (let i = 0; i < CALLS; i++) await read(pool);
  }).then((ms) => ms / CALLS);

/** Of a whole page, also in a month of few rows. */
const middle = (total: number): number => Math.max(0, Math.min(Math.floor(total / 2), total - PAGE));

type Paged = 'closingLines' | 'pricePaths' | 'marketSummary';
/** Of all bookmakers, or one of them. */
const selectionOf = (what: Paged, series?: string) => ({
  closingOnly: what === 'closingLines',
  includeScratched: true,
  ...(series && { series: [series] }),
});

/** Each over the years, and what it is compared with in the month. */
async function readings(years: BenchDatabase, month: BenchDatabase) {
  const [oldest, old] = [await racesOf(years.pool, YEARS - 1), await racesOf(years.pool, 90)];
  const young = await racesOf(month.pool, MONTH - 1);
  const of = (pool: Pool) => createArchiveReads(pool, pool);
  const page =
    (selected: readonly [Paged, string?], offset: number): Read =>
    (pool) =>
      of(pool)[selected[0]](selectionOf(...selected), { limit: PAGE, offset });
  const totalOf = async ({ pool }: BenchDatabase, selected: readonly [Paged, string?]): Promise<number> =>
    (await of(pool)[selected[0]](selectionOf(...selected), { limit: 1, offset: 0 })).total;
  /** The page so far into each archive. */
  const pages = async (name: string, selected: readonly [Paged, string?], offsetOf: (total: number) => number) => {
    const [far, near] = [offsetOf(await totalOf(years, selected)), offsetOf(await totalOf(month, selected))];
    return [name, page(selected, far), page(selected, near)] as const;
  };
  const paths =
    (before: number, offset: number): Read =>
    (pool) =>
      of(pool).pricePaths({ meetingDate: dayOf(-before) as never, includeScratched: true }, { limit: PAGE, offset });
  const counts =
    (before: number): Read =>
    (pool) =>
      differingCounts(pool, dayOf(-before) as never);
  const checksum =
    (before: number): Read =>
    (pool) =>
      of(pool).dayChecksum('path', dayOf(-before) as never);
  const history =
    (id: string): Read =>
    (pool) =>
      of(pool).priceHistory(id, CUSTOMER_BOOKMAKER_KEYS, afterDay(0));
  const all: readonly (readonly [string, Read, Read, number?])[] = [
    await pages('closing lines, a page in the middle', ['closingLines'], middle),
    await pages('closing lines, the last page', ['closingLines'], (total) => total - PAGE),
    await pages('closing lines of a bookmaker, a page in the middle', ['closingLines', 'tab'], middle),
    await pages('price paths, a page in the middle', ['pricePaths'], middle),
    await pages('price paths of a bookmaker, a page in the middle', ['pricePaths', 'tab'], middle),
    await pages('summaries, a page in the middle', ['marketSummary'], middle),
    ['price paths of the oldest day, a page', paths(YEARS - 1, PAGE), paths(MONTH - 1, PAGE)],
    ['price paths of the newest day, a page', paths(0, PAGE), paths(0, PAGE)],
    ['price history of the oldest race', history(oldest[0]!), history(young[0]!)],
    ['price history of a race of three months ago', history(old[0]!), history(young[0]!)],
    ['coverage', (pool) => of(pool).coverage(), (pool) => of(pool).coverage()],
    ['the counts of a day compared with its rows', counts(300), counts(MONTH - 1), 3],
    ['the checksum of a day', checksum(300), checksum(MONTH - 1)],
  ];
  return all.map(
    ([what, ours, theirs, most = 1.5]) =>
      [what, { read: ours, pool: years.pool }, { read: theirs, pool: month.pool }, most] as const,
  );
}

const SIZES = `
  WITH RECURSIVE roots AS (
    SELECT c.oid, c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^(archived|closing_line|withheld|packed|price_path)_'
     UNION ALL
    SELECT i.inhrelid, r.name FROM roots r JOIN pg_inherits i ON i.inhparent = r.oid)
  SELECT name, sum(pg_total_relation_size(oid))::float8 AS bytes, count(*) - 1 AS parts FROM roots GROUP BY 1 ORDER BY 2 DESC`;

async function sizes(pool: Pool): Promise<void> {
  const count = async (text: string): Promise<number> => Number((await pool.query(`SELECT ${text} AS n`)).rows[0].n);
  const all = (await pool.query<{ name: string; bytes: number; parts: number }>(SIZES)).rows;
  for (const { name, bytes, parts } of all) {
    const n = await count(
      name.startsWith('packed')
        ? `(SELECT sum(cardinality(${name.endsWith('lines') ? 'runner' : 'win'})) FROM ${name})`
        : `(SELECT count(*) FROM ${name})`,
    );
    const each = n === 0 ? '' : `, ${(bytes / n).toFixed(1)} B each`;
    line(name, `${(bytes / 1e6).toFixed(1)} MB in ${parts} parts, ${n} rows${each}`);
  }
}

/** Every statement of a reading, as the server runs it. */
async function explain(pool: Pool, { read }: Reading): Promise<void> {
  const sent: QueryConfig[] = [];
  const client = await pool.connect();
  const query = client.query.bind(client) as (...all: unknown[]) => Promise<unknown>;
  const listening = {
    query(config: QueryConfig) {
      sent.push(config);
      return query(config);
    },
  };
  try {
    await read({ ...listening, connect: async () => ({ ...listening, release: () => undefined }) } as never);
    for (const { name, text, values } of sent.filter((one) => one.name !== undefined)) {
      const explained = await client.query({ text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values });
      console.log(`\n${name}\n${explained.rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
    }
  } finally {
    client.release(true);
  }
}

runOnDatabases(rows, bench);
