// GET /v1/racing/price-paths (B 2.3, B 4.3) over races that were really archived: figures, selection and its guard,
// formats that agree, plans, and nothing of an exchange.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import type { Answer } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { type DuckDb, openDuckDb } from '../../../support/duckdb';
import { archivedRace, markRunners } from '../../../support/races/archived-race';
import type { TimedQuotes } from '../../../support/races/polled-race';
import { poolAs } from '../../../support/servers/roles';

const PATH = '/v1/racing/price-paths';

/** Nine prices at customers' books; the exchange and the reference book are withheld. */
const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  tab: [
    [3590, 3, 2.2],
    [1800, 2.8, 2.2],
    [900, null, 2.4],
    [600, 2.8, 2.4],
    [5, 3.2, 2.4],
  ],
  neds: [
    [3580, 3.1, 2.1],
    [-20, 3.3, 2.1],
  ],
  sportsbet: [[900, 3, null]],
  betfair_ex_au: [[3000, 777.5, 777.5]],
  pinnacle: [[3000, 777.5, 777.5]],
};
const ROWS = 9;
/** Of the race whose second runner is flagged. */
const UNFLAGGED = 6;

/** Sydney's clocks change at 02:00 on 2026-10-04 (forward). */
const RACES = {
  /** At 00:10 on a day of 23 hours, of the meeting of the day before. */
  midnight: { startTime: '2026-10-03T14:10:00.000Z', meetingDate: '2026-10-03', venue: 'Albury', country: null },
  late: { startTime: '2026-10-04T12:30:00.000Z', meetingDate: '2026-10-04', venue: 'Addington', country: 'NZ' },
  newest: { startTime: '2026-11-20T01:00:00.000Z', meetingDate: '2026-11-20', venue: 'The "Valley", Kew', placed: [1] },
} as const;

let served: Served;
let stores: Stores;
let pool: Pool;
const ids = {} as Record<keyof typeof RACES, string>;
const keys = {} as Record<'free' | 'hobby' | 'standard' | 'older' | 'plus' | 'operator', string>;
beforeAll(async () => {
  served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    stores = createStores(pool);
    return { charger: createCharger(stores.credits) };
  });
  for (const [i, [name, race]] of Object.entries(RACES).entries()) {
    const category = name === 'late' ? 'harness' : 'horse';
    ids[name as keyof typeof RACES] = await archivedRace(
      served.db.pool,
      { ...race, raceNumber: i + 1, category },
      BOOKS,
    );
  }
  await markRunners(served.db.pool, ids.late, 'scratched = (runner = 1), name_fragment_suspect = (runner = 2)');
  keys.free = await served.addKey({ plan: 'free' });
  keys.hobby = await served.addKey({ plan: 'hobby', issuedAt: '2026-09-19T23:59:59.999Z' });
  keys.standard = await served.addKey({ plan: 'standard', issuedAt: '2026-09-20T00:00:00.000Z' });
  keys.older = await served.addKey({ plan: 'standard', issuedAt: '2026-09-19T23:59:59.999Z' });
  keys.plus = await served.addKey({ plan: 'plus' });
  keys.operator = await served.addKey({ plan: 'enterprise', role: 'internal' });
});
afterAll(async () => {
  await served.stop();
  await pool.end();
});

const get = (search: string, key = keys.plus): Promise<Answer> => served.api.get(`${PATH}?${search}`, key);
const costOf = ({ headers }: Answer) => headers.get('x-credits-cost');
const OCTOBER = 'from=2026-10-01&to=2026-10-07';

