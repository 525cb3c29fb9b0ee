// The pages over HTTP: what is cached, what is conditional, what is refused. No database and no browser.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Koa from 'koa';
import type { Board, LiveBoard, PriceChart } from '../../src/web/board/model';
import type { PastRaces } from '../../src/web/past/past-races';
import type { DataQuality } from '../../src/web/quality/source';
import { createWeb } from '../../src/web/routes';
import { emptyQuality } from '../support/pages/empty-quality';

const STYLES = join(__dirname, '../../src/web/assets/css');
const START = Date.parse('2026-11-21T02:00:00Z');
const EMPTY: Board = { next: [], featured: null, jumped: [], outcomes: [] };
const RACE = {
  raceId: 'a',
  category: 'horse',
  country: null,
  venue: 'Kembla Grange',
  raceNumber: 2,
  startMs: START,
} as const;

let nowMs = START;
let board: Board = EMPTY;
let chart: PriceChart | null = null;
let moved = (_: ReadonlySet<string>): void => {};
let network = 'first';
let watching = 0;
let reads = 0;
let quality = (_: number): DataQuality => emptyQuality();
const stopping = new AbortController();
let server: Server;
let url: string;

beforeAll(async () => {
  const live: LiveBoard = { board: async () => board, race: async () => null, chart: async () => chart };
  const app = new Koa();
  // A refusal does not fail the test.
  app.silent = true;
  const past: PastRaces = {
    days: async () => ({ days: [], older: null, since: null }),
    day: async () => null,
    race: async () => null,
    chart: async () => chart,
  };
  const watch = (changed: typeof moved) => {
    moved = changed;
    watching++;
    return () => void watching--;
  };
  const streams = { moves: { watch }, networkOf: () => network, stopping: stopping.signal, everyMs: 5 };
  app.use(
    createWeb({
      live,
      past,
      quality: { read: async () => quality(reads++) },
      now: () => nowMs,
      speed: 1,
      streams,
    }).routes(),
  );
  server = app.listen(0, '127.0.0.1');
  // After a pause of the machine a client would send on an idle connection that is just being closed.
  server.keepAliveTimeout = 0;
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  board = EMPTY;
  chart = null;
  nowMs = START;
});

