import { readMarket, swapped } from '../../../src/domain/sports/read-market';
import type { MatchMarket } from '../../../src/domain/sports/sports';

const NAMES = { sportKey: 'nrl', home: 'Brisbane Broncos', away: 'Storm' };
const read = (market: MatchMarket, ...selections: [string, number | null, number?][]) =>
  readMarket(
    market,
    selections.map(([name, price, point]) => ({ name, price, point: point ?? null })),
    NAMES,
  );

test('sides are found by name, whatever their order and spelling', () => {
  expect(read('h2h', ['Draw', 21], ['Melbourne Storm', 2.1], ['Broncos', 1.8])).toEqual({
    prices: { home: 1.8, draw: 21, away: 2.1, homePoint: null, awayPoint: null },
    dropped: [],
  });
  expect(read('spreads', ['Storm', 1.9, 4.5], ['Brisbane Broncos', 1.95, -4.5]).prices).toEqual({
    home: 1.95,
    draw: null,
    away: 1.9,
    homePoint: -4.5,
    awayPoint: 4.5,
  });
  expect(read('totals', ['under 40.5', 1.85, 40.5], ['OVER 40.5', 2, 40.5]).prices).toEqual({
    home: 2,
    draw: null,
    away: 1.85,
    homePoint: 40.5,
    awayPoint: 40.5,
  });
});

test.each<[string, ReturnType<typeof readMarket>]>([
  ['h2h_unknown_selection', read('h2h', ['Broncos', 2], ['Eels', 2])],
  ['h2h_repeated_selection', read('h2h', ['Broncos', 2], ['Brisbane', 2])],
  ['h2h_missing_side', read('h2h', ['Broncos', 2], ['Draw', 20])],
  ['h2h_missing_side', read('h2h')],
  ['h2h_draw_not_priced', read('h2h', ['Broncos', 2.5], ['Draw', 0], ['Storm', 1.6])],
  ['h2h_draw_not_priced', read('h2h', ['Broncos', 2.5], ['Draw', 1], ['Storm', null])],
  ['spreads_unknown_selection', read('spreads', ['Broncos', 2, 1], ['Draw', 2, -1])],
  ['spreads_missing_point', read('spreads', ['Broncos', 2, 1], ['Storm', 2])],
  ['spreads_points_differ', read('spreads', ['Broncos', 2, 1.5], ['Storm', 2, 1.5])],
  ['totals_points_differ', read('totals', ['Over', 2, 41.5], ['Under', 2, 40.5])],
  ['totals_unknown_selection', read('totals', ['Overtime', 2, 41.5], ['Under', 2, 41.5])],
])('%s leaves the market out', (reason, found) => {
  expect(found).toEqual({ prices: null, dropped: [reason] });
});

test('a value that is not a price is left out alone; null and 0 are not quoted', () => {
  expect(read('h2h', ['Broncos', 1], ['Storm', 2])).toMatchObject({
    prices: { home: null, away: 2 },
    dropped: ['h2h_not_a_price'],
  });
  expect(read('h2h', ['Broncos', 0], ['Storm', null], ['Draw', 0])).toMatchObject({
    prices: { home: null, away: null },
    dropped: [],
  });
});

test('turning twice gives the original', () => {
  const { prices } = read('spreads', ['Storm', 1.9, 4.5], ['Broncos', 1.95, -4.5]);
  expect(swapped(prices!)).toEqual({ home: 1.9, draw: null, away: 1.95, homePoint: 4.5, awayPoint: -4.5 });
  expect(swapped(swapped(prices!))).toEqual(prices);
});