test('a row is a captured price, in order; across a gap the price did not change', async () => {
  const { status, body } = await get(`race_id=${ids.newest}`);
  expect(status).toBe(200);
  expectConforms('price_paths', body);
  expect(body).toMatchObject({
    rows_returned: ROWS,
    total_points: ROWS,
    limit: 1000,
    offset: 0,
    archive_from: RACES.midnight.startTime,
  });
  const prices = body.rows.map((row: Record<string, unknown>) => [
    row.runner_number,
    row.bookmaker_key,
    row.secs_to_jump,
    row.win_price,
  ]);
  expect(prices).toEqual([
    [1, 'neds', 3580, 3.1],
    [1, 'neds', -20, 3.3],
    [1, 'sportsbet', 900, 3],
    [1, 'tab', 3590, 3],
    [1, 'tab', 1800, 2.8],
    [1, 'tab', 5, 3.2],
    [2, 'neds', 3580, 2.1],
    [2, 'tab', 3590, 2.2],
    [2, 'tab', 900, 2.4],
  ]);
  expect(body.rows[0]).toEqual({
    race_id: ids.newest,
    start_time: RACES.newest.startTime,
    meeting_date_aet: '2026-11-20',
    venue: 'The "Valley", Kew',
    race_number: 3,
    category: 'horse',
    country: 'AU',
    runner_key: 'runner1',
    runner_name: 'Runner 1',
    runner_number: 1,
    bookmaker_key: 'neds',
    captured_at: '2026-11-20T00:00:20.000Z',
    secs_to_jump: 3580,
    win_price: 3.1,
    lay_price: null,
    venue_id: 'the-valley-kew',
    venue_site: 'the-valley-kew',
    runner_ref: null,
    horse_ref: 'pe:runner1',
    scratched: false,
    place_price: null,
    top2_price: null,
    top3_price: null,
    top4_price: null,
  });
});

test.each<[string, string, number]>([
  ['the last seven days', '', ROWS],
  ['seven Sydney dates', OCTOBER, ROWS + UNFLAGGED],
  ['with flagged rows', `${OCTOBER}&include_flagged=true`, 2 * ROWS],
  ['a day of 23 hours, by start', 'from=2026-10-04&to=2026-10-04', ROWS + UNFLAGGED],
  ['a meeting day, past midnight', 'date=2026-10-03', ROWS],
  ['a race of any day', 'race_id=late', UNFLAGGED],
  ['two books', `${OCTOBER}&bookmakers=TAB,sportsbet`, 10],
  ['a code', `${OCTOBER}&category=harness`, UNFLAGGED],
  ['countries; an unknown one is in none', `${OCTOBER}&country=au,nz`, UNFLAGGED],
  ['a venue in any case', `${OCTOBER}&venue=ALBURY`, ROWS],
  ['nothing', 'from=2026-06-01&to=2026-06-07', 0],
])('%s', async (_, search, total) => {
  const { status, body } = await get(search.replace('race_id=late', `race_id=${ids.late}`));
  expect([status, body.total_points, body.rows_returned, body.rows.length]).toEqual([200, total, total, total]);
});

test('pages and streams start at their offset', async () => {
  const search = `${OCTOBER}&include_flagged=true`;
  const { rows } = (await get(search)).body;
  for (const [limit, offset] of [
    [4, 0],
    [7, 8],
    [20, 15],
    [5, 18],
  ]) {
    const page = (await get(`${search}&limit=${limit}&offset=${offset}`)).body;
    expect([page.total_points, page.rows]).toEqual([18, rows.slice(offset, offset! + limit!)]);
    const csv = await get(`${search}&format=csv&limit=${limit}&offset=${offset}`);
    expect(tableOf(csv.text).slice(1)).toEqual(rows.slice(offset, offset! + limit!).map(cellsOf));
  }
});

/** RFC 4180, strictly. */
const tableOf = (text: string): string[][] => parse(text, { recordDelimiter: '\r\n' });
const cellsOf = (row: object): string[] => Object.values(row).map((value) => (value === null ? '' : String(value)));