/** Classes to which a style sheet gives a style by themselves, whatever element has them. */
function classesOf(file: string): string[] {
  const text = readFileSync(join(STYLES, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list!.split(','));
  return selectors.flatMap((one) => /^\s*\.([\w-]+)\s*$/.exec(one)?.[1] ?? []);
}

test('no style of the account pages changes the board, whose style sheet has them all', () => {
  const files = readdirSync(STYLES);
  const own = ['account.css', 'forms.css'];
  const ofBoard = files.filter((file) => !own.includes(file)).flatMap(classesOf);
  expect(ofBoard).toContain('facts');
  expect(own.flatMap(classesOf).filter((name) => ofBoard.includes(name))).toEqual([]);
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers });

test('the fragment is a 304 while its values are unchanged, however much time passes', async () => {
  const first = await get('/board/fragment');
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^W\/"/);
  nowMs += 5000;
  const second = await get('/board/fragment', { 'If-None-Match': etag });
  expect(second.status).toBe(304);
  expect(second.headers.get('x-race-now')).toBe(String(START + 5000));
  board = { ...EMPTY, next: [{ ...RACE, favourite: null }] };
  const third = await get('/board/fragment', { 'If-None-Match': etag });
  expect(third.status).toBe(200);
  expect(await third.text()).toContain('Kembla Grange');
});

test('the page allows nothing but its own files and carries the race clock', async () => {
  const response = await get('/live');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  const page = await response.text();
  expect(page).toContain(`data-now="${START}"`);
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
});

test('every file that the page loads is served, and may be cached forever under its address', async () => {
  const page = await (await get('/live')).text();
  const addresses = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
  const css = await (await get(addresses.find((address) => address.includes('.css'))!)).text();
  addresses.push(...[...css.matchAll(/url\('([^']+)'\)/g)].map((match) => match[1]!));
  const modules = addresses.filter((address) => address.includes('.mjs'));
  for (const address of modules) {
    const script = await (await get(address)).text();
    const imported = [...script.matchAll(/^import .*'(.+)';$/gm)].map((match) => match[1]!);
    // At another address a file would be fetched and run twice.
    expect(modules).toEqual(expect.arrayContaining(imported));
    expect(script).not.toMatch(/'\.\//);
  }
  expect(new Set(modules).size).toBe(modules.length);
  expect(addresses.length).toBeGreaterThanOrEqual(6);
  for (const address of addresses) {
    const response = await get(address);
    expect([address, response.status, response.headers.get('cache-control')]).toEqual([
      address,
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
});

test('an old address of a file is not cached', async () => {
  const response = await get('/assets/board.css?v=old');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test.each(['', '/past'])('a missing race is a page and a 404: %s', async (page) => {
  const response = await get(`/race/00000000-0000-4000-8000-000000000000${page}`, { Accept: 'text/html' });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('text/html');
});

test('the list of past races is its own page; a future day has none', async () => {
  expect(await (await get('/past')).text()).toContain('No race has been run yet.');
  expect((await get('/past/2030-01-01')).status).toBe(404);
});

test('data quality: a page for people, the same figures for programs, read once in fifteen seconds', async () => {
  const none = {
    api_rows: null,
    exact_matches: null,
    diff_rows: null,
    missing_api: null,
    missing_source: null,
  } as const;
  const audit = {
    ...none,
    id: 'a',
    sport_key: 'racing_horse',
    outliers: null,
    cross_checks: null,
    books_checked: null,
    races_checked: null,
  };
  const connector = { connector: 'tab', last_ok: null, records_written: 7, message: 'timeout: <no> answer' };
  quality = (canonical_events) =>
    emptyQuality({
      status: 'degraded',
      canonical_events,
      connectors: [connector],
      degraded_because: ['connector_failed', 'market_stale', 'audit_differs', 'audit_failed', 'audit_missing'],
      recent_market_quality: { ok: 115, warn: 2, stale: 3 },
      degraded_details: {
        connectors_failed: ['tab', 'racing_australia_results'],
        connectors_silent: ['playup'],
        stale_markets: [
          { bookmaker: 'betr_au', stale: 2, markets: 60 },
          { bookmaker: 'neds', stale: 1, markets: 60 },
        ],
        sports_without_audit: ['racing_harness'],
      },
      audits: [
        { ...audit, status: 'failed', started_at: new Date(START - 60_000).toISOString(), finished_at: null },
        {
          ...audit,
          sport_key: 'racing_greyhound',
          status: 'differs',
          diff_rows: 4,
          missing_api: 1,
          missing_source: 1,
          started_at: new Date(START - 60_000).toISOString(),
          finished_at: new Date(START).toISOString(),
        },
      ],
    });
  nowMs = START + 3_600_000;
  reads = 41;
  const page = await get('/data-quality');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await page.text();
  expect(text).toContain(
    'Degraded</span> <span>The last reading failed: TAB and Racing Australia results. Not read yet: PlayUp. ' +
      '3 of 120 markets are stale (2.5%): Betr 2 of 60, Neds 1 of 60. ' +
      'The newest audit found other prices at the bookmakers: Greyhound (4 different, 2 missing). ' +
      'The newest audit did not end: Thoroughbred. No recent audit: Harness.</span>',
  );
  expect(text).toMatch(
    /Thoroughbred<\/th><td><span class="tag tag-warn">did not end<\/span><\/td><td class="num">–<\/td>/,
  );
  expect(text).toContain('timeout: &lt;no&gt; answer');
  const json = await get('/data-quality.json');
  expect(await json.json()).toMatchObject({ canonical_events: 41, connectors: [connector] });
  expect(json.headers.get('cache-control')).toBe('public, max-age=15');
  const tag = json.headers.get('etag')!;
  expect((await get('/data-quality.json', { 'If-None-Match': tag })).status).toBe(304);
  for (const path of ['/data-quality', '/data-quality.json']) {
    const head = await fetch(`${url}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text(), Number(head.headers.get('content-length'))]).toEqual([
      200,
      '',
      expect.any(Number),
    ]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  }
  nowMs += 15_000;
  expect(await (await get('/data-quality.json')).json()).toMatchObject({ canonical_events: 42 });
  nowMs = START;
});

test('an unknown country is a dash', async () => {
  board = { ...EMPTY, next: [{ ...RACE, favourite: null }] };
  expect(await (await get('/board/fragment')).text()).toContain('<span class="vh">Country </span>–');
});

test.each(['prices', 'past/prices'])(
  'the prices of a chart (%s): whole seconds after a base, cents, conditional',
  async (data) => {
    const path = (...points: [number, number | null][]) => ({
      atMs: points.map(([at]) => START - 600_000 + at),
      prices: points.map(([, price]) => price),
    });
    const best = path([1_400, 5.5], [60_000, null]);
    const consensus = path([1_400, 5.128], [30_999, 5.3]);
    const { raceId } = RACE;
    chart = {
      raceId,
      startMs: START,
      jumpedMs: null,
      books: ['TAB', 'Neds'],
      runners: [{ number: 4, name: 'Jade', best, consensus, books: [best, null] }],
    };
    const response = await get(`/race/${raceId}/${data}`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const seconds = START / 1000;
    const line = [
      [0, 59],
      [5.5, null],
    ];
    expect(await response.json()).toEqual({
      base: seconds - 599,
      start: seconds,
      jumped: null,
      books: ['TAB', 'Neds'],
      runners: [
        {
          number: 4,
          name: 'Jade',
          best: line,
          consensus: [
            [0, 29],
            [5.13, 5.3],
          ],
          books: [line, null],
        },
      ],
    });
    const etag = response.headers.get('etag')!;
    nowMs += 5000;
    expect((await get(`/race/${raceId}/${data}`, { 'If-None-Match': etag })).status).toBe(304);
    chart = { ...chart, jumpedMs: START };
    expect((await get(`/race/${raceId}/${data}`, { 'If-None-Match': etag })).status).toBe(200);
    chart = null;
    expect((await get(`/race/${raceId}/${data}`)).status).toBe(404);
  },
);

test('a board of chosen races polls every ten seconds, and has no stream', async () => {
  for (const query of ['?code=horse', '?country=NZ', '?state=VIC', '?code=horse&state=VIC']) {
    const page = await (await get(`/live${query}`)).text();
    expect([query, page]).toEqual([
      query,
      expect.stringMatching(/data-refresh="\/board\/fragment\?[^"]+" data-every="10000"/),
    ]);
    expect(page).not.toContain('data-stream');
    expect([query, (await get(`/board/stream${query}`)).status]).toEqual([query, 404]);
  }
  expect(await (await get('/live')).text()).toContain('data-stream="/board/stream"');
  expect(watching).toBe(0);
});

test('the stream of a page has the tag of its fragment whenever that changes; an address has a limited number, and all end with the process', async () => {
  const left = new AbortController();
  const open = () => fetch(`${url}/board/stream`, { signal: left.signal });
  const stream = await open();
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const chunks = stream.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  const until = async (what: string): Promise<void> => {
    while (!text.includes(what)) text += (await chunks.next()).value;
  };
  const tag = async (): Promise<string> => (await get('/board/fragment')).headers.get('etag')!;
  await until(`event: changed\ndata: ${await tag()}\n\n`);
  board = { ...EMPTY, jumped: [{ ...RACE, jumpedMs: START, jumpBasis: 'observed' }] };
  moved(new Set(['a']));
  await until(`event: changed\ndata: ${await tag()}\n\n`);
  await until('event: beat');
  // Kept, because a garbage-collected response ends its connection.
  const others = [];
  for (let opened = 1; opened < 60; opened++) others.push(await open());
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await open()).status).toBe(429);
  network = 'second';
  const other = await open();
  expect([other.status, watching]).toEqual([200, 1]);
  stopping.abort();
  expect(await other.text()).toMatch(/^retry: 3000\n\n/);
  left.abort();
  while (watching > 0) await new Promise(setImmediate);
});
