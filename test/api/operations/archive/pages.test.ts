// Pages of the archive over HTTP (D8, D64): following `Link` returns the rows of a selection once each and in order,
// equal in every format, whatever is archived meanwhile; and `Accept`, which chooses the format if the parameter does
// not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import type { ArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { createReads } from '../../../../src/store/reads/reads';
import type { Stores } from '../../../../src/store/stores';
import { startApi, type TestApi } from '../../../support/api/api';
import { nextPath } from '../../../support/api/next-link';
import { type Served, serve } from '../../../support/api/served';
import { type DuckDb, openDuckDb } from '../../../support/duckdb';
import { runs } from '../../../support/property';
import { archivedRace, markRunners } from '../../../support/races/archived-race';
import type { TimedQuotes } from '../../../support/races/polled-race';
import { poolAs } from '../../../support/servers/roles';

const [LINES, PATHS, SUMMARY] = ['closing-lines', 'price-paths', 'market-summary'];
const OPERATIONS = [LINES, PATHS, SUMMARY] as string[];
const CSV = 'text/csv';
const PARQUET = 'application/vnd.apache.parquet';

const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  tab: [
    [3590, 3, 2.2, 9],
    [600, 2.8, 2.4, 9],
    [5, 2.7, 2.4, 9],
  ],
  neds: [
    [3580, 3.1, 2.1, 8],
    [4, 2.9, 2.3, 8],
  ],
  sportsbet: [[900, 3, 2, 8]],
};

/** Races of one week, some at the same minute; the last is on a separate day. */
const STARTS = ['15T01:00', '16T01:00', '16T01:00', '16T01:00', '16T13:30', '18T02:10', '18T02:10', '20T01:00'];

let served: Served;
let stores: Stores;
let pool: Pool;
let key: string;
let free: string;
let duckdb: DuckDb;
let folder: string;
const ids: string[] = [];

beforeAll(async () => {
  served = await serve((db) => {
    pool = poolAs(db, 'racing_api');
    stores = createStores(pool);
    return { charger: createCharger(stores.credits) };
  });
  for (const start of STARTS) ids.push(await addRace(start));
  await markRunners(served.db.pool, ids[2]!, 'scratched = (runner = 1), name_fragment_suspect = (runner = 2)');
  key = await served.addKey({ plan: 'plus' });
  free = await served.addKey({ plan: 'free' });
  duckdb = await openDuckDb();
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
});
afterAll(async () => {
  duckdb.close();
  rmSync(folder, { recursive: true });
  await served.stop();
  await pool.end();
});

const instant = (start: string): string => `2026-11-${start}:00.000Z`;
let added = 0;
async function addRace(start: string): Promise<string> {
  const startTime = instant(start);
  const listed = { startTime, meetingDate: startTime.slice(0, 10), venue: `Venue ${added % 3}`, raceNumber: ++added };
  const category = added % 4 === 0 ? 'harness' : 'horse';
  return archivedRace(served.db.pool, { ...listed, category, ...(added % 2 && { placed: [1] }) }, BOOKS);
}

type Format = 'json' | 'csv' | 'parquet';
interface Page {
  readonly cells: string[][];
  readonly total: number;
  readonly offset: number;
  readonly next: string | null;
}

const text = (value: unknown): string => (value === null ? '' : String(value));

async function tableOf(response: Response, format: Format): Promise<string[][]> {
  // RFC 4180, strictly.
  if (format === 'csv') return parse(await response.text(), { recordDelimiter: '\r\n' }).slice(1);
  const file = join(folder, 'page.parquet');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return (await duckdb.rows(`SELECT * FROM read_parquet('${file}')`)).map((row) => row.map(text));
}