describe('CSV and Parquet', () => {
  let duckdb: DuckDb;
  let folder: string;
  beforeAll(async () => {
    duckdb = await openDuckDb();
    folder = mkdtempSync(join(tmpdir(), 'paths-'));
  });
  afterAll(() => {
    duckdb.close();
    rmSync(folder, { recursive: true });
  });

  test.each(['race_id=newest', `${OCTOBER}&include_flagged=true`, 'from=2026-06-01&to=2026-06-07'])(
    'have the rows of JSON, with columns in their order: %s',
    async (chosen) => {
      const search = chosen.replace('race_id=newest', `race_id=${ids.newest}`);
      const { rows } = (await get(search)).body;
      const csv = await get(`${search}&format=csv`);
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      const [names, ...cells] = tableOf(csv.text);
      expect(cells).toEqual(rows.map(cellsOf));
      const file = join(folder, 'paths.parquet');
      const response = await fetch(`${served.api.url}${PATH}?${search}&format=parquet`, {
        headers: { 'X-API-Key': keys.plus },
      });
      expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
      writeFileSync(file, Buffer.from(await response.arrayBuffer()));
      expect(await duckdb.rows(`SELECT * FROM read_parquet('${file}')`)).toEqual(rows.map(Object.values));
      const types = await duckdb.describe(file);
      expect(types.map(([name]) => name)).toEqual(names);
      if (rows.length > 0) expect(names).toEqual(Object.keys(rows[0]));
      const typed = Object.fromEntries(types);
      expect(typed).toMatchObject({
        captured_at: 'TIMESTAMP WITH TIME ZONE',
        meeting_date_aet: 'DATE',
        secs_to_jump: 'INTEGER',
        win_price: 'DOUBLE',
        scratched: 'BOOLEAN',
        runner_ref: 'VARCHAR',
      });
    },
  );

  test('cost 20 credits, JSON 5; HEAD and a 304 cost nothing', async () => {
    expect([costOf(await get('')), costOf(await get('format=csv')), costOf(await get('format=parquet'))]).toEqual([
      '5',
      '20',
      '20',
    ]);
    const head = await served.api.send('HEAD', `${PATH}?format=parquet`, { key: keys.plus });
    expect([head.status, costOf(head), head.headers.get('content-type')]).toEqual([
      200,
      '0',
      'application/vnd.apache.parquet',
    ]);
    expect(head.headers.get('content-disposition')).toBe('attachment; filename="price-paths.parquet"');
    const tag = (await get('')).headers.get('etag')!;
    const same = await served.api.get(PATH, keys.plus, { 'If-None-Match': tag });
    expect([same.status, costOf(same)]).toEqual([304, '0']);
    expect(await stores.credits.audit()).toEqual([]);
  });
});

test.each([
  ['from=2026-10-01&to=2026-10-08', 'from'],
  ['from=2026-10-01', 'from'],
  ['from=2026-10-01T00:00:00Z&to=2026-10-08T00:00:00.001Z', 'from'],
  ['from=2026-10-02&to=2026-10-01', 'from'],
  ['date=2026-10-01&from=2026-10-01', 'from'],
  ['limit=5001', 'limit'],
  ['format=csv&limit=200001', 'limit'],
  ['format=xml', 'format'],
  ['closing_only=true', 'closing_only'],
  ['bookmakers=betfair_ex_au', 'bookmakers'],
])('%s is a free 422', async (search, parameter) => {
  const answer = await get(search);
  expect([answer.status, costOf(answer), answer.body.errors[0].parameter]).toEqual([422, '0', parameter]);
  expectProblemConforms(answer.body);
});

test('a single race has no span limit, and streams have the contract’s cap', async () => {
  for (const search of [
    `race_id=${ids.newest}&from=2026-01-01`,
    'format=csv&limit=200000',
    'format=parquet&limit=200000',
  ])
    expect([search, (await get(search)).status]).toEqual([search, 200]);
});

test('Plus, older Standard keys and operators read all of it, within what customers may see', async () => {
  const [first] = await Promise.all([get(OCTOBER)]);
  for (const key of [keys.older, keys.operator]) {
    const { status, body, headers } = await get(OCTOBER, key);
    expect([status, body, headers.get('x-archive-window-days')]).toEqual([200, first.body, null]);
  }
});

test('other keys get a free 403 with the last five moves of one book for the winner of the newest race', async () => {
  const { rows } = (await get(`race_id=${ids.newest}&bookmakers=tab`)).body;
  const moves = rows.filter((row: { runner_number: number }) => row.runner_number === 1);
  expect(moves).toHaveLength(3);
  for (const key of [keys.free, keys.hobby, keys.standard]) {
    for (const search of ['', 'format=parquet']) {
      const refused = await get(search, key);
      expect([refused.status, costOf(refused)]).toEqual([403, '0']);
      expectProblemConforms(refused.body);
      expect(refused.body).toMatchObject({ code: 'plan_required', required_plan: 'plus', sample: moves });
    }
  }
});

test('no row, total, file or sample contains anything of an exchange or a reference book', async () => {
  expect((await served.db.pool.query('SELECT FROM withheld_price_paths')).rowCount).toBe(12);
  const searches = [`${OCTOBER}&include_flagged=true`, `${OCTOBER}&format=csv`, `${OCTOBER}&format=parquet`, ''];
  for (const key of [keys.plus, keys.free, keys.operator])
    for (const search of searches) expect((await get(search, key)).text).not.toMatch(/777\.5|betfair|pinnacle/);
  const operator = await get(`${OCTOBER}&bookmakers=pinnacle`, keys.operator);
  expect([operator.status, operator.body.total_points]).toEqual([200, 0]);
});
