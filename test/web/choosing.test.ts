// "My bookmakers" in a browser: what a visitor ticks and orders is what the table and a phone's list show, from the
// first paint on and after every refresh, with the market's best price always named; and the same for a signed-in owner
// in another browser. In memory: no database.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { EXPECTED_BOOKS, visibleToCustomers } from '../../src/domain/bookmakers';
import { violationsOf } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { TOKEN } from '../support/pages/memory-accounts';
import { book, NOW, race, runner } from './board/live-race';
import { hurried, moveFromNow, type WatchedPage, watchedPage } from './board-browser';
import { ID, type RaceServer, startRaceServer } from './bookmakers/race-server';

const BOOKS = EXPECTED_BOOKS.filter(visibleToCustomers);
const MINE = ['tab', 'neds', 'unibet'];

/** TAB is best of the first runner at 5.00, Sportsbet has 6.00; Neds is stale, and Unibet has a placeholder. */
const PRICES: Readonly<Record<string, readonly number[]>> = {
  sportsbet: [6, 3, 8],
  tab: [5, 3, 8],
  neds: [4.8, 3.2, 8],
  unibet: [4.6, 3, 81],
};
const quoted = (over: Readonly<Record<string, readonly (number | null)[]>> = {}) =>
  race({
    race_id: ID,
    runners: [runner(1), runner(2), runner(3), runner(4, { name: 'Gone Fishing', scratched: true })],
    books: BOOKS.map((key) => ({
      ...book(key, [...(over[key] ?? PRICES[key] ?? [4, 2.9, 7.5]), null], key === 'neds' ? 200 : 5),
      sourceUrl: `https://${key}.example/race`,
    })),
  });

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`my bookmakers in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let served: RaceServer;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    served = await startRaceServer(quoted(), NOW);
    watched = await watchedPage(browser, { width: 1440, height: 1000 });
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await page.context().close();
    served.close();
  });

  const open = (to = page) => to.goto(`${served.url}/race/${ID}`);
  const summary = (of = page) => of.locator('.my-books > summary');
  const all = <T>(selector: string, of: string, from = page): Promise<T[]> =>
    from.evaluate(`[...document.querySelectorAll('${selector}')].filter((e) => e.offsetWidth > 0).map((e) => ${of})`);
  const heads = (from = page) => all<string>(`#win-${ID} thead .c-book`, 'e.dataset.bookmaker', from);
  const row = (n: number, from = page) => all<string>(`#win-${ID}-${n} .c-price`, 'e.dataset.bookmaker', from);
  const mine = (from = page) => all<string>(`#win-${ID} .mine`, 'e.textContent', from);
  const marked = (from = page) =>
    all<string>(`#win-${ID} tbody .c-price.best-mine`, "e.closest('tr').id.at(-1) + e.dataset.bookmaker", from);
  const count = (from = page) => from.locator('.my-books-count').textContent();
  const untick = async (keys: readonly string[], on = page) => {
    for (const key of keys) await on.locator(`#mine-${key}`).uncheck();
  };
  const keeps = (choice: object, on: Page | BrowserContext = page) =>
    on.addInitScript(`localStorage['odds.bookmakers'] ??= ${JSON.stringify(JSON.stringify(choice))}`);
  const others = BOOKS.filter((key) => !MINE.includes(key));
  const OWN = { order: MINE, hidden: others };

  test('ticks hide books, arrows order them; the best of mine is named beside the market’s, which stays', async () => {
    await open();
    const before = { heads: await heads(), best: await all(`#win-${ID} .c-win b`, 'e.textContent') };
    expect([before.heads.length, await count(), await mine()]).toEqual([BOOKS.length, `all ${BOOKS.length}`, []]);
    await summary().focus();
    await page.keyboard.press('Enter');
    await untick(others);
    expect([await heads(), await count()]).toEqual([['tab', 'neds', 'unibet'], `3 of ${BOOKS.length}`]);
    await page.locator('#up-unibet').focus();
    for (let i = 0; i < BOOKS.length && (await heads())[0] !== 'unibet'; i++) await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('up-unibet');
    for (const n of [1, 2, 3]) expect(await row(n)).toEqual(['unibet', 'tab', 'neds']);
    expect(await row(4)).toEqual([]);
    expect(await all(`#win-${ID} tfoot .c-price`, 'e.dataset.bookmaker')).toEqual(['unibet', 'tab', 'neds']);
    // The market's best stays: Sportsbet's 6.00, though it is hidden. A placeholder is no best; a stale one says so.
    expect(await all(`#win-${ID} .c-win b`, 'e.textContent')).toEqual(before.best);
    expect(await mine()).toEqual([
      'best among mine 5.00 TAB',
      'best among mine 3.20 stale: Neds',
      'best among mine 8.00 all',
    ]);
    // Of the others mine has the market's best price, which is marked as that.
    expect(await marked()).toEqual(['1tab']);
    expect(await page.locator(`#win-${ID}-1 .best-mine`).textContent()).toMatch(/, best among mine$/);
    await page.getByRole('button', { name: 'All again' }).click();
    expect([await heads(), await count(), await mine(), await marked()]).toEqual([
      before.heads,
      `all ${BOOKS.length}`,
      [],
      [],
    ]);
    // From none, a few books are a few ticks.
    await page.getByRole('button', { name: 'None', exact: true }).click();
    expect([await heads(), await count(), new Set(await mine())]).toEqual([
      [],
      `0 of ${BOOKS.length}`,
      new Set(['best among mine –']),
    ]);
    await page.locator('#mine-tab').check();
    expect([await heads(), await count(), await all(`#win-${ID} .c-win b`, 'e.textContent')]).toEqual([
      ['tab'],
      `1 of ${BOOKS.length}`,
      before.best,
    ]);
  });

  test('a choice that is kept is there at the first paint and after every refresh, and nothing moves', async () => {
    await keeps(OWN);
    await page.addInitScript(`
      window.seen = new Set();
      const look = () => {
        const heads = [...document.querySelectorAll('#win-${ID} thead .c-book')].filter((e) => e.offsetWidth > 0);
        if (heads.length > 0) window.seen.add(heads.map((e) => e.dataset.bookmaker).join());
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    `);
    // A slow connection: whatever is painted before the script would be seen.
    await page.route('**/bookmakers-table.mjs*', async (route) => {
      const response = await route.fetch();
      await new Promise((done) => setTimeout(done, 400));
      await route.fulfill({ response });
    });
    await hurried(page);
    await open();
    expect(await mine()).toHaveLength(3);
    await moveFromNow(page);
    served.nowMs += 4000;
    // A hidden book's price, and one of mine.
    served.row = quoted({ sportsbet: [6.5, 3, 8], tab: [5.2, 3, 8] });
    await page.locator(`#win-${ID}-1 .mine`, { hasText: '5.20' }).waitFor();
    expect(await page.locator(`#win-${ID}-1 .c-win b`).textContent()).toBe('6.50');
    expect(await marked()).toEqual(['1tab']);
    served.nowMs += 4000;
    served.row = quoted({ tab: [5.2, 3, 8], sportsbet: [5, 3, 8] });
    await page.locator(`#win-${ID}-1 .c-win b`, { hasText: '5.20' }).waitFor();
    expect([await marked(), await all(`#win-${ID}-1 .best`, 'e.dataset.bookmaker')]).toEqual([[], ['tab']]);
    expect(await page.evaluate('[...window.seen]')).toEqual([MINE.join()]);
    expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
  });

  test('opened with bookmakers, a sort, a market and a stake, all is there at the first paint and nothing moves', async () => {
    await keeps(OWN);
    const chosen = { sort: { by: 'no', down: true }, market: 'place', stake: '20' };
    for (const [name, value] of Object.entries(chosen))
      await page.addInitScript(`localStorage['odds.${name}'] = ${JSON.stringify(JSON.stringify(value))}`);
    await page.addInitScript(`
      window.painted = new Set();
      const look = () => {
        const table = [...document.querySelectorAll('.priced table')].find((e) => e.offsetWidth > 0);
        if (table) window.painted.add(table.id + ' ' + [...table.tBodies[0].rows].filter((e) => !e.matches('.fold'))
          .map((e) => e.id.at(-1)).join('') + ' ' + document.getElementById('stake').value);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    `);
    // A slow connection: whatever is painted before the script would be seen.
    await page.route('**/choices.mjs*', async (route) => {
      const response = await route.fetch();
      await new Promise((done) => setTimeout(done, 400));
      await route.fulfill({ response });
    });
    await open();
    expect(await page.evaluate('[...window.painted]')).toEqual([`place-${ID} 4321 20`]);
    expect(await page.locator(`#win-${ID}-1 .c-win .return`).textContent()).toBe('$120.00');
    await page.evaluate('document.fonts.ready');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect([await page.evaluate('window.shift'), await page.evaluate('window.moved')]).toEqual([0, []]);
  });

  const rowsOf = (market: string) =>
    all<string>(`#${market}-${ID} tbody tr:not(.fold)`, "e.id.split('-').at(-1)").then((ids) => ids.join(''));

  test.each([
    ['a table', 1440],
    ['a phone', 390],
  ])(
    '%s sorts by one book: no placeholder, none unknown above a price, in either direction, also after a refresh',
    async (_, width) => {
      await page.setViewportSize({ width, height: 900 });
      await hurried(page);
      served.row = quoted({ playup: [4, null, 7.5] });
      await open();
      const isPhone = width === 390;
      if (isPhone) await page.locator(`#win-${ID} thead summary`).click();
      const table = page.locator(`#win-${ID}`);
      const press = async (title: string, key?: string) => {
        const button = table.getByRole('button', { name: `Sort by ${title}`, exact: true });
        if (key) return button.press(key);
        const { width: wide, height } = (await button.boundingBox())!;
        expect([wide >= 24, height >= 24]).toEqual([true, true]);
        return button.click();
      };
      await moveFromNow(page);
      await press('Unibet');
      expect(await rowsOf('win')).toBe('2134');
      await press('Unibet');
      expect(await rowsOf('win')).toBe('1234');
      await press('PlayUp', 'Enter');
      expect(await rowsOf('win')).toBe('1324');
      await press('PlayUp', 'Enter');
      expect(await rowsOf('win')).toBe('3124');
      expect(
        await page.evaluate(`[...document.querySelectorAll('#win-${ID} [aria-sort]')].map((e) => e.ariaSort)`),
      ).toEqual(['descending']);
      expect(await page.locator(`#win-${ID} .ordered:visible`).allTextContents()).toEqual(
        isPhone ? ['Sorted by PlayUp, longest first'] : [],
      );
      expect(await page.locator(`#win-${ID} .own-price:visible`).allTextContents()).toEqual(
        isPhone ? ['PlayUp 7.50', 'PlayUp 4.00', 'PlayUp –'] : [],
      );
      served.nowMs += 4000;
      served.row = quoted({ playup: [9, null, 7.5] });
      await page.locator(`#win-${ID}-1 .c-win b`, { hasText: '9.00' }).waitFor();
      expect(await rowsOf('win')).toBe('1324');
      expect(await page.evaluate('document.activeElement.dataset.sort')).toBe('book-playup');
      await page.reload();
      expect(await rowsOf('win')).toBe('1324');
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // Its prices are hidden with it: the order is by number until it is shown again.
      await summary().click();
      await untick(['playup']);
      expect([await rowsOf('win'), await page.locator('[aria-sort]').count()]).toEqual(['1234', 0]);
      await page.locator('#mine-playup').check();
      expect(await rowsOf('win')).toBe('1324');
    },
  );

  test('a table of a past race has all its books, whatever is chosen', async () => {
    await keeps(OWN);
    await page.route(`**/race/${ID}`, async (route) => {
      const response = await route.fetch();
      const closes =
        '<table class="prices" id="closes"><tbody><tr><td class="c-price"><span class="value">2.10</span></td></tr></tbody></table>';
      await route.fulfill({ response, body: (await response.text()).replace('</main>', `${closes}</main>`) });
    });
    await open();
    expect(await page.locator('#closes').innerText()).toBe('2.10');
    expect(await heads()).toEqual(MINE);
  });

  test.each([
    ['a table', 1440, 'light'],
    ['a phone’s list', 390, 'dark'],
  ] as const)('%s at %i px, %s: no violations, nothing wider than the window', async (what, width, colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await keeps(OWN);
    await open();
    await summary().click();
    if (what !== 'a table') {
      const fold = page.locator(`#fold-win-${ID}-1`);
      expect(await fold.locator('summary').textContent()).toContain(`3 of ${BOOKS.length} prices, 4.60 to 5.00`);
      await fold.locator('summary').click();
      const items = await all(`#fold-win-${ID}-1 .by-price li`, 'e.dataset.bookmaker');
      expect(items).toEqual(['tab', 'neds', 'unibet']);
      expect(await fold.locator('.best-mine').textContent()).toMatch(/^TAB.*5\.00, best among mine$/);
      expect(await page.locator(`#win-${ID} thead .fold summary`).textContent()).toContain(
        `3 of ${BOOKS.length} books`,
      );
    }
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  test('prices are one stop of the keyboard, arrows go among those that are shown, also after a refresh', async () => {
    await keeps(OWN);
    await hurried(page);
    await open();
    const stops = () => all<string>(`#win-${ID} tbody .c-price a.value`, 'e.tabIndex === 0 && e.pathname');
    expect((await stops()).filter(Boolean)).toEqual([`/go/${ID}/1/tab/win`]);
    await page.locator(`#win-${ID}-1 a.value`).first().evaluate('(e) => e.focus()');
    await page.locator(`#win-${ID}-1 [data-bookmaker=tab] a.value`).focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
    const at = () => page.evaluate('document.activeElement.pathname');
    expect(await at()).toBe(`/go/${ID}/3/tab/win`);
    served.nowMs += 4000;
    served.row = quoted({ tab: [5.2, 3, 8] });
    await page.locator(`#win-${ID}-1 .mine`, { hasText: '5.20' }).waitFor();
    expect([await at(), (await stops()).filter(Boolean)]).toEqual([`/go/${ID}/3/tab/win`, [`/go/${ID}/3/tab/win`]]);
  });

  test('an owner has the choice in every browser, and decides where two differ', async () => {
    const enter = async (kept?: object) => {
      const { page: other, problems } = await watchedPage(browser, { width: 1440, height: 1000 });
      await other.context().addCookies([{ name: 'session', value: TOKEN, url: served.url }]);
      if (kept) await keeps(kept, other);
      await open(other);
      return { other, problems };
    };
    const { other: first } = await enter();
    await summary(first).click();
    await untick(others, first);
    await first.locator('#my-books-news', { hasText: 'Saved with your account.' }).waitFor();
    const { other: second } = await enter();
    await second.locator('.my-books-count', { hasText: `3 of ${BOOKS.length}` }).waitFor();
    expect(await heads(second)).toEqual(await heads(first));
    // Both change: the second one to write is asked.
    await summary(second).click();
    await untick(['tab'], second);
    await second.locator('#my-books-news', { hasText: 'Saved' }).waitFor();
    await untick(['neds'], first);
    await first.locator('#my-books-ask:visible').waitFor();
    expect([await heads(first), await count(first)]).toEqual([
      ['tab', 'unibet'],
      `2 of ${BOOKS.length}: your account has another choice`,
    ]);
    await first.getByRole('button', { name: 'Use the account' }).click();
    expect(await heads(first)).toEqual(['neds', 'unibet']);
    // A browser with a choice of its own.
    const { other: third } = await enter({ order: [], hidden: ['playup'] });
    await third.locator('.my-books-count', { hasText: 'another choice' }).waitFor();
    await summary(third).click();
    await third.getByRole('button', { name: 'Keep this one' }).click();
    await third.locator('#my-books-news', { hasText: 'Saved' }).waitFor();
    const { other: fourth } = await enter();
    await fourth.locator('.my-books-count', { hasText: `${BOOKS.length - 1} of` }).waitFor();
    for (const one of [first, second, third, fourth]) await one.context().close();
  });
});