async function readPage(path: string, format: Format, api: TestApi = served.api): Promise<Page> {
  const response = await fetch(api.url + path, { headers: { 'X-API-Key': key } });
  expect([path, response.status]).toEqual([path, 200]);
  const next = nextPath(response.headers);
  if (format !== 'json') {
    const [total, offset] = ['x-total-rows', 'x-rows-offset'].map((name) =>
      Number(response.headers.get(name) ?? 'NaN'),
    );
    return { cells: await tableOf(response, format), total: total!, offset: offset!, next };
  }
  const body = (await response.json()) as { rows: object[]; offset: number; total_rows?: number; total_points: number };
  const cells = body.rows.map((row) => Object.values(row).map(text));
  return { cells, total: body.total_rows ?? body.total_points, offset: body.offset, next };
}

const MOST_PAGES = 200;

/** From the first page to the one that has no next. */
async function follow(path: string, format: Format, between: (pages: number) => unknown = () => {}): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | null = path; next !== null; next = pages.at(-1)!.next) {
    pages.push(await readPage(next, format));
    expect(pages.length).toBeLessThan(MOST_PAGES);
    await between(pages.length);
  }
  return pages;
}

const search = (query: Readonly<Record<string, unknown>>): string => {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return String(new URLSearchParams(sent.map(([name, value]) => [name, String(value)] as [string, string])));
};

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const chosen = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  offset: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  span: fc.constantFrom(
    {},
    { from: '2026-11-16' },
    { to: '2026-11-18' },
    { from: instant('16T01:00'), to: instant('18T02:10') },
    { date: '2026-11-16' },
    { race: 1 },
  ),
  country: maybe('AU'),
  category: maybe('harness', 'horse'),
  venue: maybe('Venue 1'),
  flagged: maybe(true, false),
});

test('following Link returns all rows of a selection once, in order, and equal in every format', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, async ({ operation, limit, offset, span, flagged, ...filters }) => {
      const bounds = 'race' in span ? { race_id: ids[span.race!] } : span;
      const more = { ...bounds, ...filters, ...(operation !== SUMMARY && { include_flagged: flagged }) };
      const began = served.api.now;
      const whole = await readPage(`/v1/racing/${operation}?${search({ ...more, limit: 5000 })}`, 'json');
      expect([whole.cells.length, whole.next]).toEqual([whole.total, null]);
      for (const format of ['json', 'csv', 'parquet'] as const) {
        const path = `/v1/racing/${operation}?${search({ ...more, limit, offset, format })}`;
        // The default bounds of the first page are those of all.
        const pages = await follow(path, format, () => (served.api.now += 61_000));
        served.api.now = began;
        expect(pages.flatMap(({ cells }) => cells)).toEqual(whole.cells.slice(offset ?? 0));
        let before = offset ?? 0;
        for (const page of pages) {
          expect([page.total, page.offset]).toEqual([whole.total, before]);
          before += page.cells.length;
          if (page.next !== null) expect(page.cells).toHaveLength(limit!);
        }
      }
    }),
    { numRuns: runs(25) },
  );
});

/** Removes a race from the archive. */
async function forget(id: string): Promise<void> {
  await served.db.pool.query('SELECT add_archived_day($1, -1)', [id]);
  for (const table of ['archived_counts', 'closing_line_rows', 'price_path_rows', 'archived_summaries'])
    await served.db.pool.query(`DELETE FROM ${table} WHERE race_id = $1`, [id]);
  await served.db.pool.query('DELETE FROM archived_runners WHERE race_id = $1', [id]);
  await served.db.pool.query('DELETE FROM archived_races WHERE race_id = $1', [id]);
}

