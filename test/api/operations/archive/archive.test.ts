// Closing lines, market summaries and their coverage over HTTP, from races that were really archived: which rows each
// parameter selects, their contents, and nothing of an exchange.
import type { ArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { archivedWorld, cellsOf, LINES, RACES, SUMMARY, tableOf } from './archived-world';

const COVERAGE = `${LINES}/coverage`;

const world = archivedWorld();
const { ids, keys, get, rowsOf } = world;

describe('closing lines', () => {
  // For a race: three books and three runners, two of the books with a close.
  test.each<[string, string, number]>([
    ['all genuine closing lines', '', 26],
    ['last-seen prices too', 'closing_only=false', 42],
    ['with flagged rows', 'include_flagged=true', 28],
    ['with scratched runners', 'include_scratched=true', 28],
    ['with both', 'include_flagged=true&include_scratched=true&closing_only=false', 48],
    ['one book', 'bookmakers=tab', 13],
    ['two books, one without a close', 'bookmakers=NEDS,sportsbet', 13],
    ['a book without rows', 'bookmakers=unibet', 0],
    ['a code', 'category=harness', 2],
    ['two codes', 'categories=harness,greyhound&closing_only=false', 6],
    ['a country; an unknown one is in none', 'country=AU', 18],
    ['two countries', 'country=au,nz', 20],
    ['a venue in any case', 'venue=ALBURY', 12],
    ['part of a venue', 'venue=alb', 0],
    ['a venue with quotes and a comma', `venue=${encodeURIComponent('the "valley", kew')}`, 6],
    ['races with a result', 'resulted_only=true', 18],
    ['a day of 25 hours by start', 'from=2026-04-05&to=2026-04-05', 12],
    ['the same day of meetings', 'date=2026-04-05', 6],
    ['a meeting past midnight, by its day', 'date=2026-04-04', 6],
    ['the day before it, by start', 'from=2026-04-04&to=2026-04-04', 0],
    ['a day of 23 hours', 'from=2026-10-04&to=2026-10-04', 8],
    ['the same as instants', 'from=2026-10-04T00:00:00%2B10:00&to=2026-10-04T23:59:59%2B11:00', 8],
    ['from one start to another, both included', 'from=2026-10-03T14:10:00Z&to=2026-10-04T12:30:00Z', 8],
    ['a plus sign that was not encoded', 'from=2026-10-04T00:10:00+10:00&to=2026-10-04', 8],
    ['up to now', 'from=2026-11-20', 6],
  ])('%s (%s)', async (_, search, expected) => {
    const { status, body } = await get(`${LINES}?${search}&limit=5000`);
    expect(status).toBe(200);
    expectConforms('closing_lines', body);
    expect([body.rows.length, body.rows_returned, body.total_rows]).toEqual([expected, expected, expected]);
    const resulted = body.rows.filter((row: { result_status: unknown }) => row.result_status !== null);
    expect(body.resulted_rows).toBe(resulted.length);
    expect(body).toMatchObject({ archive_from: RACES.midnight.startTime, window_days: null, limit: 5000, offset: 0 });
  });

  test('a row has the prices, the close and the result of its series', async () => {
    const rows = await rowsOf(`${LINES}?race_id=${ids.newest}&closing_only=false`);
    expect(rows[0]).toMatchObject({
      race_id: ids.newest,
      venue: 'The "Valley", Kew',
      runner_number: 1,
      bookmaker_key: 'neds',
      open_win_price: 3.1,
      open_secs_to_jump: 3580,
      close_win_price: 2.9,
      close_secs_to_jump: 4,
      close_lay_price: null,
      points_observed: 2,
      finish_position: null,
      result_status: 'final',
      is_closing_line: true,
      books_in_consensus_close: 2,
      close_found_by: 'poll',
      close_age_s: 400,
      horse_ref: 'pe:runner1',
    });
    expect(rows.filter((row) => row.finish_position === 1)).toHaveLength(3);
    const prices = new Set(rows.map((row) => row.consensus_close_price));
    expect(prices.size).toBe(3);
    const chances = [0, 3, 6].map((i) => rows[i]!.consensus_close_prob as number);
    expect(chances.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
  });

  test('pages of any size return the rows in order, in either format', async () => {
    const search = 'closing_only=false&include_flagged=true&include_scratched=true';
    const all = await rowsOf(`${LINES}?${search}`);
    expect(all).toHaveLength(48);
    expect(all.map((row) => row.start_time)).toEqual(all.map((row) => row.start_time).sort());
    for (const limit of [1, 7, 20]) {
      const paged: unknown[] = [];
      for (let offset = 0; offset < 60; offset += limit * 3) {
        for (const at of [offset, offset + limit, offset + 2 * limit]) {
          const page = (await get(`${LINES}?${search}&limit=${limit}&offset=${at}`)).body;
          expect([page.total_rows, page.rows_returned]).toEqual([48, page.rows.length]);
          paged.push(...page.rows);
        }
      }
      expect(paged).toEqual(all);
    }
    const csv = await get(`${LINES}?${search}&format=csv&limit=9&offset=30`);
    expect(tableOf(csv.text)).toEqual(all.slice(30, 39).map(cellsOf));
  });
});

describe('market summaries', () => {
  test.each<[string, string, number]>([
    ['all, without flagged runners', '', 17],
    ['a signal that no runner has', 'signal=strong_drift', 0],
    ['all signals', 'signal=STRONG_FIRM,firm,steady,drift,strong_drift,insufficient', 17],
    ['a code', 'category=greyhound', 3],
    ['a venue', 'venue=albury', 6],
    ['a country', 'country=NZ', 2],
    ['a day of 23 hours', 'from=2026-10-04&to=2026-10-04', 5],
    ['a meeting past midnight', 'date=2026-04-04', 3],
  ])('%s (%s)', async (_, search, expected) => {
    const { status, body } = await get(`${SUMMARY}?${search}`);
    expect(status).toBe(200);
    expectConforms('market_summary', body);
    expect([body.rows.length, body.rows_returned, body.total_rows]).toEqual([expected, expected, expected]);
    expect(body.summary_from).toBe(RACES.midnight.startTime);
  });

  test('are the consensus of the closing lines and the moves to it', async () => {
    const [summary] = await rowsOf(`${SUMMARY}?race_id=${ids.newest}`);
    const [line] = await rowsOf(`${LINES}?race_id=${ids.newest}`);
    expect(summary).toMatchObject({
      runner_number: 1,
      consensus_close: line!.consensus_close_price,
      close_source: 'archive',
      books_close: 2,
      ticks_total: 5,
      best_close_price: 2.9,
      best_close_bookmaker: 'neds',
      result_status: 'final',
      horse_ref: 'pe:runner1',
    });
    const { consensus_t60, move_from_t60_pct } = summary as Record<string, number>;
    expect(consensus_t60).toBeGreaterThan(summary!.consensus_close as number);
    expect(move_from_t60_pct).toBeLessThan(0);
  });
});

describe('coverage', () => {
  test('counts all rows for every plan, and names the races without a close and the reason', async () => {
    const { status, body, headers } = await get(COVERAGE, keys.free);
    expect([status, headers.get('x-credits-cost')]).toEqual([200, '1']);
    expectConforms('closing_lines_coverage', body);
    expect(body).toMatchObject({
      archive_from: RACES.midnight.startTime,
      archive_to: RACES.noClose.startTime,
      rows: 48,
      races: 6,
      bookmakers: 3,
      closing_rows: 30,
      is_closing_line_pct: 62.5,
      resulted_rows: 27,
      resulted_races_pct: 50,
      results_from: RACES.midnight.startTime,
      scratched_rows: 3,
      name_fragment_suspect_rows: 3,
    });
    const rows = body.by_category.map((one: { category: string; rows: number }) => [one.category, one.rows]);
    expect(rows).toEqual([
      ['greyhound', 3],
      ['harness', 9],
      ['horse', 36],
    ]);
    expect(body.days).toHaveLength(14);
    expect(body.days[1]).toMatchObject({
      day: '2026-11-20',
      races_run: 2,
      races_archived: 2,
      races_closed: 1,
      without_close: { not_archived: 0, last_seen_only: 1 },
    });
  });
});

test('no row, total, sample, consensus or file contains anything of the exchange or the reference book', async () => {
  const { rows: planted } = await world.served.db.pool.query(
    `SELECT (SELECT count(*)::int FROM withheld_closing_lines) AS lines, (SELECT count(*)::int FROM withheld_price_paths) AS paths`,
  );
  expect(planted[0]).toEqual({ lines: 33, paths: 33 });
  const texts: string[] = [];
  for (const key of Object.values(keys))
    for (const path of [
      `${LINES}?closing_only=false`,
      `${LINES}?closing_only=false&format=csv`,
      `${LINES}?race_id=${ids.noClose}`,
      SUMMARY,
      `${SUMMARY}?format=csv`,
      COVERAGE,
    ])
      texts.push((await get(path, key)).text);
  expect(texts.filter((text) => /betfair|pinnacle|777\.5/.test(text))).toEqual([]);
  const refused = await get(`${LINES}?bookmakers=betfair_ex_au`);
  expect([refused.status, refused.body.errors[0].parameter]).toEqual([422, 'bookmakers']);
});

test('an archive without rows is reported as empty', async () => {
  const memory = memoryKeys();
  const nothing = { rows: [], total: 0, resulted: 0, next: null };
  const archive: Partial<ArchiveReads> = {
    closingLines: async () => nothing,
    marketSummary: async () => nothing,
    beginsAt: async () => null,
    coverage: async () => ({
      archive_from: null,
      archive_to: null,
      results_from: null,
      categories: [],
      bookmakers: [],
    }),
    days: async () => [],
  };
  world.other = await startApi({ reads: { archive } as Reads, keys: memory });
  const key = memory.add({ plan: 'plus' });
  expect((await world.other.get(LINES, key)).body).toMatchObject({ total_rows: 0, archive_from: null, rows: [] });
  expect((await world.other.get(SUMMARY, key)).body).toMatchObject({ total_rows: 0, summary_from: null, rows: [] });
  const { body } = await world.other.get(COVERAGE, key);
  expectConforms('closing_lines_coverage', body);
  expect(body).toMatchObject({ rows: 0, is_closing_line_pct: null, resulted_races_pct: null });
});
