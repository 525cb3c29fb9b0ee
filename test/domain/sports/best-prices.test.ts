import { bestPrices, MOST_LINES } from '../../../src/domain/sports/best-prices';
import type { MatchMarket } from '../../../src/domain/sports/sports';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';

const total = (key: string, point: number, [home, away]: readonly (number | null)[], ageMs = 60_000) =>
  book(key, [priced('totals', { home: home!, away: away!, homePoint: point, awayPoint: point })], {
    observedAtMs: NOW_MS - ageMs,
  });
const rows = (books: Parameters<typeof pricedMatch>[0], market: MatchMarket = 'totals') =>
  bestPrices(pricedMatch(books), market, NOW_MS).map(({ name, point, best }) => [
    name,
    point,
    best?.price ?? null,
    best?.book.bookmaker ?? null,
  ]);

test('the most common line comes first, then the nearest to the median, and three are shown', () => {
  const found = rows([
    total('tab', 44.5, [1.9, 1.9]),
    total('neds', 41.5, [1.9, 1.9]),
    total('unibet', 40.5, [1.85, 1.95]),
    total('sportsbet', 40.5, [1.9, 1.9]),
    total('betr_au', 38.5, [1.9, 1.9]),
  ]);
  expect(found.map(([, point]) => point)).toEqual([40.5, 40.5, 41.5, 41.5, 38.5, 38.5]);
  expect(new Set(found.map(([, point]) => point)).size).toBe(MOST_LINES);
  expect(found.slice(0, 2)).toEqual([
    ['Over', 40.5, 1.9, 'sportsbet'],
    ['Under', 40.5, 1.95, 'unibet'],
  ]);
});

test('the newest of equal prices is best; suspect prices come last', () => {
  expect(rows([total('tab', 40.5, [1.9, null], 90_000), total('neds', 40.5, [1.9, null])])).toEqual([
    ['Over', 40.5, 1.9, 'neds'],
    ['Under', 40.5, null, null],
  ]);
  // 19 instead of 1.9: together with 1.9 it sums to less than 100 %.
  expect(rows([total('tab', 40.5, [19, 1.9]), total('neds', 40.5, [1.8, 1.85])])).toEqual([
    ['Over', 40.5, 1.8, 'neds'],
    ['Under', 40.5, 1.85, 'neds'],
  ]);
});

test('both sides are listed if one has a price; lines with both prices come first, those without any are left out', () => {
  const books = [
    total('tab', 40.5, [null, 1.9]),
    total('neds', 40.5, [null, 1.95]),
    total('unibet', 44.5, [1.8, 2]),
    total('sportsbet', 42.5, [null, null]),
  ];
  expect(rows(books)).toEqual([
    ['Over', 44.5, 1.8, 'unibet'],
    ['Under', 44.5, 2, 'unibet'],
    ['Over', 40.5, null, null],
    ['Under', 40.5, 1.95, 'neds'],
  ]);
  const spread = (homePoint: number) =>
    book('tab', [priced('spreads', { home: 1.9, away: null, homePoint, awayPoint: 0 - homePoint })]);
  expect(rows([spread(-2.5)], 'spreads').map(([, point, price]) => [point, price])).toEqual([
    [-2.5, 1.9],
    [2.5, null],
  ]);
  // Not -0.
  expect(rows([spread(0)], 'spreads')[1]![1]).toBe(0);
  const headToHead = (home: number | null) => rows([book('tab', [priced('h2h', { home, away: 2 })])], 'h2h');
  expect(headToHead(null).map(([, , price]) => price)).toEqual([null, 2]);
  expect(rows([book('tab', [priced('h2h', { home: null, away: null })])], 'h2h')).toEqual([]);
});