test.each<[string, Format]>([
  [LINES!, 'json'],
  [LINES!, 'csv'],
  [PATHS!, 'parquet'],
  [SUMMARY!, 'csv'],
])('races archived between two pages of %s as %s repeat and skip no row', async (operation, format) => {
  const path = `/v1/racing/${operation}?format=${format}`;
  const { cells: before } = await readPage(path, format);
  const late: string[] = [];
  const pages = await follow(`${path}&limit=5`, format, async (count) => {
    if (count > 3) return;
    // Before what was read, at the minute of a page's end, and ahead.
    late.push(await addRace(['15T00:30', '16T01:00', '19T04:00'][count - 1]!));
  });
  const { cells: after } = await readPage(path, format);
  const rows = pages.flatMap(({ cells }) => cells);
  await Promise.all(late.map(forget));
  const isOf = (id: string) => (cells: string[]) => cells.includes(id);
  expect(rows.filter((row) => !late.some((id) => isOf(id)(row)))).toEqual(before);
  expect(rows.filter(isOf(late[0]!))).toEqual([]);
  // A race that was ahead when archived is there as a whole.
  expect(rows.filter(isOf(late[2]!))).toEqual(after.filter(isOf(late[2]!)));
  expect(rows.filter(isOf(late[2]!)).length).toBeGreaterThan(0);
  expect(new Set(rows.map((row) => row.join())).size).toBe(rows.length);
});

describe('while a page is being sent', () => {
  let other: TestApi | undefined;
  afterEach(async () => {
    await other?.close();
    other = undefined;
  });

  /** The API over the same database; `change` happens once the headers are known. */
  async function meanwhile(change: () => Promise<unknown>): Promise<TestApi> {
    const { keys, ingest, health, credits } = stores;
    const reads = createReads(pool);
    const streamClosingLines: ArchiveReads['streamClosingLines'] = async function* (...sent) {
      await change();
      yield* reads.archive.streamClosingLines(...sent);
    };
    const archive = { ...reads.archive, streamClosingLines };
    other = await startApi({ reads: { ...reads, archive }, keys, ingest, health, charger: createCharger(credits) });
    return other;
  }

  test.each(['', '&limit=7'])('a race that is archived neither shifts it nor contradicts its total%s', async (more) => {
    const path = `/v1/racing/${LINES}?format=csv${more}`;
    const before = await readPage(path, 'csv');
    const late: string[] = [];
    const api = await meanwhile(async () => late.push(await addRace('15T00:30'), await addRace('16T00:30')));
    const during = await readPage(path, 'csv', api);
    const rest = during.next === null ? [] : await follow(during.next, 'csv');
    await Promise.all(late.map(forget));
    expect(during).toEqual(before);
    const all = (await readPage(`/v1/racing/${LINES}?format=csv`, 'csv')).cells;
    expect([...during.cells, ...rest.flatMap(({ cells }) => cells)]).toEqual(all);
  });

  test('a race that is archived again with other rows breaks it, and the page is free', async () => {
    const own = await served.addKey({ plan: 'plus' });
    const api = await meanwhile(() => markRunners(served.db.pool, ids[0]!, 'scratched = (runner = 1)'));
    const answer = await api.get(`/v1/racing/${LINES}?format=csv`, own);
    await markRunners(served.db.pool, ids[0]!, 'scratched = false');
    expect([answer.status, answer.headers.get('x-credits-cost')]).toEqual([500, '0']);
  });
});

