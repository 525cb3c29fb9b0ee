// The price that a price alert counts, against the race as pages show it. Never a price that no visitor sees and can
// take, and never none while there is one.
import fc from 'fast-check';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import { BOOKMAKERS, isCompared, visibleToCustomers } from '../../../src/domain/bookmakers';
import { alertPrice } from '../../../src/domain/prices/alert-price';
import { stateOf } from '../../../src/web/board/sheet';
import { runs } from '../../support/property';
import { boardRace } from '../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const KEYS = BOOKMAKERS.map(({ key }) => key);
const PRICE = fc.constantFrom(null, 1.5, 2.4, 2.5, 5, 19, 21, 26, 101);

const RACE = fc.record({
  /** Before and after the hours in which books are read often. */
  startInMs: fc.constantFrom(-60_000, 90_000, 8 * 60_000, 29 * 60_000, 4 * 3_600_000),
  market_status: fc.constantFrom(null, 'OPEN', 'SUSPENDED', 'CLOSED'),
  market_state_source: fc.constantFrom(null, 'pointsbetau', 'betfair_ex_au'),
  books: fc.uniqueArray(
    fc.record({
      bookmaker: fc.constantFrom(...KEYS),
      /** Seconds; below zero by a clock that is ahead. */
      age: fc.constantFrom(-3600, -5, 0, 119, 120, 121, 1800, 1801),
      win: PRICE,
      place: PRICE,
    }),
    { selector: ({ bookmaker }) => bookmaker, maxLength: 9 },
  ),
});

test('is a price that its page shows as fresh and as no placeholder, of a market that is open', () => {
  let found = 0;
  const property = fc.property(RACE, fc.constantFrom('win' as const, 'place' as const), (given, market) => {
    const books = given.books.map(({ bookmaker, age, win, place }) => ({
      ...{ bookmaker, polledAtMs: NOW_MS - age * 1000, sourceUrl: null, numbers: [2], win: [win], place: [place] },
      ...{ top2: [null], top3: [null], top4: [null], tote: null },
    }));
    const { market_status, market_state_source } = given;
    const race = { ...boardRace({ startMs: NOW_MS + given.startInMs, market_status, market_state_source }), books };
    const seen = alertPrice(race, 2, market, NOW_MS);
    expect(alertPrice(race, 1, market, NOW_MS)).toBeNull();

    const visible = books.filter(({ bookmaker }) => visibleToCustomers(bookmaker));
    const page = visibleRaceOf({ ...race, books: visible, jumped_at: null, left_board_at: null }, NOW_MS, true);
    const runner = page.runners.find(({ number }) => number === 2)!;
    const isOpen = stateOf(page, NOW_MS) === 'open';
    const takeable = page.books.flatMap((book) => {
      const price = book[market][0];
      const isSuspect = runner[market].suspects.some(({ bookmaker }) => bookmaker === book.bookmaker);
      const isGood = isOpen && !book.stale && !isSuspect && isCompared(book.bookmaker);
      return price == null || !isGood ? [] : [{ ...book, price }];
    });
    expect(seen === null).toBe(takeable.length === 0);
    if (seen === null) return;
    found += 1;
    expect(takeable).toContainEqual(expect.objectContaining(seen));
    // A greater one is left out only where it is a placeholder beside the fresh ones alone.
    const greater = takeable.filter(({ price }) => price > seen.price);
    expect(
      greater.every(({ price }) => price >= 21 && price >= 4 * Math.min(...takeable.map((one) => one.price))),
    ).toBe(true);
  });
  fc.assert(property, { numRuns: runs(6_000) });
  expect(found).toBeGreaterThan(100);
});
