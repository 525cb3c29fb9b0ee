// Sums of months: a page and its total are those of the races one by one, whatever months the counts skip, and the sums
// are those of their days after any statement.
import fc from 'fast-check';
import { differingTotals } from '../../../src/store/archive/reconcile';
import { planPage } from '../../../src/store/reads/archive/pages/page-plan';
import type { ArchiveSelection } from '../../../src/store/reads/archive/selection';
import { runs } from '../../support/property';
import { until } from '../../support/races/stream-lab';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2026-02-26T00:00:00.000Z');
/** Sydney's months begin at 13:00 UTC, in winter at 14:00: the last second before, and the first. */
const BORDERS = ['2026-02-28T13', '2026-03-31T13', '2026-04-30T14', '2026-05-31T14'].flatMap((hour) => {
  const ms = Date.parse(`${hour}:00:00.000Z`);
  return [ms - 1000, ms];
});
const instant = fc
  .oneof(
    fc.integer({ min: 0, max: 125 * 24 }).map((hours) => FIRST_MS + hours * HOUR_MS),
    fc.constantFrom(...BORDERS),
  )
  .map((ms) => new Date(ms).toISOString());
const category = fc.constantFrom('horse', 'harness');
const book = fc.constantFrom('tab', 'neds', 'sportsbet');
const count = fc.record({
  series: book,
  closing: fc.boolean(),
  scratched: fc.boolean(),
  n: fc.integer({ min: 1, max: 9 }),
});
const race = fc.record({
  id: fc.uuid(),
  start: instant,
  category,
  resulted: fc.boolean(),
  counts: fc.uniqueArray(count, { maxLength: 5, selector: ({ n, ...key }) => JSON.stringify(key) }),
});
interface Race {
  readonly id: string;
  readonly start: string;
  readonly category: string;
  readonly resulted: boolean;
  readonly counts: readonly {
    readonly series: string;
    readonly closing: boolean;
    readonly scratched: boolean;
    readonly n: number;
  }[];
}
const races = fc.uniqueArray(race, { minLength: 1, maxLength: 25, selector: ({ id }) => id });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const selection = fc.record({
  from: maybe(instant),
  until: maybe(instant),
  categories: maybe(category.map((one) => [one])),
  series: maybe(book.map((one) => [one])),
  closingOnly: fc.boolean(),
  resultedOnly: fc.boolean(),
  includeScratched: fc.boolean(),
});
const page = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 200 }) });

const RACES = `
  INSERT INTO archived_races (race_id, start_time, jump_at, start_day, meeting_date, category, venue, venue_id, venue_site, race_number, country,
         result_status, venue_split_suspect, outcome, facts, path_facts, archived_at)
  SELECT id, start, start, (start AT TIME ZONE 'Australia/Sydney')::date, start::date, category, 'V', 'v', 'v', 1, 'AU',
         CASE WHEN resulted THEN 'final' END, false, 'closed', '', '', start
    FROM jsonb_to_recordset($1) AS r (id uuid, start timestamptz, category text, resulted boolean)`;
const COUNTS = `
  INSERT INTO archived_counts (race_id, what, series, closing, baseline, split, fragment, scratched, n)
  SELECT r.id, 'line', c.series, c.closing, false, false, false, c.scratched, c.n
    FROM jsonb_to_recordset($1) AS r (id uuid, counts jsonb), jsonb_to_recordset(r.counts) AS c (series text, closing boolean, scratched boolean, n integer)`;
const add = (id: string, sign: 1 | -1) => db.pool.query('SELECT add_archived_day($1, $2)', [id, sign]);

/** Without races of the card, whose facts are not read here. */
async function plant(all: readonly Race[]): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query('TRUNCATE archived_races, archived_counts, archived_marks, archived_runners');
    for (const text of [RACES, COUNTS]) await client.query(text, [JSON.stringify(all)]);
  } finally {
    client.release(true);
  }
  for (const { id } of all) await add(id, 1);
}

