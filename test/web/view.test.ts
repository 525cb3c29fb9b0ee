// The View menu: what is chosen holds from the first paint on, on every page, in every tab and over every refresh. A
// visitor in Perth never sees a time without the zone that it is in.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Browser, Page } from 'playwright-core';
import type { Board } from '../../src/web/board/model';
import { createWeb } from '../../src/web/routes';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { PATIENT_MS } from '../support/patient';
import { hurried, visitInItsFont, watchedPage } from './board-browser';

const NOW = Date.parse('2026-11-21T13:30:00Z');
const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

const raceIn = (minutes: number) =>
  ({
    raceId: `race-${minutes}`,
    ...({ category: 'horse', country: 'AU', venue: 'Ascot', raceNumber: 1 } as const),
    startMs: NOW + minutes * 60_000,
    favourite: null,
  }) as const;
/** The first is still on that day in Sydney and in Perth; the second only in Perth. */
const BOARD: Board = { next: [raceIn(20), raceIn(40)], featured: null, jumped: [], outcomes: [] };

suite(`the View menu${reason ?? ''}`, () => {
  let board = BOARD;
  let server: Server;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const app = new Koa();
    const live = { board: async () => board, race: async () => null, chart: async () => null };
    // At speed 0 the race clock stands still.
    app.use(createWeb({ live, now: () => NOW, speed: 0 }).routes());
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    board = BOARD;
  });

  const open = async (options = {}) => watchedPage(browser, { timezoneId: 'Australia/Perth', ...options });
  const choose = async (page: Page, label: string): Promise<void> => {
    await page.locator('details.view:not([open]) summary').click();
    await page.getByLabel(label, { exact: true }).check();
    await page.keyboard.press('Escape');
  };
  const starts = async (page: Page): Promise<string[]> =>
    (await page.locator('.card-at').allTextContents()).map((text) => text.replaceAll('\u00a0', ' '));
  const ground = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

  test('a theme holds before anything is shown, on every page and in another tab, until it is taken back', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    // What the document has when the body begins, before any of it is drawn.
    await page.addInitScript(`
      new MutationObserver((_, own) => {
        if (!document.body) return;
        window.early = [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor];
        own.disconnect();
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(url);
    const light = await ground(page);
    const other = await context.newPage();
    await other.goto(`${url}/terms`);
    await choose(page, 'Dark');
    const dark = await ground(page);
    expect(dark).not.toBe(light);
    await other.waitForFunction('document.documentElement.dataset.theme === "dark"', undefined, {
      timeout: PATIENT_MS,
    });
    expect(await ground(other)).toBe(dark);
    for (const path of ['/', '/terms', '/race/x']) {
      await page.goto(url + path);
      expect(await page.evaluate('window.early')).toEqual(['dark', dark]);
    }
    await choose(page, 'High contrast');
    expect(await ground(page)).toBe('color(srgb 1 1 1)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground(page)).toBe('color(srgb 0 0 0)');
    await choose(page, 'As the system');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    expect(await page.evaluate('window.early')).toEqual([undefined, light]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('by keyboard: it opens, a choice is made, Escape closes it and the focus is where it was', async () => {
    const { page } = await open();
    await page.goto(url);
    await page.locator('details.view summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await page.keyboard.press('Escape');
    expect(await page.locator('details.view').getAttribute('open')).toBeNull();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('View');
    await page.close();
  });

  test('times: Sydney’s with the visitor’s in the title, then the visitor’s, then both; each with its zone', async () => {
    const { page, problems } = await open();
    await visitInItsFont(page, url);
    expect(await starts(page)).toEqual(['12:50 am AEDT', '1:10 am AEDT']);
    expect(await page.locator('.card-at time').first().getAttribute('title')).toMatch(/^9:50 pm.AWST$/);
    await choose(page, 'My zone');
    // Both are of the visitor's today, which is another day than Sydney's.
    const mine = ['9:50 pm AWST', '10:10 pm AWST'];
    expect(await starts(page)).toEqual(mine);
    expect(await page.locator('.now').innerText()).toMatch(/^9:30:00 pm AWST/);
    await page.reload();
    expect(await starts(page)).toEqual(mine);
    // Written before the first paint: nothing has moved since.
    expect(await page.evaluate('[window.shift, window.moved]')).toEqual([0, []]);
    await choose(page, 'Both');
    expect(await starts(page)).toEqual(mine.map((text, i) => `${['12:50', '1:10'][i]} am AEDT ${text}`));
    expect(await page.locator('.now').innerText()).toMatch(/12:30:00 am AEDT\s?9:30:00 pm AWST/);
    await choose(page, 'Sydney');
    expect(await starts(page)).toEqual(['12:50 am AEDT', '1:10 am AEDT']);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a refresh never shows Sydney’s time to a visitor who chose their own, not for a moment', async () => {
    const { page } = await open();
    await page.addInitScript(`localStorage.setItem('odds.zone', '"mine"')`);
    await hurried(page);
    await page.goto(url);
    await page.evaluate(`
      window.seen = [];
      new MutationObserver(() => window.seen.push(...[...document.querySelectorAll('.card-at')].map((e) => e.textContent)))
        .observe(document.getElementById('main'), { childList: true, subtree: true, characterData: true });
    `);
    board = { ...BOARD, next: [raceIn(25), raceIn(45)] };
    await page.locator('.card-at', { hasText: '9:55' }).waitFor();
    const seen = (await page.evaluate('window.seen')) as string[];
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter((text) => !text.endsWith('AWST'))).toEqual([]);
    await page.close();
  });

  test('a visitor in Melbourne has nothing to choose between: their time is Sydney’s', async () => {
    const { page } = await open({ timezoneId: 'Australia/Melbourne' });
    await page.addInitScript(`localStorage.setItem('odds.zone', '"mine"')`);
    await page.goto(url);
    expect(await starts(page)).toEqual(['12:50 am AEDT', '1:10 am AEDT']);
    expect(await page.locator('.card-at time').first().getAttribute('title')).toBeNull();
    await page.close();
  });

  test('without a script there is no menu, and the wishes of the browser hold', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark', contrast: 'more' });
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.locator('details.view').isVisible()).toBe(false);
    expect(await page.locator('.card-at').first().textContent()).toBe('12:50 am AEDT');
    expect(await ground(page)).toBe('color(srgb 0 0 0)');
    await context.close();
  });
});
