// Live means fresh: what the pages say about prices in a browser while books are not read, fetches fail or the machine
// sleeps; and what a race keeps once it has left the board.
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { feedField } from '../support/races/builders';
import { hurried, neverPolling, type WatchedPage, watchedPage } from './board-browser';
import { AFTERNOON, type BoardWorld, createBoardWorld, FOUR_BOOKS } from './board-world';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

let world: BoardWorld;
beforeAll(async () => {
  world = await createBoardWorld({ streams: true });
});
afterAll(() => world.close());

const get = async (path: string): Promise<string> => (await fetch(world.url + path)).text();
const linkOf = (page: string): string => /<p class="link".*?<\/p>/.exec(page)![0];
const text = (page: string): string => page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** The page once this is true: a response may be cached for a second. */
async function soon(path: string, isSo: (page: string) => boolean): Promise<string> {
  const cachedUntil = world.now() + 1500;
  for (;;) {
    const sentAt = world.now();
    const page = await get(path);
    if (isSo(page)) return page;
    expect(sentAt).toBeLessThan(cachedUntil);
    await delay(20);
  }
}

let listed = 0;
/** Read by every book, the last time this long ago. */
async function readRace(minutes: number, secondsAgo: number): Promise<string> {
  const raceId = await world.list(minutes, { venue: 'Flemington', raceNumber: ++listed, country: 'AU' });
  for (const [i, book] of FOUR_BOOKS.entries())
    await world.poll(raceId, book, feedField(2.5 + i / 10, 4.2), { secondsAgo });
  return raceId;
}

