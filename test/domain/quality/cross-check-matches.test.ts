// The cross-check of matches: for any matches, books that agree within a trader's opinion cause no finding, and each
// fault of one book is found.
import fc from 'fast-check';
import { crossCheckMatches } from '../../../src/domain/quality/cross-check-matches';
import type { PricedBook, PricedMatch } from '../../../src/domain/sports/match';
import { swapped } from '../../../src/domain/sports/read-market';
import type { MarketPrices } from '../../../src/domain/sports/sports';
import { runs } from '../../support/property';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const BOOKS = ['neds', 'sportsbet', 'tab', 'unibet'];

/** The chance of the home side; the chance of a draw; each book's opinion of the first. */
const chances = fc.record({
  home: fc.oneof(fc.double({ min: 0.14, max: 0.26, noNaN: true }), fc.double({ min: 0.7, max: 0.76, noNaN: true })),
  draw: fc.constantFrom(0, 0.1),
  opinions: fc.array(fc.double({ min: -0.04, max: 0.04, noNaN: true }), { minLength: 4, maxLength: 4 }),
});

function matchOf({ home, draw, opinions }: { home: number; draw: number; opinions: number[] }, i: number): PricedMatch {
  const books = BOOKS.map((bookmaker, b): PricedBook => {
    const own = home + opinions[b]!;
    const price = (chance: number): number => Math.round(100 / (chance * 1.06)) / 100;
    const prices = { home: price(own), draw: draw === 0 ? null : price(draw), away: price(1 - own - draw) };
    const markets = [{ market: 'h2h' as const, ...prices, homePoint: null, awayPoint: null }];
    return { bookmaker, homeName: 'A', awayName: 'B', observedAtMs: NOW - 60_000, markets };
  });
  const names = { homeTeam: 'A', awayTeam: 'B', competition: null, commenceTime: '2026-11-21T09:00:00.000Z' };
  return { eventId: `e${i}`, canonicalId: `c${i}`, sportKey: 'soccer_epl', ...names, books };
}

const FAULTS: Readonly<Record<string, (prices: MarketPrices) => MarketPrices>> = {
  'sides turned': swapped,
  'a tenth of a price': (one) => ({ ...one, home: 1 + one.home! / 10, away: 1 + one.away! / 10 }),
};

const withFault = (
  matches: readonly PricedMatch[],
  fault: (prices: MarketPrices) => MarketPrices,
  observedAtMs?: number,
) =>
  matches.map((match) => ({
    ...match,
    books: match.books.map((book) =>
      book.bookmaker === 'tab'
        ? {
            ...book,
            observedAtMs: observedAtMs ?? book.observedAtMs,
            markets: book.markets.map((one) => ({ ...one, ...fault(one) })),
          }
        : book,
    ),
  }));

test('there is no finding while books agree, and each fault of one book is found at that book only', () => {
  fc.assert(
    fc.property(fc.array(chances, { minLength: 5, maxLength: 20 }), (all) => {
      const matches = all.map(matchOf);
      expect(crossCheckMatches(matches, NOW)).toEqual([]);
      for (const [name, fault] of Object.entries(FAULTS)) {
        const found = crossCheckMatches(withFault(matches, fault), NOW);
        expect([name, [...new Set(found.map(({ bookmakerKey }) => bookmakerKey))]]).toEqual([name, ['tab']]);
        // Stale prices count for nothing.
        expect(crossCheckMatches(withFault(matches, fault, NOW - 3_600_000), NOW)).toEqual([]);
      }
    }),
    { numRuns: runs(200) },
  );
});
