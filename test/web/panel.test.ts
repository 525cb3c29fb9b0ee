// The price table with the whole panel and with four books, on a desktop and on a phone: everything in reach, nothing
// cut off, nothing moving, and readable by a screen reader.
import type { Browser, Page } from 'playwright-core';
import { EXPECTED_BOOKS, visibleToCustomers } from '../../src/domain/bookmakers';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { onPaper } from '../support/pages/paper';
import { feedField, feedRunner } from '../support/races/builders';
import { hurried, moveFromNow, visitInItsFont, type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';

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
  /** Of one test alone. */
  let own: BoardWorld | undefined;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    watched = await watchedPage(browser, DESK);
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await page.close();
    await own?.close();
    own = undefined;
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

  describe('a race that nothing changes', () => {
    let raceId: string;

    // The clock stands: its prices are as old in every test.
    beforeAll(async () => {
      world = await createBoardWorld({ still: true });
      raceId = await pricedRace(PANEL);
    });
    afterAll(() => world.close());

    test('if the table scrolls, it shows how many books are beyond the edge, and number, runner and best price stay visible', async () => {
      await page.setViewportSize(TABLET);
      await page.goto(`${world.url}/live`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(TABLET.width);
      const leading = '.of-win tbody tr:first-child :is(.c-no, .c-runner, .c-win)';
      const before = await all<Box>(leading, BOX);
      expect(before).toHaveLength(3);
      const hint = page.locator('.priced-win .beyond');
      expect(await hint.textContent()).toMatch(/^\d+ more books$/);
      await page.locator('.priced-win .scroller').focus();
      for (let i = 0; i < 60 && (await hint.isVisible()); i++) await page.keyboard.press('ArrowRight');
      await hint.waitFor({ state: 'hidden' });
      // The best price ends beside the runner: what is before it has gone under both.
      const [no, runner, best] = await all<Box>(leading, BOX);
      expect([no, runner]).toEqual(before.slice(0, 2));
      expect(best!.left).toBe(runner!.right);
      const last = (await page.locator('.of-win thead .c-book').last().boundingBox())!;
      expect(last.x + last.width).toBeLessThanOrEqual(TABLET.width);
      expect(last.x).toBeGreaterThan(best!.right);
      await page.evaluate('document.querySelector(".scroller").scrollTo(0, 0)');
      await hint.click();
      await page.locator('[data-before]').waitFor();
    });

    test('on paper all fifteen books fit, across the sheet and upright', async () => {
      const url = `${world.url}/race/${raceId}`;
      for (const sheet of ['across', 'upright'] as const) {
        const { cut, books, ways, cells, pdfBytes } = await onPaper(page, url, sheet);
        expect([sheet, cut, books, ways]).toEqual([sheet, [], 2 * PANEL.length, 0]);
        expect([cells > 100, pdfBytes > 15_000]).toEqual([true, true]);
      }
    });

    test('on a phone one press opens all runners, another closes them; ages and markets are by book', async () => {
      await page.setViewportSize(PHONE);
      await page.goto(`${world.url}/live`);
      const open = page.locator('.of-win tbody details[open]');
      await page.getByRole('button', { name: 'Show all prices' }).click();
      expect(await open.count()).toBe(3);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await page.getByRole('button', { name: 'Hide all prices' }).click();
      expect(await open.count()).toBe(0);
      expect(await page.locator('.of-win thead summary').textContent()).toBe('15 books 1 stale');
      await page.locator('.of-win thead summary').click();
      expect(await page.locator('.of-win .by-book li', { hasText: /^TAB ?stale/ }).textContent()).toMatch(
        /^TABstale (29|[345]\d)m old/,
      );
      expect(await page.locator('.by-book li:visible').count()).toBe(PANEL.length);
    });

    test('a table is a table to a screen reader, on a desk and a phone: captioned, with every header scoped', async () => {
      for (const [size, heads] of [
        [DESK, 11 + 15],
        [PHONE, 4],
      ] as const) {
        await page.setViewportSize(size);
        await page.goto(`${world.url}/live`);
        expect(await page.getByRole('table', { name: /^Win prices, Flemington R4/ }).count()).toBe(1);
        expect(await page.locator('.of-win').getByRole('columnheader').count()).toBe(heads);
        expect(await page.locator('.of-win').getByRole('rowheader', { name: 'Runner 1' }).count()).toBe(1);
        expect(await all('.prices th', 'e.scope')).not.toContain('');
        expect(
          await all(':is(button, summary, a):not([aria-hidden], [hidden] *)', 'e.textContent.trim()'),
        ).not.toContain('');
        expect(await all('.scroller', 'e.ariaLabel')).toEqual([
          expect.stringMatching(/^Win prices, Flemington R4/),
          expect.stringMatching(/^Place prices, Flemington R4/),
        ]);
        const ids = await all<string>('[id]', 'e.id');
        expect(new Set(ids).size).toBe(ids.length);
      }
    });
  });

  describe('races that go on', () => {
    beforeEach(async () => {
      own = await createBoardWorld();
      world = own;
    });

    test('the dividends of three totes stay within their result, on a desk, a tablet and a phone', async () => {
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
      for (const size of [DESK, TABLET, PHONE]) {
        await page.setViewportSize(size);
        await visitInItsFont(page, `${world.url}/live`);
        const room = '.reduce((room, at) => Math.min(room, at), Infinity)';
        const rooms = await all<number>(
          '.outcome',
          `[...e.querySelectorAll('table, td')].map((one) => e.getBoundingClientRect().right - one.getBoundingClientRect().right)${room}`,
        );
        expect([size.width, rooms.length, Math.min(...rooms) >= 0]).toEqual([size.width, 3, true]);
      }
    });

    test('on a desktop every book of the panel is visible without scrolling, and no name or price is cut off', async () => {
      const raceId = await pricedRace(PANEL);
      await world.poll(raceId, PANEL[0]!, [...feedField(20, 99.5, null), scratched]);
      for (const path of ['/live', `/race/${raceId}`]) {
        await visitInItsFont(page, world.url + path);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(DESK.width);
        expect(await page.locator('thead .c-book').count()).toBe(PANEL.length * 2);
        const cutOff = await all(
          '.scroller, .book, .fresh, .at, .who, td.c-price, td.c-cons, td.c-first, td.c-mark, td.c-move',
          'e.scrollWidth > e.clientWidth && e.outerHTML',
        );
        expect(cutOff.filter(Boolean)).toEqual([]);
        // A width that followed its content would move every column when a price changes.
        const widths = await all<number>('.of-win .c-book:not(:last-child)', 'e.offsetWidth');
        expect([path, ...new Set(widths)]).toEqual([path, widths[0]]);
        expect(await page.locator('.beyond:visible').count()).toBe(0);
      }
      expect(await page.locator('.of-win td.c-price').first().textContent()).toBe('20.00');
      expect(await page.locator('td.suspect').first().textContent()).toBe('99.50 placeholder, drifting from 98.50');
      expect(await page.locator('thead .stale').first().textContent()).toMatch(/^TABstale (29|[345]\d)m old↕$/);
    });

    test('on a phone the best price and its book come first, every book is under it, best first, and stays open', async () => {
      const raceId = await pricedRace(PANEL);
      await page.setViewportSize(PHONE);
      await page.goto(`${world.url}/live`);
      expect(await page.locator('.of-win tbody .c-best').first().textContent()).toMatch(/^20\.14 .*Dabble$/);
      expect(await page.locator('.c-price:visible').count()).toBe(0);
      const folds = page.locator('.of-win tbody .fold');
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
      await page.locator('.of-win tbody .c-best', { hasText: '26.00' }).waitFor();
      expect(await folds.locator('details[open]').count()).toBe(1);
      expect(await lines.first().textContent()).toMatch(/^Neds26\.00 best, drifting from 20\.04$/);
      expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      // The strip and the countdown stay in sight.
      await page.evaluate('window.scrollTo(0, 420)');
      expect(await all('.strip, .sheet .clock', 'Math.round(e.getBoundingClientRect().top)')).toEqual([0, 66]);
      expect(await all('.strip', 'Math.round(e.getBoundingClientRect().bottom)')).toEqual([66]);
      expect(await all('.strip', 'e.scrollHeight > e.clientHeight')).toEqual([false]);
    });

    test('a press on a head sorts, a stake shows its return, and both survive refreshes and the next visit', async () => {
      const raceId = await pricedRace(PANEL);
      await hurried(page);
      await page.goto(`${world.url}/live`);
      const numbers = () => all('.of-win tbody tr:not(.fold) .cloth', 'e.textContent');
      const head = page.locator('.of-win').getByRole('button', { name: 'Best Win' });
      await head.click();
      expect(await numbers()).toEqual(['3', '1', '2', '4']);
      await head.click();
      // The scratched runner has no price: it is last in either direction.
      expect(await numbers()).toEqual(['2', '1', '3', '4']);
      expect(await all('.of-win [aria-sort]', 'e.ariaSort')).toEqual(['descending']);
      await page.getByLabel('Stake $').fill('12.50');
      const returned = page.locator('.of-win .c-win .return:visible');
      expect(await returned.allTextContents()).toEqual(['$300.00', '$251.75', '$100.00']);
      await head.focus();
      await moveFromNow(page);
      await world.poll(raceId, PANEL[4]!, [...feedField(20, 24.5, 8.01), scratched]);
      await page.locator('.of-win tbody .c-win', { hasText: '8.01' }).waitFor();
      expect(await numbers()).toEqual(['2', '1', '3', '4']);
      expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
      await world.poll(raceId, PANEL[4]!, [...feedField(26, 24.5, 8.01), scratched]);
      await page.locator('.of-win tbody .c-win', { hasText: '26.00' }).waitFor();
      expect(await numbers()).toEqual(['1', '2', '3', '4']);
      expect(await returned.allTextContents()).toEqual(['$325.00', '$306.25', '$100.12']);
      expect(await page.evaluate('document.activeElement.dataset.sort')).toBe('win');
      // Each runner's fold is still under it.
      expect(
        await all('.of-win tbody .fold', 'e.id.replace("fold-", "") === e.previousElementSibling.id'),
      ).not.toContain(false);
      await page.reload();
      expect(await numbers()).toEqual(['1', '2', '3', '4']);
      expect(await page.getByLabel('Stake $').inputValue()).toBe('12.50');
      await page.getByLabel('Stake $').fill('ten');
      expect(await returned.count()).toBe(0);
      expect(await page.locator('#stake-note').textContent()).toBe('an amount, such as 20 or 12.50');
      await page.locator('.of-win').getByRole('button', { name: 'Best Win' }).click();
      expect(await numbers()).toEqual(['1', '2', '3', '4']);
      expect(await page.locator('[aria-sort]').count()).toBe(0);
    });

    test('place, tote and multi are views of the same table: the keyboard picks one, and no script is needed', async () => {
      const raceId = await world.list(10, { venue: 'Flemington', raceNumber: 4, country: 'AU' }, ['tab', 'neds']);
      const legs = { win: 6, place: 2.2, top2: 2.8, top3: 1.9, top4: 1.4, toteWin: { PROV: 7.1, SP: 6.8 } };
      await world.poll(raceId, 'tab', [feedRunner(1, legs), feedRunner(2, { win: 2, place: 1.2 })]);
      await world.poll(raceId, 'neds', [feedRunner(1, { win: 5, place: 2.3 })], { secondsAgo: 400 });
      await page.goto(`${world.url}/race/${raceId}`);
      const shown = () => all('.priced .prices', 'e.offsetWidth > 0 && e.id').then((ids) => ids.filter(Boolean));
      expect(await shown()).toEqual([`win-${raceId}`]);
      // The place price beside the win price is a stale book's.
      const placed = page.locator(`#win-${raceId}-1 .c-place`);
      expect(await placed.textContent()).toMatch(/^2\.30 [67]m oldstale: Neds$/);
      await page.getByRole('radio', { name: 'Win' }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await shown()).toEqual([`place-${raceId}`]);
      await page.keyboard.press('ArrowRight');
      expect(await shown()).toEqual([`more-${raceId}`]);
      const row = page.locator(`#more-${raceId}-1`);
      expect(await row.locator('.c-tote').textContent()).toMatch(/^7\.10 \d+s oldTAB, PROV$/);
      expect(await row.locator('.c-leg b').allTextContents()).toEqual(['2.80', '1.90', '1.40']);
      expect(await page.locator(`#more-${raceId}-2 .c-tote, #more-${raceId}-2 .c-leg`).allTextContents()).toEqual(
        Array(4).fill('–'),
      );
      await page.reload();
      expect(await shown()).toEqual([`more-${raceId}`]);
      // What moves with the pool after the jump is no estimate of before.
      await world.jump(raceId);
      await world.poll(raceId, 'tab', [feedRunner(1, { ...legs, toteWin: { PROV: 9 } })], { secondsAgo: -1 });
      await page.locator('.priced-more').waitFor({ state: 'detached' });
      expect(await shown()).toEqual([`win-${raceId}`]);
    });
  });
});
