// The way from a price to the bet: only where it can be taken, to the book's own page, or to its betslip for owners
// whose plan has the links. Whatever a page links to leads somewhere, and nothing else does.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { load } from 'cheerio';
import Koa from 'koa';
import { visibleRaceOf } from '../../../src/api/pages/visible-race';
import { PLANS, seesBetslip } from '../../../src/plans/plans';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { createLiveBoard } from '../../../src/web/board/live-board';
import type { BoardSource } from '../../../src/web/board/source';
import type { ReadBetslip } from '../../../src/web/bookmakers/go';
import { createWeb } from '../../../src/web/routes';
import { type MemoryAccounts, memoryAccounts, NEW, TOKEN } from '../../support/pages/memory-accounts';
import { book, NOW, race, runner } from '../board/live-race';

const PAGE = 'https://www.tab.example/race/4';
const SCALE = PLANS.find(({ id }) => id === 'scale')!;
const ID = '5f0c3a9e-6f4c-4b6e-9a53-3d9e4f6a7b10';

const withPage = (key: string, win: (number | null)[], sourceUrl: string | null = PAGE) => ({
  ...book(key, win),
  place: win.map((price) => price && 1.5),
  sourceUrl,
});
const open = (over: Partial<LiveRace> = {}): LiveRace =>
  race({
    race_id: ID,
    runners: [runner(1), runner(2, { scratched: true }), runner(3)],
    books: [
      withPage('tab', [4, 3, null]),
      withPage('neds', [4.2, 3, 2]),
      withPage('betdeluxe', [5, 3, 2], null),
      withPage('betright', [5, 3, 2], 'javascript:alert(1)'),
    ],
    ...over,
  });

let row = open();
let nowMs = NOW;
let slips: ReadBetslip;
let memory: MemoryAccounts;
let server: Server;
let url: string;

const source: BoardSource = {
  boardRaces: async () => [],
  race: async (id, at) => (id === ID ? visibleRaceOf(row, at) : null),
  captured: async () => [],
  cardChanges: async () => ({ track: null, deductions: [] }),
  jumpedRaces: async () => [],
  outcomes: async () => [],
  outcome: async () => null,
  meeting: async () => [],
};

beforeAll(async () => {
  const app = new Koa();
  app.on('error', (error) => console.error(error));
  app.use((ctx, next) => {
    ctx.state.client = { address: '203.0.113.9', network: '203.0.113.9' };
    return next();
  });
  server = createServer();
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  memory = memoryAccounts(url);
  const live = createLiveBoard({ source, now: () => nowMs });
  const betslip: ReadBetslip = (asked) => slips(asked);
  app.use(createWeb({ live, now: () => nowMs, speed: 1, accounts: memory.pages, betslip }).routes());
  server.on('request', app.callback());
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  row = open();
  // Past what the board caches.
  nowMs += 2000;
  slips = async ({ bookmaker, sourceUrl, number }) => ({
    win: `${sourceUrl}/${bookmaker}/${number}/win`,
    place: null,
    appOnly: false,
  });
});

const headers = (signedIn: boolean, more: Record<string, string> = {}) => ({
  Accept: 'text/html',
  ...(signedIn && { Cookie: `session=${TOKEN}` }),
  ...more,
});
const go = async (path: string, signedIn = false, more: Record<string, string> = {}) => {
  const response = await fetch(`${url}/go/${ID}/${path}`, { redirect: 'manual', headers: headers(signedIn, more) });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return [response.status, response.headers.get('location')];
};
async function linksOfPage(): Promise<string[]> {
  const $ = load(await (await fetch(`${url}/race/${ID}`, { headers: headers(false) })).text());
  return $('a[href^="/go/"]')
    .toArray()
    .map((link) => {
      expect($(link).attr()).toMatchObject({
        target: '_blank',
        rel: 'noopener nofollow',
        'aria-describedby': 'opens-book',
      });
      return $(link).attr('href')!;
    });
}

const EVERY = ['tab', 'neds', 'betdeluxe', 'betright', 'sportsbet', 'betfair_ex_au'].flatMap((key) =>
  [1, 2, 3, 9].flatMap((number) => ['win', 'place'].map((market) => `${number}/${key}/${market}`)),
);
const NOWHERE = [404, null];

test('a page links every price that can be taken, and a click on any other leads nowhere', async () => {
  const links = await linksOfPage();
  // In the table, and in a phone's list.
  const linked = [...new Set(links)].map((link) => link.slice(`/go/${ID}/`.length)).sort();
  expect(links).toHaveLength(2 * linked.length);
  const taken = ['1/tab', '1/neds', '3/neds'].flatMap((one) => [`${one}/win`, `${one}/place`]);
  expect(linked).toEqual(taken.sort());
  for (const path of EVERY)
    expect([path, await go(path)]).toEqual([path, taken.includes(path) ? [302, PAGE] : NOWHERE]);
  expect(await go('1/tab/top2')).toEqual(NOWHERE);
});

test.each<[string, Partial<LiveRace>, number]>([
  ['suspended', { market_status: 'SUSPENDED' }, 0],
  ['abandoned', { status: 'abandoned' }, 0],
  ['closed at its start', { market_status: 'CLOSED' }, 700_000],
  ['jumped', { jumped_at: '2026-11-21T02:10:05.000Z' }, 700_000],
  ['off the board', { left_board_at: '2026-11-21T02:30:00.000Z', jumped_at: '2026-11-21T02:10:05.000Z' }, 3_600_000],
])('a race that is %s has no link, and an old one leads nowhere', async (_, over, laterMs) => {
  row = open(over);
  nowMs += laterMs;
  expect(await linksOfPage()).toEqual([]);
  for (const path of EVERY) expect([path, await go(path, true)]).toEqual([path, NOWHERE]);
  nowMs -= laterMs - 10_000;
});

test('the betslip is for signed-in owners of Plus and above; whatever is missing, the book’s page stays', async () => {
  for (const plan of PLANS) {
    memory.rows = { ...NEW, plan };
    const slip = seesBetslip(plan);
    expect([plan.id, await go('1/neds/win', true)]).toEqual([plan.id, [302, slip ? `${PAGE}/neds/1/win` : PAGE]]);
  }
  memory.rows = { ...NEW, plan: SCALE };
  expect(await go('1/neds/win')).toEqual([302, PAGE]);
  expect(await go('1/neds/place', true)).toEqual([302, PAGE]);
  slips = async () => null;
  expect(await go('1/neds/win', true)).toEqual([302, PAGE]);
});

test('a link of an app opens on a phone, and on a computer the book’s page', async () => {
  memory.rows = { ...NEW, plan: SCALE };
  slips = async () => ({ win: 'https://app.example/slip', place: null, appOnly: true });
  expect(await go('1/neds/win', true, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' })).toEqual([302, PAGE]);
  const phone = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };
  expect(await go('1/neds/win', true, phone)).toEqual([302, 'https://app.example/slip']);
});
