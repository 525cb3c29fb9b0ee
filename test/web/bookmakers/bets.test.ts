// The way from a price to the bet: only where it can be taken, to the book's own page, or to its betslip for owners
// whose plan has the links. Whatever a page links to leads somewhere, and nothing else does.
import { load } from 'cheerio';
import { PLANS, seesBetslip } from '../../../src/plans/plans';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { NEW, TOKEN } from '../../support/pages/memory-accounts';
import { book, NOW, race, runner } from '../board/live-race';
import { ID, type RaceServer, startRaceServer } from './race-server';

const PAGE = 'https://www.tab.example/race/4';
const SCALE = PLANS.find(({ id }) => id === 'scale')!;

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

let served: RaceServer;
beforeAll(async () => {
  served = await startRaceServer(open(), NOW);
});
afterAll(() => served.close());
beforeEach(() => {
  served.row = open();
  // Past what the board caches.
  served.nowMs += 2000;
  served.slips = async ({ bookmaker, sourceUrl, number }) => ({
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
  const response = await fetch(`${served.url}/go/${ID}/${path}`, {
    redirect: 'manual',
    headers: headers(signedIn, more),
  });
  expect(response.headers.get('cache-control')).toBe('no-store');
  return [response.status, response.headers.get('location')];
};
async function linksOfPage(): Promise<string[]> {
  const $ = load(await (await fetch(`${served.url}/race/${ID}`, { headers: headers(false) })).text());
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
  served.row = open(over);
  served.nowMs += laterMs;
  expect(await linksOfPage()).toEqual([]);
  for (const path of EVERY) expect([path, await go(path, true)]).toEqual([path, NOWHERE]);
  served.nowMs -= laterMs - 10_000;
});

test('the betslip is for signed-in owners of Plus and above; without a link, the book’s page', async () => {
  for (const plan of PLANS) {
    served.memory.rows = { ...NEW, plan };
    const slip = seesBetslip(plan);
    expect([plan.id, await go('1/neds/win', true)]).toEqual([plan.id, [302, slip ? `${PAGE}/neds/1/win` : PAGE]]);
  }
  served.memory.rows = { ...NEW, plan: SCALE };
  expect(await go('1/neds/win')).toEqual([302, PAGE]);
  expect(await go('1/neds/place', true)).toEqual([302, PAGE]);
  served.slips = async () => null;
  expect(await go('1/neds/win', true)).toEqual([302, PAGE]);
});

test('a link of an app opens on a phone, and on a computer the book’s page', async () => {
  served.memory.rows = { ...NEW, plan: SCALE };
  served.slips = async () => ({ win: 'https://app.example/slip', place: null, appOnly: true });
  expect(await go('1/neds/win', true, { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' })).toEqual([302, PAGE]);
  const phone = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' };
  expect(await go('1/neds/win', true, phone)).toEqual([302, 'https://app.example/slip']);
});