/** Race by race. */
function expected(all: readonly Race[], s: ArchiveSelection, { limit, offset }: { limit: number; offset: number }) {
  const within = all.filter(
    (one) =>
      (s.from === undefined || one.start >= s.from) &&
      (s.until === undefined || one.start < s.until) &&
      (s.categories?.includes(one.category as never) ?? true) &&
      (one.resulted || !s.resultedOnly),
  );
  const rowsOf = ({ counts }: Race): number =>
    counts
      .filter(
        (one) =>
          (s.series?.includes(one.series) ?? true) &&
          (one.closing || !s.closingOnly) &&
          (s.includeScratched || !one.scratched),
      )
      .reduce((sum, { n }) => sum + n, 0);
  const order = within.sort((a, b) => (a.start + a.id < b.start + b.id ? -1 : 1));
  const rows = order.flatMap((one) => Array.from({ length: rowsOf(one) }, (_, skip) => ({ one, skip })));
  const next = rows[offset + limit];
  const paged = rows.slice(offset, offset + limit);
  return {
    total: rows.length,
    resulted: rows.filter(({ one }) => one.resulted).length,
    offset,
    rows: paged.length,
    skip: paged[0]?.skip ?? 0,
    races: [...new Set(paged.map(({ one }) => one))].map((one) => [one.id, rowsOf(one)]),
    next: next ? [next.one.start, next.one.id, next.skip, offset + limit] : null,
  };
}

test('a page of any selection anywhere, and its total, are those of the races one by one', async () => {
  await fc.assert(
    fc.asyncProperty(races, fc.array(fc.tuple(selection, page), { minLength: 1, maxLength: 6 }), async (all, asked) => {
      await plant(all);
      expect(await differingMonths()).toEqual([]);
      for (const [s, bounds] of asked) {
        const { races: paged, next, ...plan } = await planPage(db.pool, 'line', s as ArchiveSelection, bounds);
        const found = { ...plan, races: paged.map(({ raceId, rows }) => [raceId, rows]) };
        const mark = next && [new Date(next.startTime).toISOString(), next.raceId, next.skip, next.before];
        expect({ ...found, next: mark }).toEqual(expected([...all], s as ArchiveSelection, bounds));
      }
      for (const { id } of all) await add(id, -1);
      const empty = await planPage(db.pool, 'line', {}, { limit: 10, offset: 0 });
      expect([empty.total, empty.races, await differingMonths()]).toEqual([0, [], []]);
    }),
    { numRuns: runs(150) },
  );
});

/** A day of each month that is planted. */
const MONTHS = Array.from({ length: 9 }, (_, i) => `2026-0${i + 1}-15` as never);
/** Totals of years, which name no month, are compared in `retention.test.ts`. */
const differingMonths = async (): Promise<unknown[]> =>
  (await differingTotals(db.pool, MONTHS)).filter(({ series }) => /^\d{4}-\d\d/.test(series));

const CHANGES = [
  `INSERT INTO archived_day_counts SELECT start_day + 40, category, country, resulted, what, series, closing, baseline, split, fragment, true, n + 1
     FROM archived_day_counts ON CONFLICT DO NOTHING`,
  `UPDATE archived_day_counts SET start_day = start_day - 31, n = n + 2 WHERE series = 'tab'`,
  `DELETE FROM archived_day_counts WHERE series = 'neds'`,
  'UPDATE archived_day_counts SET n = n WHERE false',
];

test('a month has the sum of its days after any statement; another sum is reported', async () => {
  const counts = [{ series: 'tab', closing: true, scratched: false, n: 3 }];
  const both = [...counts, { series: 'neds', closing: true, scratched: false, n: 2 }];
  const ids = ['1', '2', '3', '4'].map((last) => `00000000-0000-4000-8000-00000000000${last}`);
  const starts = [
    '2026-03-31T12:59:59.000Z',
    '2026-03-31T13:00:00.000Z',
    '2026-04-10T02:00:00.000Z',
    '2026-05-10T02:00:00.000Z',
  ];
  await db.pool.query('DELETE FROM archived_day_counts');
  await plant(
    ids.map((id, i) => ({ id, start: starts[i]!, category: 'horse', resulted: true, counts: i % 2 ? both : counts })),
  );
  for (const text of CHANGES) {
    await db.pool.query(text);
    expect(await differingMonths()).toEqual([]);
  }
  await db.pool.query(
    `UPDATE archived_month_counts SET n = n + 1 WHERE series = 'tab' AND month = '2026-04-01' AND NOT scratched AND n > 0`,
  );
  expect(await differingMonths()).toEqual([expect.objectContaining({ what: 'line', series: '2026-04 tab' })]);
  await db.pool.query(
    `UPDATE archived_month_counts SET n = n - 1 WHERE series = 'tab' AND month = '2026-04-01' AND NOT scratched AND n > 0`,
  );
});

