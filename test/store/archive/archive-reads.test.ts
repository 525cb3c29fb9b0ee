// Reads of the archive: exact totals, and pages that neither skip nor repeat a row at any offset.
import fc from 'fast-check';
import { Client, type Pool } from 'pg';
import { PRICE_PATH_COLUMNS, pricePathRow } from '../../../src/bulk/rows/price-paths';
import { csvLines } from '../../../src/row-files/csv';
import { createArchiveStore } from '../../../src/store/archive/archive';
import { type ArchiveReads, createArchiveReads } from '../../../src/store/reads/archive/archive-reads';
import type { ArchiveSelection } from '../../../src/store/reads/archive/selection';
import { runs } from '../../support/property';
import { markRunners } from '../../support/races/archived-race';
import { polledRace, type TimedQuotes } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  tab: [
    [3590, 3, 2.2],
    [600, 2.8, 2.4],
    [5, 2.8, 2.4],
  ],
  neds: [
    [3580, 3.1, 2.1],
    [4, 3.1, 2.1],
  ],
  sportsbet: [[900, 3, 2]],
  pinnacle: [
    [3000, 3, 2],
    [9, 3, 2],
  ],
};
/** Sydney's clocks change at 02:00 on 2026-10-04 (forward), 03:00 on 2026-04-05 (back). */
const STARTS = [
  '2026-04-04T12:55:00.000Z',
  '2026-04-04T13:05:00.000Z',
  '2026-04-05T13:59:59.000Z',
  '2026-10-03T13:59:00.000Z',
  '2026-10-03T14:00:00.000Z',
  '2026-10-04T12:59:59.000Z',
  '2026-10-04T13:00:00.000Z',
];

let db: TestDatabase;
let api: Pool;
let reads: ArchiveReads;
const ids: string[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  api = poolAs(db, 'racing_api');
  reads = createArchiveReads(api, api);
  for (const [i, startTime] of STARTS.entries()) {
    const listed = {
      startTime,
      raceNumber: i + 1,
      country: i === 2 ? 'NZ' : 'AU',
      venue: i % 2 ? 'Bendigo' : 'Albury',
      meetingDate: '2026-10-03',
    };
    const { raceId } = await polledRace(db.pool, { ...listed, category: i === 4 ? 'harness' : 'horse' }, BOOKS);
    await db.pool.query(
      'UPDATE races SET left_board_at = start_time + $2::interval, jumped_at = start_time WHERE race_id = $1',
      [raceId, '11 min'],
    );
    if (i < 3)
      await db.pool.query(
        `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, updated_at)
         VALUES ($1, 'final', '[{"position": 1, "number": 2}]', '1:2', $2, 'pending', $2)`,
        [raceId, startTime],
      );
    await createArchiveStore(db.pool).archive(raceId, startTime);
    ids.push(raceId);
  }
});
afterAll(async () => {
  await api.end();
  await db.drop();
});

const ALL: ArchiveSelection = {};
const keyOf = (row: { race_id: string; runner_number: number; bookmaker_key: string }) =>
  `${row.race_id} ${row.runner_number} ${row.bookmaker_key}`;

test('a page looks at races of the selected days, from the first to the last', async () => {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    const { total } = await reads.closingLines({ countries: ['NZ'] }, { limit: 50, offset: 0 });
    expect(total).toBe(6);
    const looks = (query.mock.calls as unknown as [{ text?: string; values: unknown[] }][]).filter(([{ text }]) =>
      text?.includes('archived_races r CROSS JOIN LATERAL'),
    );
    // The Sydney day of the third start.
    expect(looks.map(([{ values }]) => [values[13], values[8]])).toEqual([
      ['2026-04-04T13:00:00.000Z', '2026-04-05T14:00:00.000Z'],
    ]);
  } finally {
    query.mockRestore();
  }
});

