// The live board in a browser: headless Chromium, the real application, a real database written by the real stores.
import type { Browser, Page } from 'playwright-core';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { feedField, feedRunner } from '../support/races/builders';
import { hurried, moveFromNow, neverPolling, type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`the live board in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
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
    watched = await watchedPage(browser);
    page = watched.page;
  });
  afterEach(async () => {
    await page.close();
    await own?.close();
    own = undefined;
  });

  const cell = (name: string, book: string) =>
    page
      .locator('tbody tr', { hasText: name })
      .locator('td.c-price')
      .nth(['TAB', 'Ladbrokes', 'Neds', 'PointsBet'].indexOf(book));

  async function pricedRace(): Promise<string> {
    const raceId = await world.list(10, { venue: 'Flemington', raceNumber: 4, country: 'AU' });
    const scratching = { at: '2026-11-21T01:15:00.000Z', late: true, winDeduction: null, placeDeduction: null };
    await world.poll(raceId, 'tab', [...feedField(2.5, 4.2), feedRunner(3, { name: 'Gone Fishing', scratching })]);
    await world.poll(raceId, 'ladbrokes_au', feedField(2.6, 4.2), { facts: { trackCondition: 'Good (4)' } });
    await world.poll(raceId, 'neds', feedField(2.4, 4), { secondsAgo: 185 });
    await world.poll(raceId, 'pointsbetau', feedField(2.45, null));
    return raceId;
  }

  describe('a race that nothing changes', () => {
    let raceId: string;

    beforeAll(async () => {
      world = await createBoardWorld({ streams: true, still: true });
      raceId = await pricedRace();
    });
    afterAll(() => world.close());

    test('shows a race: best price marked in text, scratched struck out, stale marked, unknown as a dash', async () => {
      await page.goto(`${world.url}/live`);
      expect(await page.locator('#sheet-title').textContent()).toMatch(/Flemington R4/);
      expect(await cell('Runner 1', 'Ladbrokes').textContent()).toMatch(/2\.60 best/);
      expect(await cell('Runner 1', 'TAB').textContent()).not.toMatch(/best/);
      expect(await cell('Runner 2', 'PointsBet').textContent()).toMatch(/–$/);
      const scratched = page.locator('.of-win tbody tr', { hasText: 'Gone Fishing' });
      expect(await scratched.locator('s').textContent()).toBe('Gone Fishing');
      expect(await scratched.locator('.c-out').textContent()).toBe('Scratched 12:15 pm AEDT late');
      expect(await page.locator('.of-win thead th', { hasText: 'Neds' }).textContent()).toMatch(/stale [3-9]m/);
      expect(await page.locator('.facts').textContent()).toMatch(/Track Good \(4\)/);
      expect(await page.locator('.now').textContent()).toMatch(/^Sat 21 Nov 2:0\d:\d\d pm AEDT$/);
      expect(watched.problems).toEqual([]);
    });

    test('nothing is wider than the window, of a phone, a tablet or a desk', async () => {
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        for (const path of ['/live', `/race/${raceId}`]) {
          await page.goto(world.url + path);
          expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
        }
      }
    });
  });

  describe('races that go on', () => {
    beforeEach(async () => {
      own = await createBoardWorld({ streams: true });
      world = own;
    });

    test('a changed price arrives without a reload, with an arrow, keeping the focus and moving nothing', async () => {
      const raceId = await pricedRace();
      const other = await world.list(20, { venue: 'Ascot', raceNumber: 2 });
      await world.poll(other, 'tab', feedField(2, 3));
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await page.evaluate('window.marker = 1');
      await page.locator(`#next-${other}`).focus();
      await moveFromNow(page);
      await world.poll(raceId, 'tab', feedField(2.2, 4.2));
      await page.locator('td.c-price', { hasText: '2.20' }).waitFor();
      expect(await cell('Runner 1', 'TAB').textContent()).toMatch(/firming from 2\.50/);
      expect(await page.evaluate('window.marker')).toBe(1);
      expect(await page.evaluate('document.activeElement.id')).toBe(`next-${other}`);
      expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
      // The measurement works: a real shift is reported.
      await page.evaluate("document.getElementById('main').style.marginTop = '150px'");
      await page.evaluate('new Promise((done) => setInterval(() => window.shift > 0.01 && done(), 50))');
      expect(watched.problems).toEqual([]);
    });

    test('a page with a stream fetches changes when the stream reports them', async () => {
      const raceId = await pricedRace();
      const fetched: string[] = [];
      page.on('request', (request) => request.url().endsWith('/fragment') && fetched.push(request.url()));
      await neverPolling(page);
      for (const path of ['/live', `/race/${raceId}`]) {
        const win = path === '/live' ? 2.15 : 2.05;
        await page.goto(world.url + path);
        await world.poll(raceId, 'tab', feedField(win, 4.2));
        await page.locator('td.c-price', { hasText: win.toFixed(2) }).waitFor();
      }
      await page.locator('#link[data-state=live]').waitFor();
      expect(fetched.length).toBeGreaterThanOrEqual(2);
      expect(watched.problems).toEqual([]);
    });

    test('countdowns and ages tick, and read as the server writes them', async () => {
      await pricedRace();
      await page.goto(`${world.url}/live`);
      const count = page.locator('.big .count');
      const first = await count.textContent();
      expect(first).toMatch(/^(10|9)m \d\ds$/);
      await page.locator('.big .count', { hasNotText: first! }).waitFor();
      const secondsOf = (text: string | null) =>
        Number(/^\d+/.exec(text!)![0]) * 60 + Number(/(\d\d)s$/.exec(text!)![1]);
      expect(secondsOf(await count.textContent())).toBeLessThan(secondsOf(first));
      expect(await page.locator('.of-win thead th', { hasText: 'Ladbrokes' }).textContent()).toMatch(/\d+[sm]/);
    });

    test('a race that jumps gives way to the next, and its result follows', async () => {
      const raceId = await pricedRace();
      const other = await world.list(20, { venue: 'Ascot', raceNumber: 2 });
      await world.poll(other, 'tab', feedField(2, 3));
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await world.jump(raceId);
      await page.locator(`#jumped-${raceId}`).waitFor();
      expect(await page.locator('#sheet-title').textContent()).toMatch(/Ascot R2/);
      expect(await page.locator(`#next-${raceId}`).count()).toBe(0);
      await world.result(raceId, {
        protest: true,
        straight: [{ market: 'WIN', product: 'VIC', number: 1, amount: 2.7 }],
        exotics: [{ code: 'QN', product: 'VIC', selection: '1,2', amount: 5.4 }],
      });
      const result = page.locator(`#result-${raceId}`);
      await result.waitFor();
      const text = await result.textContent();
      expect(text).toMatch(/Interim\s*Protest/);
      expect(text).toMatch(/1st\s*1\s*Runner 1/);
      expect(text).toMatch(/Quinella\s*1 · 2\s*5\.40/);
      expect(await page.locator(`#jumped-${raceId}`).count()).toBe(0);
      expect(watched.problems).toEqual([]);
    });

    test('a race that has run shows its result first, then its last prices, which no longer change', async () => {
      const raceId = await pricedRace();
      await world.jump(raceId);
      await world.poll(raceId, 'tab', feedField(9, 9), { secondsAgo: -1 });
      const placings = [2, 1].map((number, i) => ({ position: i + 1, number, name: `Runner ${number}` }));
      await world.result(raceId, { placings });
      await page.goto(`${world.url}/race/${raceId}`);
      await page.locator('.plot canvas').waitFor();
      const order = await page.evaluate(
        "[...document.querySelectorAll('#sheet-title, .outcome, .prices, .plot')].map((e) => e.id)",
      );
      expect(order).toEqual(['sheet-title', `result-${raceId}`, `win-${raceId}`, `place-${raceId}`, `plot-${raceId}`]);
      // The close of the market was not seen: it is only known by when the race had jumped.
      expect(await page.locator('.last-of').textContent()).toMatch(/^last prices before 2:0\d pm$/);
      expect(await page.locator('#stake, [data-return]').count()).toBe(0);
      expect(await cell('Runner 1', 'TAB').textContent()).toBe('2.50');
      expect(await page.locator('.of-win thead th', { hasText: 'TAB' }).first().textContent()).toMatch(
        /^TAB\d+s before 2:0\d pm↕$/,
      );
      expect(await page.locator('.of-win thead th', { hasText: 'Neds' }).first().textContent()).toMatch(
        /^Nedsstale [3-9]m before 2:0\d pm↕$/,
      );
      expect(await page.locator('.prices .tag-place').allTextContents()).toEqual(['2nd', '1st', '2nd', '1st']);
      expect(watched.problems).toEqual([]);
    });

    test('shows that the connection is lost and since when, and recovers', async () => {
      await pricedRace();
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await world.stop();
      await page.locator('#link[data-state=lost]').waitFor();
      expect(await page.locator('#link').textContent()).toMatch(/^Connection lost, showing data from 2:0\d:\d\d pm$/);
      await world.start();
      await page.locator('#link[data-state=live]').waitFor();
    });

    test('the keyboard reaches every race, with a visible focus', async () => {
      const ids = [await pricedRace()];
      for (const [i, venue] of ['Ascot', 'Menangle'].entries()) {
        const raceId = await world.list(20 + i, { venue, raceNumber: 2 });
        await world.poll(raceId, 'tab', feedField(2, 3));
        ids.push(raceId);
      }
      const jumped = await world.list(-1, { venue: 'Cranbourne', raceNumber: 3 });
      await world.jump(jumped);
      await page.goto(`${world.url}/live`);
      const reached = new Set<unknown>();
      for (let i = 0; i < 45; i++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate('document.activeElement.getAttribute("href")'));
        expect(
          await page.evaluate(
            'parseFloat(getComputedStyle(document.activeElement).outlineWidth) > 0 || document.activeElement === document.body',
          ),
        ).toBe(true);
      }
      for (const id of [...ids, jumped]) expect(reached).toContain(`/race/${id}`);
    });

    test('a runner whose name is markup is text', async () => {
      const raceId = await world.list(10);
      const name = '<img src=x onerror="window.pwned=1">';
      await world.poll(raceId, 'tab', [feedRunner(1, { name, win: 2 }), feedRunner(2, { win: 3 })]);
      await page.goto(`${world.url}/live`);
      expect(await page.locator('tbody .name').first().textContent()).toBe(name);
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(watched.problems).toEqual([]);
    });

    test("a race's page has win and place, and refreshes itself", async () => {
      const raceId = await pricedRace();
      await hurried(page);
      await page.goto(`${world.url}/race/${raceId}`);
      expect(await page.locator('table.prices caption').allTextContents()).toEqual([
        expect.stringMatching(/^Win prices, Flemington R4/),
        expect.stringMatching(/^Place prices, Flemington R4/),
      ]);
      await world.poll(raceId, 'pointsbetau', feedField(2.7, 4.4));
      await page.locator('.of-win td.c-price.best', { hasText: '4.40' }).waitFor();
      expect(watched.problems).toEqual([]);
    });
  });
});