test('races of different days of a month are counted at once, and none waits for another for ever', async () => {
  const series = ['tab', 'neds', 'sportsbet'];
  const all = Array.from({ length: 24 }, (_, i) => ({
    id: `00000000-0000-4000-8000-0000000001${String(i).padStart(2, '0')}`,
    start: `2026-06-${String(1 + (i % 12)).padStart(2, '0')}T02:00:00.000Z`,
    category: 'horse' as const,
    resulted: true,
    counts: series.map((one, k) => ({ series: one, closing: k === i % 3, scratched: false, n: 1 + i })),
  }));
  await plant(all);
  for (const sign of [-1, 1] as const) await Promise.all(all.map(({ id }) => add(id, sign)));
  expect(await differingMonths()).toEqual([]);
  const { total } = await planPage(
    db.pool,
    'line',
    { from: '2026-05-31T14:00:00.000Z', until: '2026-06-30T14:00:00.000Z' },
    { limit: 1, offset: 0 },
  );
  expect(total).toBe(3 * all.reduce((sum, _, i) => sum + 1 + i, 0));
});

test('races that change days with each other are counted one after the other', async () => {
  const counts = [{ series: 'sportsbet', closing: true, scratched: false, n: 3 }];
  const ids = ['8', '9'].map((last) => `00000000-0000-4000-8000-00000000000${last}`) as [string, string];
  const starts = ['2026-07-10T02:00:00.000Z', '2026-07-12T02:00:00.000Z'];
  await plant(ids.map((id, i) => ({ id, start: starts[i]!, category: 'horse', resulted: true, counts })));
  const [one, other] = [await db.pool.connect(), await db.pool.connect()];
  const count = (client: typeof one, id: string, sign: number) =>
    client.query('SELECT add_archived_day($1, $2)', [id, sign]);
  const move = (client: typeof one, id: string, to: string) =>
    client.query('UPDATE archived_races SET start_day = $2 WHERE race_id = $1', [id, to]);
  try {
    for (const client of [one, other]) await client.query('BEGIN');
    await count(one, ids[0], -1);
    const waiting = count(other, ids[1], -1);
    await until(async () => {
      const { rows } = await db.pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    await move(one, ids[0], '2026-07-12');
    await count(one, ids[0], 1);
    await one.query('COMMIT');
    await waiting;
    await move(other, ids[1], '2026-07-10');
    await count(other, ids[1], 1);
    await other.query('COMMIT');
  } finally {
    for (const client of [one, other]) client.release(true);
  }
  expect(await differingMonths()).toEqual([]);
});

test('a month that no compared day is in is compared with the totals alone', async () => {
  const compared = async (day: string) => (await differingTotals(db.pool, [day as never])).map(({ series }) => series);
  const before = await compared('2026-02-15');
  await db.pool.query(`UPDATE archived_day_counts SET n = n + 1 WHERE start_day = '2026-07-10'`);
  // As if the days had been written past their month.
  await db.pool.query(`UPDATE archived_month_counts SET n = n - 1 WHERE month = '2026-07-01' AND n > 0`);
  expect(await compared('2026-02-15')).toEqual(before);
  expect(await compared('2026-07-31')).toEqual([...before, '2026-07', '2026-07 sportsbet']);
  await db.pool.query(`UPDATE archived_month_counts SET n = n + 1 WHERE month = '2026-07-01' AND n > 0`);
  expect(await compared('2026-02-15')).toEqual([...before, 'sportsbet'].sort());
});