test('pages of any size at any offset return the rows in order, once each, and their total', async () => {
  const all = await reads.closingLines(ALL, { limit: 1000, offset: 0 });
  expect([all.rows.length, all.total, all.resulted]).toEqual([42, 42, 18]);
  const order = all.rows.map(keyOf);
  expect(new Set(order).size).toBe(42);
  expect(all.rows.map((row) => row.start_time)).toEqual(STARTS.flatMap((start) => new Array(6).fill(start)));
  for (const limit of [1, 4, 5, 13, 41]) {
    const paged: string[] = [];
    for (let offset = 0; offset < 50; offset += limit) {
      const page = await reads.closingLines(ALL, { limit, offset });
      expect(page.total).toBe(42);
      paged.push(...page.rows.map(keyOf));
    }
    expect(paged).toEqual(order);
  }
  for (const [limit, offset] of [
    [40, 0],
    [13, 1],
    [9, 23],
    [100, 41],
    [100, 42],
  ] as const) {
    const streamed: string[] = [];
    for await (const rows of reads.streamClosingLines(ALL, limit, offset)) streamed.push(...rows.map(keyOf));
    expect(streamed).toEqual(order.slice(offset, offset + limit));
  }
});

test.each<[string, ArchiveSelection, number, number]>([
  ['genuine closing lines only', { closingOnly: true }, 28, 12],
  ['resulted races only', { resultedOnly: true }, 18, 18],
  ['one book', { series: ['neds'] }, 14, 6],
  ['a book that has no rows, and a withheld one', { series: ['unibet', 'pinnacle'] }, 0, 0],
  ['a code', { categories: ['harness'] }, 6, 0],
  ['a country', { countries: ['NZ'] }, 6, 6],
  ['a venue in any case', { venue: 'BENDIGO' }, 18, 6],
  ['a meeting day', { meetingDate: '2026-10-03' }, 42, 18],
  [
    'whole Sydney days, short and long',
    { from: '2026-04-04T13:00:00.000Z', until: '2026-04-05T14:00:00.000Z' },
    12,
    12,
  ],
  ['parts of days', { from: '2026-04-04T13:00:00.000Z', until: '2026-10-04T12:59:59.000Z' }, 24, 12],
  ['within one day', { from: '2026-10-03T14:00:00.000Z', until: '2026-10-03T15:00:00.000Z' }, 6, 0],
  ['nothing', { from: '2027-01-01T00:00:00.000Z' }, 0, 0],
])('%s', async (_, selection, total, resulted) => {
  const page = await reads.closingLines(selection, { limit: 1000, offset: 0 });
  expect([page.rows.length, page.total, page.resulted]).toEqual([total, total, resulted]);
});

test('flagged and scratched rows are left out of rows and totals, unless they are included', async () => {
  const flag = `UPDATE archived_runners SET scratched = (runner = 1), name_fragment_suspect = (runner = 2) WHERE race_id = $1`;
  const recount = async (change: string) => {
    await db.pool.query('SELECT add_archived_day($1, -1)', [ids[0]]);
    await db.pool.query(change, [ids[0]]);
    await db.pool.query('SELECT count_archived_race($1)', [ids[0]]);
  };
  await recount(flag);
  const counted = async (more: ArchiveSelection) => {
    const page = await reads.closingLines({ raceId: ids[0]!, ...more }, { limit: 100, offset: 0 });
    return [page.rows.length, page.total];
  };
  expect(await counted({})).toEqual([0, 0]);
  expect(await counted({ includeScratched: true })).toEqual([3, 3]);
  expect(await counted({ includeFlagged: true })).toEqual([3, 3]);
  expect(await counted({ includeFlagged: true, includeScratched: true })).toEqual([6, 6]);
  await recount('UPDATE archived_runners SET scratched = false, name_fragment_suspect = false WHERE race_id = $1');
});

test('price paths and summaries page in the same way', async () => {
  const selection = { includeScratched: true, from: STARTS[3]! };
  const all = await reads.pricePaths(selection, { limit: 1000, offset: 0 });
  expect([all.rows.length, all.total]).toEqual([32, 32]);
  expect(all.rows.slice(0, 3).map((row) => [row.bookmaker_key, row.secs_to_jump, row.win_price])).toEqual([
    ['neds', 3580, 3.1],
    ['sportsbet', 900, 3],
    ['tab', 3590, 3],
  ]);
  const far = await reads.pricePaths(selection, { limit: 7, offset: 30 });
  expect(far.rows).toEqual(all.rows.slice(30));
  const streamed = [];
  for await (const rows of reads.streamPricePaths(selection, 1000)) streamed.push(...rows);
  expect(streamed).toEqual(all.rows);
  const summaries = await reads.marketSummary(ALL, { limit: 3, offset: 13 });
  expect([summaries.total, summaries.rows.length, summaries.rows[0]!.race_id]).toEqual([14, 1, ids[6]]);
  const { signal } = summaries.rows[0]!;
  const some = await reads.marketSummary({ series: [signal] }, { limit: 100, offset: 0 });
  expect(some.rows.length).toBe(some.total);
  expect(some.rows.every((row) => row.signal === signal)).toBe(true);
});

