// The price table with the whole panel and with four books, on a desktop and on a phone: everything in reach, nothing
// cut off, nothing moving, and readable by a screen reader.
import type { Browser, Page } from 'playwright-core';
import { EXPECTED_BOOKS, visibleToCustomers } from '../../src/domain/bookmakers';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { onPaper } from '../support/pages/paper';
import { feedField, feedRunner } from '../support/races/builders';
import { moveFromNow, visitInItsFont, type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld, FOUR_BOOKS } from './board-world';

const PANEL = EXPECTED_BOOKS.filter(visibleToCustomers);
const CONNECTIONS = { jockey: 'Spencer Kindlewood', trainer: 'Saskia Hawksworthy', weightKg: 57.5, form: '5x623776' };
const DESK = { width: 1440, height: 1000 };
const TABLET = { width: 1024, height: 800 };
const PHONE = { width: 390, height: 844 };

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`the price table in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  let world: BoardWorld;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    world = await createBoardWorld();
    watched = await watchedPage(browser, DESK);
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await page.close();
    await world.close();
  });

  /**
   * Of three runners, the first is a cent better at every next book, the second has a placeholder at the first book,
   * and the third is unquoted there.
   */
  async function pricedRace(books: readonly string[], raceNumber = 4): Promise<string> {
    const raceId = await world.list(10, { venue: 'Flemington', raceNumber, country: 'AU' }, books);
    for (const [i, book] of books.entries()) {
      const wins = [20 + i / 100, i === 0 ? 98.5 : 24, i === 0 ? null : 8];
      const field = feedField(...wins).map((runner) => ({ ...runner, ...CONNECTIONS }));
      await world.poll(raceId, book, [...field, scratched], { secondsAgo: i === 1 ? 1_740 : 0 });
    }
    return raceId;
  }
  const scratching = { at: null, late: true, winDeduction: null, placeDeduction: null };
  const scratched = feedRunner(4, { name: 'Gone Fishing', scratching });

  const all = <T>(selector: string, of: string): Promise<T[]> =>
    page.evaluate(`[...document.querySelectorAll('${selector}')].map((e) => ${of})`);

  interface Box {
    readonly left: number;
    readonly right: number;
  }
  const BOX = 'e.getBoundingClientRect().toJSON()';

  test('the panel has fifteen books', () => expect(PANEL).toHaveLength(15));

  test.each([DESK, TABLET, PHONE])(
    'the dividends of three totes stay within their result, at $width px',
    async (size) => {
      await pricedRace(PANEL);
      const products = ['NSW', 'VIC', 'QLD'];
      for (const raceNumber of [5, 6, 7]) {
        const raceId = await pricedRace(['tab', 'neds'], raceNumber);
        await world.jump(raceId);
        await world.result(raceId, {
          straight: products.map((product) => ({ market: 'WIN', product, number: 1, amount: 120.4 })),
          exotics: products.map((product) => ({ code: 'FF', product, selection: '10,11,12,13', amount: 12_459.8 })),
        });
      }
      await page.setViewportSize(size);
      await visitInItsFont(page, `${world.url}/live`);
      const room = '.reduce((room, at) => Math.min(room, at), Infinity)';
      const rooms = await all<number>(
        '.outcome',
        `[...e.querySelectorAll('table, td')].map((one) => e.getBoundingClientRect().right - one.getBoundingClientRect().right)${room}`,
      );
      expect(rooms).toHaveLength(3);
      expect(Math.min(...rooms)).toBeGreaterThanOrEqual(0);
    },
  );

  test('on a desktop every book of the panel is visible without scrolling, and no name or price is cut off', async () => {
    const raceId = await pricedRace(PANEL);
    await world.poll(raceId, PANEL[0]!, [...feedField(20, 99.5, null), scratched]);
    for (const path of ['/live', `/race/${raceId}`]) {
      await visitInItsFont(page, world.url + path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(DESK.width);
      expect(await page.locator('thead .c-book').count()).toBe(PANEL.length * (path === '/live' ? 1 : 2));
      const cutOff = await all(
        '.scroller, .book, .fresh, .at, .who, td.c-price, td.c-cons',
        'e.scrollWidth > e.clientWidth && e.outerHTML',
      );
      expect(cutOff.filter(Boolean)).toEqual([]);
      // A width that followed its content would move every column when a price changes.
      const widths = await all<number>('.c-book:not(:last-child)', 'e.offsetWidth');
      expect([path, ...new Set(widths)]).toEqual([path, widths[0]]);
      expect(await page.locator('.beyond:visible').count()).toBe(0);
    }
    expect(await page.locator('#main td.c-price').first().textContent()).toBe('20.00');
    expect(await page.locator('td.suspect').first().textContent()).toBe('99.50 placeholder, drifting from 98.50');
    expect(await page.locator('thead .stale').first().textContent()).toMatch(/^TABstale (29|[345]\d)m old$/);
  });

  test('four books are beside the results, fifteen above them', async () => {
    await page.goto(`${world.url}/live`);
    const beside = async (race: string, books: readonly string[]): Promise<boolean> => {
      await page.locator('#sheet-title', { hasText: race }).waitFor();
      // A page that was refreshed before the last poll has a narrower table.
      await page
        .locator('thead .c-book')
        .nth(books.length - 1)
        .waitFor();
      const [sheet, side] = await all<Box>('.sheet, .col-side', BOX);
      return side!.left >= sheet!.right;
    };
    const first = await pricedRace(FOUR_BOOKS);
    expect(await beside('R4', FOUR_BOOKS)).toBe(true);
    expect(await page.locator('.prices.dense').count()).toBe(0);
    await world.jump(first);
    await pricedRace(PANEL, 5);
    expect(await beside('R5', PANEL)).toBe(false);
  });

  test('if the table scrolls, it shows how many books are beyond the edge, and number, runner and best price stay visible', async () => {
    await pricedRace(PANEL);
    await page.setViewportSize(TABLET);
    await page.goto(`${world.url}/live`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(TABLET.width);
    const leading = 'tbody tr:first-child :is(.c-no, .c-runner, .c-best)';
    const before = await all<Box>(leading, BOX);
    expect(before).toHaveLength(3);
    const hint = page.locator('.beyond');
    expect(await hint.textContent()).toMatch(/^\d+ more books$/);
    await page.locator('.scroller').focus();
    for (let i = 0; i < 60 && (await hint.isVisible()); i++) await page.keyboard.press('ArrowRight');
    await hint.waitFor({ state: 'hidden' });
    expect(await all(leading, BOX)).toEqual(before);
    const last = (await page.locator('thead .c-book').last().boundingBox())!;
    expect(last.x + last.width).toBeLessThanOrEqual(TABLET.width);
    expect(last.x).toBeGreaterThan(before[2]!.right);
    await page.evaluate('document.querySelector(".scroller").scrollTo(0, 0)');
    await hint.click();
    await page.locator('[data-before]').waitFor();
  });

  test('on paper all fifteen books fit, across the sheet and upright', async () => {
    const url = `${world.url}/race/${await pricedRace(PANEL)}`;
    for (const sheet of ['across', 'upright'] as const) {
      const { cut, books, ways, cells, pdfBytes } = await onPaper(page, url, sheet);
      expect([sheet, cut, books, ways]).toEqual([sheet, [], 2 * PANEL.length, 0]);
      expect([cells > 100, pdfBytes > 15_000]).toEqual([true, true]);
    }
  });

  test('on a phone the best price and its book come first, every book is under it, best first, and stays open', async () => {
    const raceId = await pricedRace(PANEL);
    await page.setViewportSize(PHONE);
    await page.goto(`${world.url}/live`);
    expect(await page.locator('tbody .c-best').first().textContent()).toMatch(/^20\.14 .*Dabbleconsensus \d/);
    expect(await page.locator('.c-price:visible').count()).toBe(0);
    const folds = page.locator('tbody .fold');
    expect(await folds.locator('summary').allTextContents()).toEqual([
      '15 prices, 20.00 to 20.14 for Runner 1',
      '15 prices, 24.00 for Runner 2',
      '14 prices, 8.00 for Runner 3',
    ]);
    await folds.first().locator('summary').focus();
    await page.keyboard.press('Enter');
    const lines = folds.first().locator('li');
    expect(await folds.locator('li:visible').count()).toBe(PANEL.length);
    const texts = await lines.allTextContents();
    expect(texts).toHaveLength(PANEL.length);
    expect([texts[0], texts[13]]).toEqual(['Dabble20.14 best', 'TABstale20.01']);
    expect(await folds.nth(1).locator('li').last().textContent()).toBe('Sportsbet98.50 placeholder');
    expect(await folds.nth(2).locator('li').last().textContent()).toBe('Sportsbet–');

    await moveFromNow(page);
    await world.poll(raceId, PANEL[4]!, [...feedField(26, 24, 8), scratched]);
    await page.locator('tbody .c-best', { hasText: '26.00' }).waitFor();
    expect(await folds.locator('details[open]').count()).toBe(1);
    expect(await lines.first().textContent()).toMatch(/^Neds26\.00 best, drifting from 20\.04$/);
    expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });

  test('on a phone one press opens all runners, another closes them; ages and markets are by book', async () => {
    await pricedRace(PANEL);
    await page.setViewportSize(PHONE);
    await page.goto(`${world.url}/live`);
    const open = page.locator('tbody details[open]');
    await page.getByRole('button', { name: 'Show all prices' }).click();
    expect(await open.count()).toBe(3);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Hide all prices' }).click();
    expect(await open.count()).toBe(0);
    expect(await page.locator('thead summary').textContent()).toBe('15 books 1 stale');
    await page.locator('thead summary').click();
    expect(await page.locator('.by-book li', { hasText: /^TAB ?stale/ }).textContent()).toMatch(
      /^TABstale (29|[345]\d)m old/,
    );
    expect(await page.locator('.by-book li:visible').count()).toBe(PANEL.length);
  });

  test.each([
    ['a desk', DESK, 4 + 15],
    ['a phone', PHONE, 3],
  ])('at %s a table is a table to a screen reader: captioned, with every header scoped', async (_, size, heads) => {
    await pricedRace(PANEL);
    await page.setViewportSize(size);
    await page.goto(`${world.url}/live`);
    expect(await page.getByRole('table', { name: /^Win prices, Flemington R4/ }).count()).toBe(1);
    expect(await page.locator('.prices').getByRole('columnheader').count()).toBe(heads);
    expect(await page.locator('.prices').getByRole('rowheader', { name: 'Runner 1' }).count()).toBe(1);
    expect(await all('.prices th', 'e.scope')).not.toContain('');
    expect(await all(':is(button, summary, a):not([aria-hidden])', 'e.textContent.trim()')).not.toContain('');
    expect(await all('.scroller', 'e.ariaLabel')).toEqual([expect.stringMatching(/^Win prices, Flemington R4/)]);
    const ids = await all<string>('[id]', 'e.id');
    expect(new Set(ids).size).toBe(ids.length);
  });
});
