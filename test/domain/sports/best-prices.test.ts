import { bestPrices, MOST_LINES } from '../../../src/domain/sports/best-prices';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';

const total = (key: string, point: number, [home, away]: readonly (number | null)[], ageMs = 60_000) =>
  book(key, [priced('totals', { home: home!, away: away!, homePoint: point, awayPoint: point })], {
    observedAtMs: NOW_MS - ageMs,
  });
const rows = (books: Parameters<typeof pricedMatch>[0]) =>
  bestPrices(pricedMatch(books), 'totals', NOW_MS).map(({ name, point, best }) => [
    name,
    point,
    best.price,
    best.book.bookmaker,
  ]);

test('of lines the most common comes first, then the nearest to the median, and three are shown', () => {
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

test('of equal prices the newer is best; a side without a price is left out; a suspect price comes last', () => {
  expect(rows([total('tab', 40.5, [1.9, null], 90_000), total('neds', 40.5, [1.9, null])])).toEqual([
    ['Over', 40.5, 1.9, 'neds'],
  ]);
  // 19 for 1.9: together with 1.9 less than 100 %.
  expect(rows([total('tab', 40.5, [19, 1.9]), total('neds', 40.5, [1.8, 1.85])])).toEqual([
    ['Over', 40.5, 1.8, 'neds'],
    ['Under', 40.5, 1.85, 'neds'],
  ]);
});
