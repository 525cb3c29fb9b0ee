// The last hour of a race in a browser: its chart, its text, the keyboard, and refreshes that change nothing else.
import type { Static } from '@sinclair/typebox';
import type { Browser, Page } from 'playwright-core';
import type { PriceHistory } from '../../src/api/operations/movements/price-history-schema';
import { newKey } from '../support/api/api';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { hurried, moveFromNow, visitInItsFont, type WatchedPage, watchedPage } from './board-browser';
import { type BoardWorld, createBoardWorld } from './board-world';
import { hourField, hourRace } from './hour-race';

const PHONE = { width: 390, height: 844 };

const reason = noBrowserReason();
const suite = reason === null ? describe : describe.skip;

suite(`the last hour in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
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
    expect(watched.problems).toEqual([]);
    await page.close();
    await own?.close();
    own = undefined;
  });

  /** The number of points on the canvas with the colour of a line. */
  const inked = (variable: string): Promise<number> =>
    page.evaluate(`(() => {
      const canvas = document.querySelector('.plot canvas');
      const sample = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      canvas.style.color = 'var(${variable})';
      sample.fillStyle = getComputedStyle(canvas).color;
      sample.fillRect(0, 0, 1, 1);
      const [r, g, b] = sample.getImageData(0, 0, 1, 1).data;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let points = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255) points++;
      }
      return points;
    })()`);
  const drawn = () => page.locator('.plot canvas').waitFor();
  const summary = () => page.locator('.runner-summary[data-shown]').textContent();
  const pick = (number: number) => page.locator(`.pick input[value="${number}"]`);

  /** By the API's own points: the best price of the books 60, 30, 10 and 5 minutes before the start. */
  async function bestOfHistory(raceId: string, number: number): Promise<number[]> {
    const key = newKey();
    await world.addKey(key);
    const response = await fetch(`${world.url}/v1/racing/price-history?race_id=${raceId}`, {
      headers: { 'X-API-Key': key },
    });
    const history = (await response.json()) as Static<typeof PriceHistory>;
    const { bookmakers } = history.runners.find((runner) => runner.number === number)!;
    const standing = (seconds: number) =>
      bookmakers.map(({ points = [] }) => points.findLast((point) => point.secs_to_jump >= seconds)?.win_price ?? 0);
    // A price captured in the first minute of the window counts from its opening.
    return [3540, 1800, 600, 300].map((seconds) => Math.max(...standing(seconds)));
  }

  describe('a race that nothing changes', () => {
    let raceId: string;

    // The clock stands: the race stays four minutes from its jump.
    beforeAll(async () => {
      world = await createBoardWorld({ still: true });
      raceId = await hourRace(world);
    });
    afterAll(() => world.close());

    test('consensus beside the best price, signal and first mover as text, deduction and track', async () => {
      await page.goto(`${world.url}/live`);
      const row = page.locator('.of-win tbody tr', { hasText: 'Runner 1' }).first();
      expect(await row.locator('.c-cons').textContent()).toMatch(/^\d\.\d\d best win −\d+\.\d%$/);
      expect(await row.locator('.c-win').textContent()).toMatch(/^4\.20 \d+[sm] oldall books$/);
      expect(await row.locator('.c-move.is-firming.strong').textContent()).toMatch(/^−3\d%$/);
      // It moved 29 to 27 minutes before the start.
      expect(await row.locator('.c-first, .c-mark').allTextContents()).toEqual([
        '6.5060m',
        '6.50',
        '6.50',
        '4.20',
        '4.20',
      ]);
      expect(await bestOfHistory(raceId, 1)).toEqual([6.5, 6.5, 4.2, 4.2]);
      expect(await page.locator('tfoot th').textContent()).toBe('Market');
      expect(await page.locator('tfoot .c-cons').textContent()).toBe('4 books');
      await pick(1).check();
      expect(await summary()).toMatch(
        /Best price first captured at 6\.50 \(1:04 pm\), high 6\.50 \(1:04 pm\), low 4\.20 \(1:36 pm\)\.\s*Firming strongly: consensus \d\.\d\d from \d\.\d\d at an hour out, 4 of 4 books\.\s*First to move: Ladbrokes at 1:3\d:\d\d pm, 60 s ahead of Neds\./,
      );
      await pick(3).check();
      expect(await summary()).toMatch(/Drifting strongly: .* 4 of 4 books/);
      await pick(2).check();
      expect(await summary()).toMatch(/Steady: /);
      expect(await page.locator('.of-win .scratched .c-out').textContent()).toBe(
        'Scratched 12:15 pm AEDT latededuction 8c win',
      );
      expect(await page.locator('.facts').textContent()).toMatch(/Track Soft \(5\), was Good \(4\) until 1:3\d pm/);
    });

    test('best price, its book and the consensus do not overlap, at any width of a desk or tablet', async () => {
      for (const width of [1440, 1280, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await visitInItsFont(page, `${world.url}/live`);
        const cutOff = await page.evaluate(
          "[...document.querySelectorAll('.of-win :is(.c-best, .c-cons, .c-first, .c-mark, .c-move)')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.outerHTML)",
        );
        expect([width, cutOff]).toEqual([width, []]);
      }
    });

    test('on a desk and a phone the chart draws best price, consensus and books, with all runners in a table beside it', async () => {
      for (const size of [{ width: 1280, height: 900 }, PHONE]) {
        await page.setViewportSize(size);
        for (const path of ['/live', `/race/${raceId}`]) {
          await page.goto(world.url + path);
          await drawn();
          expect(await inked('--accent')).toBeGreaterThan(200);
          expect(await inked('--ink')).toBeGreaterThan(50);
          expect(await inked('--chart-book')).toBeGreaterThan(50);
          const box = (await page.locator('.plot').boundingBox())!;
          expect(box.width).toBeGreaterThan(300);
          expect(box.x + box.width).toBeLessThanOrEqual(size.width);
          expect(
            await page.getByRole('img', { name: /^Chart of the prices of 3 Runner 3 over the last hour/ }).count(),
          ).toBe(1);
          await page.locator('.hour-table summary').click();
          const table = page.getByRole('table', { name: /^Win prices of the last hour, Flemington R4/ });
          expect(await table.getByRole('rowheader').allTextContents()).toEqual([
            '1 Runner 1',
            '2 Runner 2',
            '3 Runner 3',
          ]);
          expect((await table.getByRole('row').nth(1).textContent())!).toMatch(
            /^1 Runner 16\.50 1:04 pm6\.50 1:04 pm4\.20 1:36 pm4\.20/,
          );
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
        }
      }
    });

    test('arrow keys step through the runners, and the pointer reads the chart', async () => {
      await page.goto(`${world.url}/live`);
      await drawn();
      await page.getByRole('button', { name: 'PointsBet', exact: true }).focus();
      const focused = (of: string) => page.evaluate(`document.activeElement.${of}`);
      for (let i = 0; i < 2 && (await focused('type')) !== 'radio'; i++) await page.keyboard.press('Tab');
      expect(await focused('value')).toBe('3');
      const outline = "document.querySelector('.pick :focus-visible + label')";
      expect(await page.evaluate(`parseFloat(getComputedStyle(${outline}).outlineWidth)`)).toBeGreaterThan(0);
      for (const [key, name] of [
        ['ArrowDown', '1 Runner 1'],
        ['ArrowDown', '2 Runner 2'],
        ['ArrowUp', '1 Runner 1'],
      ]) {
        await page.keyboard.press(key!);
        expect(await page.locator('.runner-summary[data-shown] .runner-summary-name').textContent()).toBe(name);
      }
      expect(await page.locator('.plot').getAttribute('aria-label')).toMatch(/1 Runner 1/);
      expect(await page.locator('.hour [role=status]').textContent()).toMatch(
        /^1 Runner 1 Best price first captured .* Firming strongly: .* First to move: /,
      );
      await page.locator('.u-over').hover({ position: { x: 60, y: 60 } });
      expect(await page.locator('.readout').textContent()).toMatch(/^1:\d\d:\d\d pm · best 6\.50 · consensus \d\.\d\d/);
    });

    test('until the chart is drawn a sentence says so, and another if it could not be loaded', async () => {
      await hurried(page);
      let answer: (ok: boolean) => void = () => {};
      const answered = new Promise<boolean>((done) => {
        answer = done;
      });
      let first = true;
      await page.route('**/prices', async (route) => {
        const ok = first ? await answered : true;
        first = false;
        return ok ? route.fallback() : route.fulfill({ status: 200, contentType: 'application/json', body: '{' });
      });
      await page.goto(`${world.url}/live`);
      const note = page.locator('.plot-note');
      expect(await note.textContent()).toBe('Loading the chart …');
      answer(false);
      await page.locator('.plot-note', { hasText: 'The chart could not be loaded' }).waitFor();
      // It is tried again.
      await drawn();
      expect(await note.textContent()).toBe('');
    });

    test('loading it moves nothing', async () => {
      await page.goto(`${world.url}/live`);
      await page.reload();
      await drawn();
      await page.evaluate('document.fonts.ready');
      expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
    });
  });

  describe('a race that goes on', () => {
    beforeEach(async () => {
      own = await createBoardWorld();
      world = own;
    });

    test('too few books make no consensus, and the page shows why', async () => {
      const raceId = await world.list(4, { venue: 'Flemington', raceNumber: 4 });
      await world.poll(raceId, 'tab', hourField('to'));
      await page.goto(`${world.url}/live`);
      expect(await page.locator('.prices tbody .c-cons').first().textContent()).toBe('no consensus–');
      expect(await page.locator('tfoot .c-cons').textContent()).toBe('1 of 2 books');
      expect(await page.locator('.edge').count()).toBe(0);
      expect(await summary()).toMatch(/No consensus: too few books price the whole field/);
    });

    test('before capture the hour is empty, and no prices are fetched', async () => {
      const raceId = await world.list(90, { venue: 'Flemington', raceNumber: 4 });
      await world.poll(raceId, 'tab', hourField('to'));
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
      await page.goto(`${world.url}/race/${raceId}`);
      expect(await page.locator('.hour').textContent()).toMatch(/No prices captured yet/);
      expect(fetched.filter((path) => path.endsWith('/prices'))).toEqual([]);
    });

    test('the book under the pointer is named, and a header picks the line of its book', async () => {
      const raceId = await hourRace(world);
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await drawn();
      await pick(1).check();
      expect(await inked('--chart-strong')).toBe(0);
      // Ladbrokes moved a minute before the others, which still had the old price.
      const { x, y } = await page.evaluate<{ x: number; y: number }>(`(async () => {
      const box = document.querySelector('.u-over').getBoundingClientRect();
      return { x: box.width * 0.2, y: box.height };
    })()`);
      for (let at = 0; at < y && (await page.locator('.plot-book:visible').count()) === 0; at += 16)
        await page.locator('.u-over').hover({ position: { x, y: at } });
      expect(await page.locator('.plot-book').textContent()).toBe('TAB, Ladbrokes +2 6.50');
      expect(await inked('--chart-strong')).toBeGreaterThan(50);
      await page.mouse.move(0, 0);
      expect(await page.locator('.plot-book:visible').count()).toBe(0);
      expect(await inked('--chart-strong')).toBe(0);
      const header = page.getByRole('button', { name: 'Neds', exact: true });
      await header.click();
      expect(await header.getAttribute('aria-pressed')).toBe('true');
      expect(await inked('--chart-strong')).toBeGreaterThan(50);
      await world.poll(raceId, 'tab', hourField('to', 0.2));
      await page.locator('.pick', { hasText: 'Runner 1' }).locator('b', { hasText: '4.40' }).waitFor();
      expect(await header.getAttribute('aria-pressed')).toBe('true');
      await header.click();
      expect(await inked('--chart-strong')).toBe(0);
    });

    test('refreshes keep the chart, the selection, the open table and the focus, and move nothing', async () => {
      const raceId = await hourRace(world);
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await drawn();
      await pick(1).check();
      await page.locator('.hour-table summary').click();
      await pick(1).focus();
      await page.evaluate("document.querySelector('.plot canvas').marked = true");
      // Up to here only the visitor's own actions moved anything.
      await moveFromNow(page);
      for (const [i, price] of ['4.40', '4.60', '4.80'].entries()) {
        await world.poll(raceId, 'tab', hourField('to', 0.2 * (i + 1)));
        await page.locator('.pick', { hasText: 'Runner 1' }).locator('b', { hasText: price }).waitFor();
      }
      const fetched = "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/prices')).length >= 3";
      await waitFor(() => page.evaluate(fetched), PATIENT_MS);
      expect(await page.evaluate("document.querySelector('.plot canvas').marked")).toBe(true);
      expect(await page.locator('.plot canvas').count()).toBe(1);
      expect(await page.evaluate('document.activeElement.id')).toBe(`pick-${raceId}-1`);
      expect(await pick(1).isChecked()).toBe(true);
      expect(await page.locator('.runner-summary[data-shown] .runner-summary-name').textContent()).toBe('1 Runner 1');
      expect(await page.locator('.hour-table[open]').count()).toBe(1);
      expect(await page.evaluate('window.moved')).toEqual([]);
      expect(await page.evaluate('window.shift')).toBeLessThan(0.001);
    });

    test('the next race has its own chart', async () => {
      const first = await hourRace(world);
      const second = await world.list(20, { venue: 'Ascot', raceNumber: 2 });
      for (const book of ['tab', 'neds']) await world.poll(second, book, hourField('to'));
      await hurried(page);
      await page.goto(`${world.url}/live`);
      await drawn();
      await pick(1).check();
      await world.jump(first);
      // The reader is in the first race.
      await page.getByRole('button', { name: 'Show Ascot R2' }).click();
      await page.locator(`#plot-${second} canvas`).waitFor();
      expect(await page.locator('.plot canvas').count()).toBe(1);
      expect(await page.locator('.runner-summary[data-shown] .runner-summary-name').textContent()).toBe('3 Runner 3');
    });
  });
});
