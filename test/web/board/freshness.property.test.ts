// What the pages claim about prices of any age, at any instant after they were rendered: no old price looks live, and
// no instant is shown that was not observed.
import { load } from 'cheerio';
import fc from 'fast-check';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import { quoteFreshness } from '../../../src/api/wire/present-freshness';
import { BOOKMAKERS, visibleToCustomers } from '../../../src/domain/bookmakers';
import { tierAt } from '../../../src/domain/time/cadence';
import { ageSeconds, isStale } from '../../../src/domain/time/staleness';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { createLiveBoard } from '../../../src/web/board/live-board';
import { EVERY_RACE } from '../../../src/web/board/race-filter';
import type { BoardSource } from '../../../src/web/board/source';
import { boardDocument } from '../../../src/web/document';
import type { Html } from '../../../src/web/html';
import { boardMain, raceMain } from '../../../src/web/pages';
import { runs } from '../../support/property';
import { book, NOW, race } from './live-race';

const BOOKS = BOOKMAKERS.filter(({ key, status }) => status === 'active' && visibleToCustomers(key));

const source = (row: LiveRace): BoardSource => ({
  boardRaces: async (_, nowMs) => [visibleRaceOf(row, nowMs)],
  race: async (_, nowMs) => visibleRaceOf(row, row.jumped_at ? Date.parse(row.jumped_at) : nowMs),
  captured: async () => [],
  cardChanges: async () => ({ track: null, deductions: [] }),
  jumpedRaces: async () => [],
  outcomes: async () => [],
  outcome: async () => null,
  meeting: async () => [],
});

/** With the faster of the two parsers. */
const parsed = ({ text }: Html) => load(text, { xml: { xmlMode: false } });

const FRAME = { title: 'x', path: '/live', signIn: null, refreshPath: '/board/fragment', speed: 1 } as const;

async function boardPage(row: LiveRace, nowMs: number) {
  const board = await createLiveBoard({ source: source(row), now: () => NOW }).board();
  const freshness = board.featured!.freshness;
  return parsed(boardDocument(boardMain(board, nowMs, '/', EVERY_RACE), { ...FRAME, freshness, nowMs }));
}

/** Few prices, so that books share the best one. */
const price = fc.constantFrom(null, 2, 2.5, 3);
const quotes = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom(...BOOKS.map(({ key }) => key)),
    ageSeconds: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3600 })),
    win: fc.tuple(price, price),
  }),
  { selector: ({ key }) => key, minLength: 1, maxLength: 8 },
);
const moments = fc.record({
  startsIn: fc.oneof(fc.integer({ min: -600, max: 3600 }), fc.integer({ min: 9000, max: 20_000 })),
  laterSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2400 })),
});

test('no state, box or card claims what no fresh poll supports, when the page is served and later', async () => {
  await fc.assert(
    fc.asyncProperty(quotes, moments, async (given, { startsIn, laterSeconds }) => {
      const startMs = NOW + startsIn * 1000;
      const nowMs = NOW + laterSeconds * 1000;
      const books = given.map(({ key, win, ageSeconds: age }) => book(key, win, age));
      const $ = await boardPage(race({ startMs, books }), nowMs);
      const quoting = books.filter(({ win }) => win.some((one) => one !== null));
      const fresh = quoting.filter((one) => !quoteFreshness(one, startMs, nowMs).stale);
      const newestMs = Math.max(...quoting.map(({ polledAtMs }) => polledAtMs));
      const tier = tierAt(Math.floor((startMs - nowMs) / 1000));
      const isOld = isStale(ageSeconds(newestMs, nowMs), tier);
      const state = $('#link').attr('data-state');
      expect(state).toBe(quoting.length === 0 ? 'none' : isOld ? 'old' : 'live');
      if (state === 'live') expect(fresh).not.toEqual([]);
      expect($('.sheet').hasClass('unread')).toBe(state === 'old');
      const titles = (of: typeof books) => of.map(({ bookmaker: key }) => BOOKS.find((one) => one.key === key)!.title);
      const freshTitles = titles(fresh);
      const columns = $('#link, .prices thead th.c-book .book')
        .get()
        .slice(1)
        .map((one) => $(one).text());
      $('.prices tbody tr').each((_, row) => {
        $(row)
          .find('td.c-price')
          .each((i, cell) => {
            if ($(cell).hasClass('best') && !$(cell).hasClass('stale')) expect(freshTitles).toContain(columns[i]);
          });
        const best = $(row).find('td.c-best:not(.stale)[data-price]');
        // If none is better than another, none is marked.
        if (best.find('.at').text().includes('all books')) expect($(row).find('td.best').length).toBe(0);
        const named = best.attr('title')?.split(', ') ?? [];
        if (named.length > 0) expect(named.some((title) => freshTitles.includes(title))).toBe(true);
      });
      for (const li of $('.by-price li.best:not(.stale)').get())
        expect(freshTitles).toContain($(li).find('.by').text());
      for (const card of $('.card:not(.stale)').get()) {
        const favourite = Number($(card).find('.card-fav b').text());
        if (!favourite) continue;
        expect(fresh.some(({ win }) => win.includes(favourite))).toBe(true);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('after the jump the page shows that prices no longer change, and how exactly the jump is known', async () => {
  const seconds = fc.integer({ min: -300, max: 900 });
  await fc.assert(
    fc.asyncProperty(quotes, fc.option(seconds), fc.option(seconds), async (given, closedAt, knownAt) => {
      const startMs = NOW - 600_000;
      const iso = (after: number): string => new Date(startMs + after * 1000).toISOString();
      const isJump = closedAt !== null && closedAt >= -60;
      const jumpedAfter = isJump ? closedAt : Math.max(0, knownAt ?? 0);
      const row = race({
        startMs,
        start_time: iso(0),
        jumped_at: iso(jumpedAfter),
        market_closed_at: closedAt === null ? null : iso(closedAt),
        books: given.map(({ key, win, ageSeconds: age }) => book(key, win, 600 + age)),
      });
      const view = (await createLiveBoard({ source: source(row), now: () => NOW }).race(row.race_id))!;
      const main = raceMain(view, NOW);
      const $ = parsed(boardDocument(main, { ...FRAME, freshness: view.sheet.freshness, nowMs: NOW }));
      expect(['still', 'none']).toContain($('#link').attr('data-state'));
      expect($('.sheet [data-stale-from]').length).toBe(0);
      const big = $('.big').text();
      if (isJump) expect(big).toMatch(/^\d+:\d\d:\d\d [ap]m$/);
      else expect(big).toMatch(jumpedAfter === 0 ? /^about \d+:\d\d [ap]m$/ : /^by \d+:\d\d [ap]m$/);
    }),
    { numRuns: runs(150) },
  );
});