test('a stream breaks if rows are missing, but not if a race was archived again since the count', async () => {
  const rowsOf = async (from: ArchiveReads): Promise<number> => {
    let count = 0;
    for await (const rows of from.streamClosingLines(ALL, 1000)) count += rows.length;
    return count;
  };
  const [raceId] = ids;
  const again = {
    query: async (statement: { text: string }) => {
      const found = await api.query(statement as never);
      // The races to read, with their counts.
      if (statement.text.includes('q.rows > 0')) await markRunners(db.pool, raceId!, 'scratched = (number = 2)');
      return found;
    },
  } as unknown as Pool;
  expect(await rowsOf(createArchiveReads(again, again))).toBe(39);
  await markRunners(db.pool, raceId!, 'scratched = false');
  expect(await rowsOf(reads)).toBe(42);
  const count = (change: string) =>
    db.pool.query(
      `UPDATE archived_counts SET n = n ${change} WHERE race_id = $1 AND what = 'line' AND series = 'tab'`,
      [raceId],
    );
  await count('+ 1');
  await expect(rowsOf(reads)).rejects.toThrow(`42 rows of the archive (line) instead of 43, from race ${raceId} on`);
  await count('- 1');
});

test('columns are in the contract’s order', async () => {
  const names = async (rows: readonly object[]) => Object.keys(rows[0]!).join(' ');
  const page = { limit: 1, offset: 0 };
  const lines = await names((await reads.closingLines(ALL, page)).rows);
  expect(lines).toMatch(
    /^race_id start_time meeting_date_aet venue race_number category country .* venue_site runner_ref finish_position result_status is_closing_line open_is_baseline venue_split_suspect name_fragment_suspect scratched open_place_price close_place_price scratched_at open_top2_price open_top3_price open_top4_price close_top2_price close_top3_price close_top4_price consensus_close_prob consensus_close_price books_in_consensus_close consensus_open_price books_in_consensus_open close_found_by close_age_s$/,
  );
  const paths = await names((await reads.pricePaths({ includeScratched: true }, page)).rows);
  expect(paths).toBe(
    'race_id start_time meeting_date_aet venue race_number category country runner_key runner_name runner_number bookmaker_key captured_at secs_to_jump win_price venue_id venue_site runner_ref scratched place_price top2_price top3_price top4_price',
  );
});

test('coverage counts all rows, and days report which races ran and which have no close', async () => {
  const coverage = await reads.coverage();
  expect(coverage).toMatchObject({
    archive_from: STARTS[0],
    archive_to: STARTS[6],
    results_from: STARTS[0],
    bookmakers: ['neds', 'sportsbet', 'tab'],
  });
  expect(coverage.categories).toEqual([
    {
      category: 'harness',
      rows: 6,
      closing: 4,
      baseline: 4,
      split: 0,
      fragment: 0,
      scratched: 0,
      resulted: 0,
      prices: 8,
      races: 1,
      resulted_races: 0,
      settleable_races: 1,
      settleable_resulted: 0,
    },
    {
      category: 'horse',
      rows: 36,
      closing: 24,
      baseline: 24,
      split: 0,
      fragment: 0,
      scratched: 0,
      resulted: 18,
      prices: 48,
      races: 6,
      resulted_races: 3,
      settleable_races: 6,
      settleable_resulted: 3,
    },
  ]);
  const { raceId } = await polledRace(
    db.pool,
    { startTime: '2026-10-04T01:00:00.000Z', raceNumber: 99, venue: 'Cowra' },
    { tab: [] },
  );
  await db.pool.query(`UPDATE races SET left_board_at = start_time + interval '11 min' WHERE race_id = $1`, [raceId]);
  const day = [{ day: '2026-10-04', since: '2026-10-03T14:00:00.000Z', until: '2026-10-04T13:00:00.000Z' }];
  expect(await reads.days(day)).toEqual([{ day: '2026-10-04', run: 3, archived: 2, closed: 2, without: {} }]);
  await createArchiveStore(db.pool).archive(raceId, STARTS[5]!);
  expect(await reads.days(day)).toEqual([
    { day: '2026-10-04', run: 3, archived: 3, closed: 2, without: { no_prices: 1 } },
  ]);
});