describe('a page without script', () => {
  test('shows that the books are not being read, and since when; nothing on it is green', async () => {
    const raceId = await readRace(3, 485);
    const page = await get(`/race/${raceId}`);
    expect(linkOf(page)).toMatch(/data-state="old".*Prices 8 min old: the books are not being read/);
    expect(page).toMatch(/class="panel sheet unread"/);
    expect(page).not.toMatch(/class="c-price best"/);
    expect(page).toMatch(/class="c-price best stale"/);
    expect(page).toMatch(/class="card stale"[^>]*id="next-[^>]*aria-current/);
    await world.poll(raceId, 'neds', feedField(2.6, 4.2));
    await soon(`/race/${raceId}`, (now) => linkOf(now).includes('data-state="live"'));
    await world.jump(raceId);
  });

  test('a price of the card may be half an hour old', async () => {
    const page = await get(`/race/${await readRace(300, 1500)}`);
    expect(linkOf(page)).toMatch(/data-state="live".*>Live</);
  });
});

describe('a race that has jumped', () => {
  test.each([
    ['and was not observed: about', null, /about 2:30 pm jumped, advertised 2:30 pm/],
    ['at a close that was observed: to the second', 58, /2:30:58 pm jumped, advertised 2:30 pm/],
    ['before its result: by then', -240, /by 2:34 pm jumped, advertised 2:30 pm/],
  ])('%s', async (_, closed, expected) => {
    const startMs = AFTERNOON + 30 * 60_000;
    const raceId = await world.list(30, { startTime: new Date(startMs).toISOString(), venue: `At ${closed}` });
    const closedMs = startMs + Math.abs(closed ?? 0) * 1000;
    await world.poll(raceId, 'pointsbetau', feedField(2.5, 4.2), { nowMs: startMs - 5000 });
    if (closed === 58) await world.poll(raceId, 'pointsbetau', feedField(2.5, 4.2), { nowMs: closedMs, closed: true });
    await world.jump(raceId, closedMs);
    expect(text(await get(`/race/${raceId}`))).toMatch(expected);
    const row = new RegExp(`id="jumped-${raceId}".*?</li>`);
    expect(text(row.exec(await soon('/board/fragment', (board) => row.test(board)))![0])).toMatch(
      closed === 58 ? /off 2:30:58 pm/ : closed === null ? /off about 2:30 pm $/ : /off by 2:34 pm/,
    );
    await world.leaveBoard(raceId, closedMs);
    const past = text(await get(`/race/${raceId}/past`));
    expect(past).toMatch(closed === 58 ? /2:30:58 pm jumped/ : /about 2:30 pm jumped/);
  });
});

test('a race off the board keeps its prices until it is archived, shown as those from before the jump', async () => {
  const startMs = AFTERNOON - 11 * 60_000;
  const raceId = await world.list(-11, { venue: 'Kyneton', raceNumber: 7, startTime: new Date(startMs).toISOString() });
  for (const book of FOUR_BOOKS)
    await world.poll(raceId, book, feedField(2.5, 4.2), { nowMs: startMs, secondsAgo: 20 });
  // In play: no price from before the jump.
  await world.poll(raceId, 'tab', feedField(9, 9), { nowMs: startMs + 300_000 });
  expect(await get(`/race/${raceId}`)).toContain(`id="win-${raceId}"`);
  await world.leaveBoard(raceId, startMs);
  const hasPrices = (page: string): boolean => page.includes(`id="win-${raceId}"`);
  const kept = await soon(`/race/${raceId}`, (page) => !hasPrices(page) || page.includes('has left the board'));
  expect(linkOf(kept)).toMatch(/data-state="still".*Prices stand still/);
  expect(kept).toContain(`id="win-${raceId}"`);
  expect(kept).toContain(`id="place-${raceId}"`);
  const words = text(kept);
  expect(words).toContain('These are its last prices before the advertised start.');
  expect(words).toMatch(/No result yet, expected by 3:49 pm/);
  expect(words).toContain('best price across the books');
  expect(words).toContain('2.50');
  expect(words).not.toMatch(/9\.00| advertised jump /);
  expect((await fetch(`${world.url}/race/${raceId}/prices`)).status).toBe(200);
  await world.archive(raceId);
  const archived = await soon(`/race/${raceId}`, (page) => !hasPrices(page));
  expect(archived).toContain(`href="/race/${raceId}/past"`);
  // A legend is shown only beside a table.
  expect(text(archived)).not.toContain('best price across the books');
  expect(text(await get(`/race/${raceId}/past`))).toContain('2.50');
});

suite(`in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    watched = await watchedPage(browser);
    page = watched.page;
  });
  afterEach(() => page.close());

  const state = (name: string) => page.locator(`#link[data-state=${name}]`).waitFor();
  const linkText = () => page.locator('#link').textContent();
  /** The machine slept: the browser's own counter stood still. */
  const sleep = (minutes: number) =>
    page.evaluate(`{ const before = Date.now; Date.now = () => before() + ${minutes * 60_000}; }`);
  const boxes = () =>
    page.evaluate(
      `[...document.querySelectorAll('.best .value')].filter((e) => getComputedStyle(e).backgroundColor !== 'rgba(0, 0, 0, 0)').length`,
    );

  const noStream = () => page.route('**/stream', (route) => route.abort());
  const counted = (count: string, least: number) =>
    page.evaluate(`new Promise((done) => setInterval(() => ${count} >= ${least} && done(), 50))`);

  test('prices age on the page even if nothing arrives and the machine slept; this is announced once', async () => {
    const raceId = await readRace(12, 0);
    await noStream();
    await neverPolling(page);
    await page.goto(`${world.url}/race/${raceId}`);
    await state('live');
    expect(await boxes()).toBeGreaterThan(0);
    await page.evaluate(`
      window.news = [];
      new MutationObserver(() => window.news.push(document.getElementById('link-news').textContent))
        .observe(document.getElementById('link-news'), { childList: true });
    `);
    await sleep(8);
    await page.locator('#link', { hasText: 'Prices 8 min old: the books are not being read' }).waitFor();
    expect(await boxes()).toBe(0);
    const heads = page.locator('.of-win thead th.c-book');
    expect(await page.locator('.of-win thead th.c-book.stale').count()).toBe(await heads.count());
    expect(await heads.first().textContent()).toMatch(/stale 8m old/);
    await sleep(70);
    await page.locator('#link', { hasText: 'Prices 1 h 18 min old' }).waitFor();
    expect(await page.evaluate('window.news')).toEqual(['Prices are old: the books are not being read']);
    expect(await page.locator('#link-news').getAttribute('role')).toBe('status');
    expect(watched.problems.filter((one) => !one.includes('ERR_FAILED'))).toEqual([]);
  });

  test('while fetches fail the page is offline, and no box outlives its price', async () => {
    const raceId = await readRace(12, 0);
    await noStream();
    await hurried(page);
    await page.goto(`${world.url}/race/${raceId}`);
    await state('live');
    await page.route('**/fragment', (route) => route.abort());
    await state('lost');
    expect(await linkText()).toMatch(/^Connection lost, showing data from /);
    await sleep(8);
    await page.locator('.sheet.unread').waitFor();
    expect(await boxes()).toBe(0);
    expect(await linkText()).toMatch(/^Connection lost/);
    await page.unroute('**/fragment');
    await state('live');
    expect(await boxes()).toBeGreaterThan(0);
  });

  test('an open stream proves nothing: old prices stay old until a book is read', async () => {
    const raceId = await readRace(1, 485);
    await page.addInitScript(`
      window.beats = 0;
      const add = EventSource.prototype.addEventListener;
      EventSource.prototype.addEventListener = function (name, heard) {
        return add.call(this, name, (event) => { heard(event); window.beats += name === 'beat'; });
      };
    `);
    for (const path of ['/live', `/race/${raceId}`]) {
      await world.poll(raceId, 'neds', feedField(2.6, 4.2), { secondsAgo: 484 });
      await page.goto(world.url + path);
      await counted('window.beats', 2);
      expect(await page.locator('#link').getAttribute('data-state')).toBe('old');
      expect(await linkText()).toMatch(/^Prices [89] min old: the books are not being read$/);
      expect(await boxes()).toBe(0);
      if (path === '/live') expect(await page.locator('.card.stale[aria-current]').count()).toBe(1);
    }
    await world.poll(raceId, 'tab', feedField(3.5, 4.2));
    await state('live');
    expect(await page.locator('#link-news').textContent()).toBe('Prices are live');
    expect(watched.problems).toEqual([]);
  });

  test('an error fits on one line, on a desktop and on a phone', async () => {
    const raceId = await readRace(12, 485);
    await page.goto(`${world.url}/race/${raceId}`);
    await state('old');
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect((await page.locator('#link').boundingBox())!.height).toBeLessThan(40);
    }
  });
});
