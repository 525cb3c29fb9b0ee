// The browser updates countdowns and ages with the server's own functions: an open page reads as the server renders it.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { Board } from '../../src/web/board/model';
import { ageText, clockText, countdownText } from '../../src/web/format';
import { createWeb } from '../../src/web/routes';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { watchedPage } from './board-browser';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const SECONDS = [0, 1, 59, 60, 61, 119, 599, 3_599, 3_600, 3_661, 7_322, 86_399];

const title = (i: number, startMs: number) =>
  ({ raceId: `race-${i}`, category: 'horse', country: 'AU', venue: 'Ascot', raceNumber: i, startMs }) as const;

const board: Board = {
  next: [...SECONDS, ...SECONDS.map((s) => -s)].map((s, i) => ({ ...title(i, NOW + s * 1000), favourite: null })),
  featured: null,
  jumped: SECONDS.map((s, i) => ({ ...title(i + 100, NOW), jumpedMs: NOW - s * 1000, jumpBasis: 'observed' })),
  outcomes: [],
};

const reason = noBrowserReason();
const maybe = reason === null ? test : test.skip;

maybe(`the script writes countdowns and ages as the server does${reason ?? ''}`, async () => {
  const app = new Koa();
  // At speed 0 the race clock stands still.
  app.use(
    createWeb({
      live: { board: async () => board, race: async () => null, chart: async () => null },
      now: () => NOW,
      speed: 0,
    }).routes(),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const browser = await openBrowser();
  try {
    const { page } = await watchedPage(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/live`);
    await page.evaluate(
      "for (const e of document.querySelectorAll('[data-count], [data-age], #now')) e.textContent = ''",
    );
    await page.locator('#now', { hasText: clockText(NOW) }).waitFor();
    const texts = (selector: string, key: string): Promise<[number, string][]> =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((e) => [Number(e.dataset.${key}), e.textContent])`,
      );
    const old = await page.evaluate(
      "[...document.querySelectorAll('[data-age].old')].map((e) => Number(e.dataset.age))",
    );
    const counts = await texts('[data-count]', 'count');
    const ages = await texts('[data-age]', 'age');
    expect([counts.length, ages.length]).toEqual([2 * SECONDS.length, SECONDS.length]);
    expect(counts).toEqual(counts.map(([ms]) => [ms, countdownText(ms, NOW)]));
    expect(old).toEqual(ages.map(([ms]) => ms).filter((ms) => NOW - ms > 120_000));
    expect(ages).toEqual(ages.map(([ms]) => [ms, ageText(ms, NOW)]));
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