describe('lines of CSV', () => {
  const name = fc.oneof(
    fc.constantFrom('', '"', ',', '\r\n', ' a ', 'O\'Brien, "The"\r\n', 'Zabeel Prince (NZ)', 'Ñandú 🏇', '\u2028'),
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.toWellFormed()),
  );
  const price = fc.oneof(
    fc.constantFrom(1.01, 1_000_000, 999_999.99, 123_456.7),
    fc.double({ min: 1, minExcluded: true, max: 1_000_000, noNaN: true }),
    fc.integer({ min: 101, max: 50_000 }).map((cents) => cents / 100),
  );
  const leg = fc.option(price);
  const captures = fc.array(
    fc.record({
      runner: fc.constantFrom(1, 2),
      book: fc.constantFrom('neds', 'tab', 'betr_au'),
      // Microseconds before the start: rows have more digits than milliseconds.
      before: fc.integer({ min: -1_200_000_000, max: 3_600_000_000 }),
      secs: fc.integer({ min: -1200, max: 4000 }),
      win: price,
      place: leg,
      top2: leg,
      top3: leg,
      top4: leg,
    }),
    { maxLength: 9 },
  );
  const race = fc.record({
    venue: name,
    site: name,
    country: fc.option(name),
    ref: fc.option(name),
    names: fc.tuple(fc.option(name), name),
    category: fc.constantFrom('horse', 'greyhound'),
    scratched: fc.boolean(),
    captures,
  });
  const page = fc.record({ limit: fc.integer({ min: 1, max: 20 }), offset: fc.integer({ min: 0, max: 20 }) });

  async function plant(raceId: string, one: typeof race extends fc.Arbitrary<infer R> ? R : never): Promise<void> {
    await db.pool.query('SELECT add_archived_day($1, -1)', [raceId]);
    await db.pool.query(
      'UPDATE archived_races SET venue = $2, venue_id = $3, venue_site = $3, country = $4, category = $5 WHERE race_id = $1',
      [raceId, one.venue, one.site, one.country, one.category],
    );
    await db.pool.query(
      `UPDATE archived_runners SET name = CASE runner WHEN 1 THEN $2 ELSE $3 END, runner_key = $3, runner_ref = $4, scratched = $5
        WHERE race_id = $1`,
      [raceId, ...one.names, one.ref, one.scratched],
    );
    await db.pool.query('DELETE FROM price_path_rows WHERE race_id = $1', [raceId]);
    await db.pool.query(
      `INSERT INTO price_path_rows
       SELECT a.start_time, a.race_id, c.runner, c.book, a.start_time - c.before * interval '1 microsecond', c.secs, c.win, c.place, c.top2, c.top3, c.top4
         FROM archived_races a, jsonb_to_recordset($2) AS c (runner smallint, book text, before bigint, secs integer, win float8, place float8,
              top2 float8, top3 float8, top4 float8)
        WHERE a.race_id = $1 ON CONFLICT DO NOTHING`,
      [raceId, JSON.stringify(one.captures)],
    );
    await db.pool.query('SELECT count_archived_race($1)', [raceId]);
  }

  test('have the same bytes as the rows, for any part of them', async () => {
    const lines = csvLines(PRICE_PATH_COLUMNS);
    await fc.assert(
      fc.asyncProperty(race, race, page, async (one, other, { limit, offset }) => {
        await plant(ids[0]!, one);
        await plant(ids[1]!, other);
        for (const [most, from, series] of [
          [1000, 0],
          [limit, offset],
          [limit, offset, ['tab']],
        ] as const) {
          const selection = { includeScratched: true, until: STARTS[2]!, series };
          let made = '';
          let rowsMade = '';
          for await (const texts of reads.streamPricePathLines(selection, most, from)) made += texts.join('');
          for await (const rows of reads.streamPricePaths(selection, most, from))
            rowsMade += lines(rows.map(pricePathRow));
          expect(made).toBe(rowsMade);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