describe('Accept', () => {
  const costOf = (headers: Headers) => headers.get('x-credits-cost');

  test.each<[string, string, string, string]>([
    [CSV, '', CSV, '20'],
    ['TEXT/CSV; charset=utf-8; header=present', '', CSV, '20'],
    [PARQUET, '', PARQUET, '20'],
    [`${PARQUET}, ${CSV}`, '', PARQUET, '20'],
    [`${PARQUET};q=0.5, ${CSV}`, '', CSV, '20'],
    // A client that names anything else may mean JSON: browsers, `fetch`, httpx, generated clients.
    ['*/*', '', 'application/json', '5'],
    [`${CSV}, */*;q=0.1`, '', 'application/json', '5'],
    [`application/json, application/problem+json, ${CSV}, ${PARQUET}`, '', 'application/json', '5'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '', 'application/json', '5'],
    ['text/*', '', 'application/json', '5'],
    [`${CSV};q=0`, '', 'application/json', '5'],
    ['nonsense', '', 'application/json', '5'],
    ['', '', 'application/json', '5'],
    // The parameter overrides the header.
    [CSV, 'format=json', 'application/json', '5'],
    ['application/json', 'format=csv', CSV, '20'],
    [CSV, 'format=parquet', PARQUET, '20'],
  ])('%s with %s is %s', async (accept, query, type, cost) => {
    const path = `/v1/racing/${PATHS}?${query}`;
    const headers = { Accept: accept };
    const answer = await served.api.get(path, key, headers);
    expect([answer.status, answer.headers.get('content-type')!.split(';')[0], costOf(answer.headers)]).toEqual([
      200,
      type,
      cost,
    ]);
    const varies = query === '' ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
    expect(answer.headers.get('vary')).toBe(varies);
    const head = await served.api.send('HEAD', path, { key, headers });
    expect([head.status, head.headers.get('content-type'), costOf(head.headers)]).toEqual([
      200,
      answer.headers.get('content-type'),
      '0',
    ]);
  });

  test.each([LINES, SUMMARY])('%s as Parquet has the columns of its CSV and costs as much', async (operation) => {
    const own = await served.addKey({ plan: 'plus' });
    const path = `/v1/racing/${operation}`;
    const answers = await Promise.all([CSV, PARQUET].map((accept) => served.api.get(path, own, { Accept: accept })));
    expect(answers.map(({ status, headers }) => [status, costOf(headers)])).toEqual([
      [200, '20'],
      [200, '20'],
    ]);
    expect((await served.api.get('/v1/usage', own)).body.credits_used).toBe(40);
    const [header] = (await served.api.get(`${path}?format=csv&limit=1`, key)).text.split('\r\n');
    await readPage(`${path}?format=parquet`, 'parquet');
    expect((await duckdb.describe(join(folder, 'page.parquet'))).map(([name]) => name)).toEqual(header!.split(','));
  });

  test('an operation without CSV rows ignores it', async () => {
    const { status, headers } = await served.api.get('/v1/racing/events', key, { Accept: CSV });
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Accept-Encoding',
    ]);
  });

  test.each(OPERATIONS)('%s of another plan stays a 403 with a sample', async (operation) => {
    const refused = await served.api.get(`/v1/racing/${operation}`, free, { Accept: CSV });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'application/problem+json']);
    expect(refused.body.sample.length).toBeGreaterThan(0);
  });

  test('equal requests within a second never mix formats, and a JSON tag never gives a 304 for CSV', async () => {
    const { keys, ingest, health } = stores;
    const api = await startApi({ reads: createReads(pool), keys, ingest, health, responsesCachedMs: 60_000 });
    try {
      const path = `/v1/racing/${LINES}`;
      const typeOf = async (headers: Record<string, string>) => {
        const answer = await api.get(path, key, headers);
        return [answer.status, answer.headers.get('content-type')?.split(';')[0], answer.headers.get('etag') !== null];
      };
      const tag = (await api.get(path, key)).headers.get('etag')!;
      for (let round = 0; round < 2; round++) {
        expect(await typeOf({ Accept: CSV })).toEqual([200, CSV, false]);
        expect(await typeOf({ Accept: CSV, 'If-None-Match': tag })).toEqual([200, CSV, false]);
        expect(await typeOf({})).toEqual([200, 'application/json', true]);
        expect((await typeOf({ 'If-None-Match': tag }))[0]).toBe(304);
      }
    } finally {
      await api.close();
    }
  });
});

test('an invalid page cursor, or one beside an offset, is a free 422; scripts of every origin can read the headers', async () => {
  for (const [more, parameter] of [
    ['after=7', 'after'],
    [`after=1.${ids[0]}.1.1&offset=3`, 'after'],
  ]) {
    const refused = await served.api.get(`/v1/racing/${LINES}?${more}`, key);
    expect([refused.status, refused.body.errors[0].parameter, refused.headers.get('x-credits-cost')]).toEqual([
      422,
      parameter,
      '0',
    ]);
  }
  const { headers } = await served.api.get(`/v1/racing/${LINES}?format=csv`, key);
  for (const name of ['Link', 'X-Total-Rows', 'X-Rows-Offset'])
    expect(headers.get('access-control-expose-headers')!.split(', ')).toContain(name);
});
