// The pages of sports show what the operations show for the same moment: equal prices, books, times, doubts, margins.
import fc from 'fast-check';
import { presentLines, presentSportsArb } from '../../../src/api/operations/arbitrage/present-compared';
import { presentEvent } from '../../../src/api/operations/sports/present-odds';
import { createSportSource } from '../../../src/api/pages/sport-source';
import { compareH2h } from '../../../src/domain/sports/compare';
import type { PricedMatch } from '../../../src/domain/sports/match';
import { LINE_MARKETS, MARKETS, sportOf } from '../../../src/domain/sports/sports';
import type { ArbRow, MatchView } from '../../../src/web/sports/model';
import { bookTitle } from '../../../src/web/sports/shown-prices';
import { createSportPages } from '../../../src/web/sports/sport-pages';
import { runs } from '../../support/property';
import { anyRound } from '../../support/sports/any-round';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';
import { sportWorld } from './sport-world';

const later = fc.integer({ min: 0, max: 30 * 60_000 });
const iso = (ms: number): string => new Date(ms).toISOString();

const h2hOf = (match: PricedMatch, nowMs: number) =>
  presentSportsArb(match, compareH2h(match, sportOf(match.sportKey)!, nowMs), nowMs);

/** What both show of an arb. */
const shown = ({ eventId, market, profitPct, confidence, legs }: ArbRow) => ({
  ...{ eventId, market, profitPct, confidence },
  legs: legs.map(({ name, point, price, stake }) => ({
    ...{ name, point, stake, price: price.price, bookmaker: price.bookmaker, seen: iso(price.seenMs) },
  })),
});

/** The arbs of the operations, of each line market the first that is one. */
function arbsOfApi(matches: readonly PricedMatch[], nowMs: number) {
  return matches.flatMap((match) => {
    const { eventId } = match;
    const priced = match.books.some(({ markets }) => markets.some(({ market }) => market === 'h2h'));
    const h2h = priced ? h2hOf(match, nowMs) : null;
    const legs = h2h?.optimal_stakes.map(({ name, bookmaker, price, stake }) => {
      const own = h2h.selections
        .find((one) => one.name === name)!
        .all_prices.find((one) => one.bookmaker === bookmaker)!;
      return { name, point: null, stake, price, bookmaker: bookTitle(bookmaker), seen: own.last_update };
    });
    const own = h2h?.is_arb
      ? [{ eventId, market: 'h2h' as const, profitPct: h2h.arb_pct, confidence: h2h.confidence!, legs: legs! }]
      : [];
    const lines = LINE_MARKETS.flatMap((market) => {
      const best = presentLines(match, market, 0, nowMs)?.opportunities.find(({ is_arb }) => is_arb);
      if (!best) return [];
      const sides = [best.side_a, best.side_b].map(({ name, point, price, bookmaker, last_update }, i) => ({
        ...{ name, point, price, bookmaker: bookTitle(bookmaker), seen: last_update },
        stake: best.optimal_stakes[i]!.stake,
      }));
      return [{ eventId, market, profitPct: best.arb_pct, confidence: best.confidence!, legs: sides }];
    });
    return [...own, ...lines];
  });
}

test('arbs: the same matches, margins, confidence, legs, books and times', async () => {
  let arbs = 0;
  await fc.assert(
    fc.asyncProperty(anyRound, later, async (round, ms) => {
      const { world, pages, upcoming } = sportWorld(round);
      world.nowMs += ms;
      const { rows, total } = await pages.arbs(1);
      const expected = arbsOfApi(upcoming(null, true, world.nowMs), world.nowMs);
      expect(rows.map(shown)).toEqual(expected.sort((a, b) => b.profitPct - a.profitPct));
      expect(total).toBe(expected.length);
      arbs += total;
      for (const { legs } of rows)
        for (const { price } of legs) expect([price.stale, price.suspect]).toEqual([false, null]);
    }),
    { numRuns: runs(1500) },
  );
  expect(arbs).toBeGreaterThan(20);
});

test('a sport: each side’s best price with its book, time and doubt, and the arb', async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, later, async (round, ms) => {
      const { world, pages, upcoming } = sportWorld(round);
      world.nowMs += ms;
      for (const key of ['nrl', 'nba', 'soccer_epl']) {
        const view = (await pages.sport(key, { competition: null, page: 1 }))!;
        const matches = upcoming(key, false, world.nowMs);
        expect(view.rows.map(({ eventId }) => eventId)).toEqual(matches.map(({ eventId }) => eventId));
        for (const [i, match] of matches.entries()) {
          const { selections, is_arb, arb_pct } = h2hOf(match, world.nowMs);
          const row = view.rows[i]!;
          const sides = [
            [match.homeTeam, row.home],
            ['Draw', row.draw],
            [match.awayTeam, row.away],
          ] as const;
          for (const [name, price] of sides) {
            const best = selections.find((one) => one.name === name)?.all_prices[0];
            expect(price && [price.price, price.bookmaker, iso(price.seenMs), price.stale, price.suspect]).toEqual(
              best ? [best.price, bookTitle(best.bookmaker), best.last_update, best.stale, best.suspect_reason] : null,
            );
          }
          expect(row.arbPct).toBe(is_arb ? arb_pct : null);
        }
      }
    }),
    { numRuns: runs(600) },
  );
});

