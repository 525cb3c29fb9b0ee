// Closing lines, market summaries and their coverage over HTTP, from races that were really archived: every parameter,
// formats that agree, plans and their windows, refusals that are free, and nothing of an exchange.

import { once } from 'node:events';
import { get as request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import type { ArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { createReads, type Reads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { type Answer, memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { archivedRace, markRunners } from '../../../support/races/archived-race';
import type { TimedQuotes } from '../../../support/races/polled-race';
import { until } from '../../../support/races/stream-lab';
import { poolAs } from '../../../support/servers/roles';

const LINES = '/v1/racing/closing-lines';
const SUMMARY = '/v1/racing/market-summary';
const COVERAGE = `${LINES}/coverage`;
const DAY_MS = 24 * 3_600_000;

/** Two books close, one is last seen 15 minutes before the jump; the exchange and the reference book are withheld. */
const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  tab: [
    [3590, 3, 2.2, 9],
    [600, 2.8, 2.4, 9],
    [5, 2.8, 2.4, 9],
  ],
  neds: [
    [3580, 3.1, 2.1, 8],
    [400, 2.9, 2.3, 8],
    [4, 2.9, 2.3, 8],
  ],
  sportsbet: [[900, 3, 2, 8]],
  betfair_ex_au: [
    [3000, 777.5, 777.5, 777.5],
    [3, 777.5, 777.5, 777.5],
  ],
  pinnacle: [
    [3000, 777.5, 777.5, 777.5],
    [9, 777.5, 777.5, 777.5],
  ],
};
const LAST_SEEN_ONLY = { sportsbet: BOOKS.sportsbet!, betfair_ex_au: BOOKS.betfair_ex_au! };

/** Sydney's clocks change at 03:00 on 2026-04-05 (back) and at 02:00 on 2026-10-04 (forward). */
const RACES = {
  /** At 00:30 on the 5th, of a meeting of the 4th. */
  midnight: { startTime: '2026-04-04T13:30:00.000Z', meetingDate: '2026-04-04', venue: 'Albury', placed: [1, 2, 3] },
  /** At 23:30 on a day of 25 hours. */
  autumn: { startTime: '2026-04-05T13:30:00.000Z', meetingDate: '2026-04-05', venue: 'Albury', placed: [2, 1, 3] },
  /** At 00:10 and at 23:30 on a day of 23 hours. */
  spring: { startTime: '2026-10-03T14:10:00.000Z', meetingDate: '2026-10-04', venue: 'Bendigo', country: null },
  late: { startTime: '2026-10-04T12:30:00.000Z', meetingDate: '2026-10-04', venue: 'Addington', country: 'NZ' },
  newest: { startTime: '2026-11-20T01:00:00.000Z', meetingDate: '2026-11-20', venue: 'The "Valley", Kew', placed: [3] },
  noClose: { startTime: '2026-11-20T02:00:00.000Z', meetingDate: '2026-11-20', venue: 'Wentworth Park' },
} as const;

let served: Served;
let stores: Stores;
let pool: Pool;
let other: TestApi | undefined;
const ids = {} as Record<keyof typeof RACES, string>;
const keys = {} as Record<'free' | 'standard' | 'older' | 'younger' | 'plus', string>;

beforeAll(async () => {
  served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    stores = createStores(pool);
    return { charger: createCharger(stores.credits) };
  });
  const { db } = served;
  for (const [i, [name, race]] of Object.entries(RACES).entries()) {
    const category = name === 'late' ? 'harness' : name === 'noClose' ? 'greyhound' : 'horse';
    const books = name === 'noClose' ? LAST_SEEN_ONLY : BOOKS;
    ids[name as keyof typeof RACES] = await archivedRace(db.pool, { ...race, raceNumber: i + 1, category }, books);
  }
  await markRunners(db.pool, ids.late, 'scratched = (runner = 3), name_fragment_suspect = (runner = 2)');
  keys.free = await served.addKey({ plan: 'free' });
  keys.standard = await served.addKey({ plan: 'standard', issuedAt: '2026-09-20T00:00:00.000Z' });
  keys.older = await served.addKey({ plan: 'standard', issuedAt: '2026-09-19T23:59:59.999Z' });
  keys.younger = await served.addKey({ plan: 'hobby', issuedAt: '2026-09-19T23:59:59.999Z' });
  keys.plus = await served.addKey({ plan: 'plus' });
});
afterEach(async () => {
  await other?.close();
  other = undefined;
});
afterAll(async () => {
  await served.stop();
  await pool.end();
});

const get = (path: string, key = keys.plus, api: TestApi = served.api): Promise<Answer> => api.get(path, key);
const rowsOf = async (path: string) => {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return body.rows as Record<string, unknown>[];
};
const costOf = ({ headers }: Answer) => headers.get('x-credits-cost');
/** Another API over the same database, with an archive that a test changes. */
async function withArchive(change: Partial<ArchiveReads>, responsesCachedMs = 0): Promise<TestApi> {
  const { keys: keyStore, ingest, health, credits } = stores;
  const charger = createCharger(credits);
  const reads = createReads(pool);
  const archive = { ...reads.archive, ...change };
  other = await startApi({ reads: { ...reads, archive }, keys: keyStore, ingest, health, charger, responsesCachedMs });
  return other;
}

describe('closing lines', () => {
  // Of a race: three books and three runners, two of the books with a close.
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

  test('pages of any size are the rows in order, in either format', async () => {
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

/** RFC 4180, strictly. */
const tableOf = (text: string): string[][] => parse(text, { recordDelimiter: '\r\n' }).slice(1);
const cellsOf = (row: object): string[] => Object.values(row).map((value) => (value === null ? '' : String(value)));

describe.each([
  ['closing lines', LINES, 'closing_only=false&include_flagged=true&include_scratched=true', 48],
  ['market summaries', SUMMARY, '', 17],
] as const)('%s', (_, path, search, total) => {
  test('are the same as CSV, whose columns are the members in their order', async () => {
    const rows = await rowsOf(`${path}?${search}`);
    const csv = await get(`${path}?${search}&format=csv`);
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z-]+\.csv"$/);
    const [names] = parse(csv.text) as string[][];
    expect(names).toEqual(Object.keys(rows[0]!));
    expect(tableOf(csv.text)).toEqual(rows.map(cellsOf));
    expect(rows).toHaveLength(total);
  });

  test('cost 5 credits, 20 as CSV, and nothing where no row is sent', async () => {
    expect(costOf(await get(path))).toBe('5');
    const csv = await get(`${path}?format=csv`);
    expect([costOf(csv), csv.headers.get('etag')]).toEqual(['20', null]);
    const head = await served.api.send('HEAD', `${path}?format=csv`, { key: keys.plus });
    expect([head.status, costOf(head), head.headers.get('content-type')]).toEqual([
      200,
      '0',
      'text/csv; charset=utf-8; header=present',
    ]);
    const tag = (await get(path)).headers.get('etag')!;
    const same = await served.api.get(path, keys.plus, { 'If-None-Match': tag });
    expect([same.status, costOf(same)]).toEqual([304, '0']);
    expect(await stores.credits.audit()).toEqual([]);
  });

  test('name everything that is wrong, for free', async () => {
    const wrong =
      'from=yesterday&to=2026-02-30&category=dogs&country=AUS&race_id=7&format=xml&limit=0&offset=-1&what=1';
    const answer = await get(`${path}?${wrong}`);
    expect([answer.status, costOf(answer)]).toEqual([422, '0']);
    expectProblemConforms(answer.body);
    expect(answer.body.errors.map((one: { parameter: string }) => one.parameter).sort()).toEqual([
      'category',
      'country',
      'format',
      'from',
      'limit',
      'offset',
      'race_id',
      'to',
      'what',
    ]);
    expect(answer.body.detail).toContain(
      'from must be a calendar day as YYYY-MM-DD, or an instant with its UTC offset',
    );
    for (const [more, parameter] of [
      ['date=2026-04-05&from=2026-04-05', 'from'],
      ['date=2026-04-05&to=2026-04-05', 'to'],
      ['from=2026-04-06&to=2026-04-05', 'from'],
      ['from=2027-01-01', 'from'],
      ['limit=5001', 'limit'],
      ['format=csv&limit=50001', 'limit'],
      ['format=parquet', 'format'],
      ['venue=', 'venue'],
    ]) {
      const { status, body } = await get(`${path}?${more}`);
      expect([more, status, body.errors?.[0].parameter]).toEqual([more, 422, parameter]);
    }
    expect((await get(`${path}?format=csv&limit=50000`)).status).toBe(200);
    for (const far of [
      'from=0001-01-01&to=9999-12-31',
      'to=9999-12-31T23:59:59.999Z',
      'date=9999-12-31',
      'offset=1000000000',
    ])
      expect([far, (await get(`${path}?${far}`)).status]).toEqual([far, 200]);
  });

  test('are whole for Plus and older Standard keys, the last 90 days for younger ones', async () => {
    for (const key of [keys.plus, keys.older]) {
      const answer = await get(path, key);
      expect([answer.status, answer.headers.get('x-archive-window-days')]).toEqual([200, null]);
      expect(answer.body).toMatchObject({ window_days: null });
      expect(answer.body.rows[0].race_id).toBe(ids.midnight);
    }
    const cut = await get(path, keys.standard);
    expect([cut.headers.get('x-archive-window-days'), cut.body.window_days]).toEqual(['90', 90]);
    expect(cut.body.rows[0].race_id).toBe(ids.spring);
    expect(cut.body.total_rows).toBe(cut.body.rows.length);
    const csv = await get(`${path}?format=csv`, keys.standard);
    expect(csv.headers.get('x-archive-window-days')).toBe('90');
    expect(tableOf(csv.text)).toEqual(cut.body.rows.map(cellsOf));
    expect((await get(`${path}?race_id=${ids.autumn}`, keys.standard)).body.total_rows).toBe(0);
  });

  test('have a window of 90 × 24 hours, to the second', async () => {
    const startMs = Date.parse(RACES.spring.startTime);
    const before = served.api.now;
    try {
      for (const [second, first] of [
        [0, ids.spring],
        [1, ids.late],
      ] as const) {
        served.api.now = startMs + 90 * DAY_MS + second * 1000;
        expect((await get(`${path}?to=2026-10-04`, keys.standard)).body.rows[0].race_id).toBe(first);
      }
      served.api.now = startMs + 90 * DAY_MS;
      for (const older of [
        'to=2026-10-03',
        'to=2026-10-03T14:09:59.998Z',
        'from=2026-04-05&to=2026-04-05',
        'date=2026-10-02',
      ]) {
        const refused = await get(`${path}?${older}`, keys.standard);
        expect([older, refused.status, costOf(refused)]).toEqual([older, 403, '0']);
        expect(refused.headers.get('x-archive-window-days')).toBe('90');
        expectProblemConforms(refused.body);
        expect(refused.body).toMatchObject({ code: 'archive_window', required_plan: 'plus' });
        expect((await get(`${path}?${older}`, keys.older)).status).toBe(200);
      }
    } finally {
      served.api.now = before;
    }
  });

  test('are a free 403 for other plans, with rows of the archive as a sample', async () => {
    const all = await rowsOf(`${path}?race_id=${ids.newest}`);
    for (const key of [keys.free, keys.younger]) {
      const refused = await get(path, key);
      expect([refused.status, costOf(refused)]).toEqual([403, '0']);
      expectProblemConforms(refused.body);
      expect(refused.body).toMatchObject({ code: 'plan_required', required_plan: 'plus' });
      expect(refused.body.sample).toEqual(all.slice(0, 5));
      expect(refused.body.sample.length).toBeGreaterThan(2);
      expect((await get(`${path}?format=csv`, key)).body.sample).toEqual(refused.body.sample);
    }
    expect((await get(path, keys.free, await withArchive({ sampleRace: async () => null }))).body.sample).toEqual([]);
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    await other?.close();
    const lost = await get(path, keys.free, await withArchive({ sampleRace: () => Promise.reject(away) }));
    expect([lost.status, 'sample' in lost.body]).toEqual([403, false]);
  });

  test('are never shared between keys with different windows within a second (D35)', async () => {
    const api = await withArchive({}, 60_000);
    const asked = await Promise.all([keys.plus, keys.standard, keys.older].map((key) => get(path, key, api)));
    const windows = asked.map(({ body }) => [body.window_days, body.rows[0].race_id]);
    expect(windows).toEqual([
      [null, ids.midnight],
      [90, ids.spring],
      [null, ids.midnight],
    ]);
  });

  test('as CSV end the connection when the archive breaks in mid-stream, and are given back', async () => {
    const breaking: Partial<ArchiveReads> = {
      streamClosingLines: () => broken(createReads(pool).archive.streamClosingLines({}, 5)),
      streamMarketSummary: () => broken(createReads(pool).archive.streamMarketSummary({ includeScratched: true }, 5)),
    };
    const key = await served.addKey({ plan: 'plus' });
    const api = await withArchive(breaking);
    const sent = request(`${api.url}${path}?format=csv`, { agent: false, headers: { 'X-API-Key': key } });
    const [response] = await once(sent, 'response');
    await expect(buffer(response)).rejects.toThrow('aborted');
    await until(async () => (await served.api.get('/v1/usage', key)).body.credits_used === 0);
    expect(api.logged).toHaveLength(1);
  });
});

async function* broken<R>(batches: AsyncGenerator<readonly R[]>): AsyncGenerator<readonly R[]> {
  yield* batches;
  throw new Error('the archive broke');
}

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
  test('counts all rows for every plan, and names what has no close and why', async () => {
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

test('nothing of the exchange or the reference book is in any row, total, sample, consensus or file', async () => {
  const { rows: planted } = await served.db.pool.query(
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
  other = await startApi({ reads: { archive } as Reads, keys: memory });
  const key = memory.add({ plan: 'plus' });
  expect((await other.get(LINES, key)).body).toMatchObject({ total_rows: 0, archive_from: null, rows: [] });
  expect((await other.get(SUMMARY, key)).body).toMatchObject({ total_rows: 0, summary_from: null, rows: [] });
  const { body } = await other.get(COVERAGE, key);
  expectConforms('closing_lines_coverage', body);
  expect(body).toMatchObject({ rows: 0, is_closing_line_pct: null, resulted_races_pct: null });
});
