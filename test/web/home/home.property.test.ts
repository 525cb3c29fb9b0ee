// No price stands on the home page without its bookmaker and the age of its response, and none that is too old without
// its mark.
import fc from 'fast-check';
import type { ServiceStatus } from '../../../src/web/about/model';
import { createHome } from '../../../src/web/home/home';
import { homeMain } from '../../../src/web/home/page';
import { givenSheet, NOW, sheetOf } from '../../support/pages/priced-sheet';
import { runs } from '../../support/property';

const status = { lastCheck: null, lastOk: null } as ServiceStatus;
const call = { address: 'https://odds.example/v1', page: '/docs', answer: [], atMs: NOW };
const FRAME = { contact: null, canSignUp: true, speed: 1 };
const ROW =
  /<tr id="home-a-\d+" class="(stale)?" data-stale-from="\d+">.*?data-price="([\d.]+)".*?<\/td><td>(.*?)<\/td><td class="num"><time.*? data-age="(\d+)">/g;

test('each price has its bookmaker and the age of that response, and a stale one its mark', async () => {
  let seen = 0;
  const property = fc.asyncProperty(givenSheet, async (given) => {
    const featured = sheetOf(given);
    const board = async () => ({ next: [], featured, jumped: [], outcomes: [] });
    const home = createHome({ live: { board }, source: { call: async () => call }, now: () => NOW, speed: 1 });
    const page = homeMain(await home.read(), status, FRAME, NOW).text;
    const rows = [...page.matchAll(ROW)];
    const prices = page.match(/data-price="[\d.]+"/g) ?? [];
    expect(rows.length).toBe(prices.length);
    if (given.state === 'jumped' || given.state === 'abandoned') expect(prices).toEqual([]);
    for (const [, stale, price, shown, age] of rows) {
      const { title, polledMs, staleFromMs } = featured.books.find((book) => shown!.endsWith(book.title))!;
      expect(featured.runners.map(({ win }) => [win.best?.price, win.best?.books[0]])).toContainEqual([
        Number(price),
        title,
      ]);
      expect([Number(age), stale === 'stale', shown!.includes('>stale: <')]).toEqual([
        polledMs,
        NOW >= staleFromMs!,
        NOW >= staleFromMs!,
      ]);
      seen++;
    }
  });
  await fc.assert(property, { numRuns: runs(1000) });
  expect(seen).toBeGreaterThan(50);
});