/** Every price of a page, as `GET /v1/sports/{sport_key}/events/{event_id}/odds` has it. */
function pricesOf({ markets }: MatchView): string[] {
  return markets.flatMap(({ market, sides, books }) =>
    books.flatMap(({ bookmaker, cells }) =>
      cells.flatMap((cell, i) =>
        cell === null ? [] : [[market, bookmaker, sides[i]!.name, cell.point ?? '', cell.price].join(' ')],
      ),
    ),
  );
}

function pricesOfApi(match: PricedMatch, nowMs: number): string[] {
  const names = new Map([
    ['Home side', match.homeTeam],
    ['Away side', match.awayTeam],
  ]);
  return presentEvent(match, 'decimal', nowMs, null).bookmakers.flatMap(({ title, markets }) =>
    markets.flatMap(({ key, outcomes }) =>
      outcomes.map(({ name, price, point }) => [key, title, names.get(name) ?? name, point ?? '', price].join(' ')),
    ),
  );
}

/** Without the draw where most have it, or with one where the sport has none; none if every book is so. */
function booksOfAnotherBet({ sportKey, books }: PricedMatch): string[] {
  const offers = books.flatMap(({ bookmaker, markets }) =>
    markets.flatMap(({ market, draw }) => (market === 'h2h' ? [{ bookmaker, hasDraw: draw !== null }] : [])),
  );
  const others = offers.filter(({ hasDraw }) => hasDraw !== sportOf(sportKey)!.draw);
  return others.length === offers.length ? [] : others.map(({ bookmaker }) => bookTitle(bookmaker)).sort();
}

test('a match: every price of every book, once, and each best price marked at its books only', async () => {
  await fc.assert(
    fc.asyncProperty(anyRound, later, async (round, ms) => {
      const { world, pages, upcoming } = sportWorld(round);
      world.nowMs += ms;
      for (const match of upcoming(null, false, world.nowMs)) {
        const view = (await pages.match(match.eventId)) as MatchView;
        expect(pricesOf(view).sort()).toEqual(pricesOfApi(match, world.nowMs).sort());
        expect(view.markets.map(({ market }) => market)).toEqual(
          MARKETS.filter((key) => match.books.some(({ markets }) => markets.some(({ market }) => market === key))),
        );
        for (const { market, bests, books } of view.markets) {
          const other = booksOfAnotherBet(match);
          const another = books.flatMap((row) => (row.another ? [row.bookmaker] : []));
          expect(another.sort()).toEqual(market === 'h2h' ? other : []);
          for (const { cells, another } of books)
            for (const [i, cell] of cells.entries()) {
              if (!cell?.best) continue;
              expect(another).toBe(false);
              expect(bests.some((row) => row[i]!.best?.price === cell.price && row[i]!.point === cell.point)).toBe(
                true,
              );
            }
        }
      }
    }),
    { numRuns: runs(600) },
  );
});

test('a price of another book, margin or time is noticed', async () => {
  const { pages, upcoming } = sportWorld(fc.sample(anyRound, { numRuns: 60, seed: 4 }).find((one) => one.length > 5)!);
  const [match] = upcoming(null, false, NOW_MS);
  const view = (await pages.match(match!.eventId)) as MatchView;
  const moved = { ...match!, books: match!.books.map((one, i) => (i === 0 ? { ...one, bookmaker: 'playup' } : one)) };
  expect(pricesOf(view).sort()).not.toEqual(pricesOfApi(moved, NOW_MS).sort());
});

test('a book that customers may not see, or that is not compared, is on no page', async () => {
  const hidden = ['betfair_ex_au', 'pinnacle', 'williamhill', 'dafabet'];
  const h2h = priced('h2h', { home: 6.66, away: 7.77 });
  const books = [...hidden.map((key) => book(key, [h2h])), book('tab', [priced('h2h', { home: 1.9, away: 1.95 })])];
  const match = pricedMatch(books, { eventId: '00000000-0000-4000-8000-000000000001' });
  const named: string[] = [];
  const listed = { joinedInto: null, startMs: Date.parse(match.commenceTime), listings: [] };
  const reads = {
    listedMatch: async (_: string, bookmakers: readonly string[]) => {
      named.push(...bookmakers);
      return { ...match, ...listed };
    },
  };
  const upcoming = async () => ({ matches: [match], readAtMs: NOW_MS, cacheAgeSeconds: null });
  const sports = { upcoming, requireCompetition: async () => {} };
  const pages = createSportPages({ source: createSportSource({ reads, sports }), now: () => NOW_MS });
  const views = [
    await pages.index(),
    await pages.sport('nrl', { competition: null, page: 1 }),
    await pages.match(match.eventId),
    await pages.arbs(1),
  ];
  const text = JSON.stringify(views);
  expect(text).toContain('"price":1.95');
  expect(text).not.toMatch(/6\.66|7\.77|Betfair|Pinnacle|Hill|Dafabet/i);
  expect(named.filter((key) => hidden.includes(key))).toEqual([]);
});
