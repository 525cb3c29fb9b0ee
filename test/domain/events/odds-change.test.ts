import { BETWEEN_CHANGES_MS, hasMoved, mayAnnounce, runnerPrices } from '../../../src/domain/events/odds-change';

const runners = [
  { number: 1, name: 'Alpha' },
  { number: 2, name: 'Beta' },
];
const book = (bookmaker: string, win: (number | null)[], polledAtMs = 0) => ({
  bookmaker,
  polledAtMs,
  numbers: [1, 2],
  win,
});

describe('runnerPrices', () => {
  test('has every runner with its best price, and the last announced price under the same number and name', () => {
    const race = { runners, books: [book('tab', [3, null]), book('neds', [3.2, null])] };
    const announced = [
      { number: 1, name: 'Alpha', price: 3 },
      { number: 2, name: 'Another', price: 9 },
    ];
    expect(runnerPrices(race, announced)).toEqual([
      { number: 1, name: 'Alpha', best_win: { price: 3.2, bookmaker: 'neds' }, previous_price: 3 },
      { number: 2, name: 'Beta', best_win: null, previous_price: null },
    ]);
  });

  test('names the fresher of two books at one price, and leaves out a placeholder', () => {
    const books = [book('a', [3, 4], 1), book('b', [3, 4], 2), book('c', [3, 4]), book('d', [3, 101], 3)];
    expect(runnerPrices({ runners, books }, []).map(({ best_win }) => best_win)).toEqual([
      { price: 3, bookmaker: 'd' },
      { price: 4, bookmaker: 'b' },
    ]);
  });
});

describe('hasMoved', () => {
  const moved = (win: (number | null)[], announced: { number: number; name: string; price: number }[]) =>
    hasMoved(runnerPrices({ runners, books: [book('tab', win)] }, announced), announced);
  const alpha = { number: 1, name: 'Alpha', price: 3 };
  const beta = { number: 2, name: 'Beta', price: 4 };

  test.each([
    ['nothing', [3, 4], [alpha, beta], false],
    ['a price', [3.1, 4], [alpha, beta], true],
    ['a price that was taken back', [3, null], [alpha, beta], true],
    ['a price that came', [3, 4], [alpha], true],
    ['a runner that went', [3, 4], [alpha, beta, { number: 3, name: 'Gamma', price: 5 }], true],
    ['a number that passed to another runner', [3, 4], [alpha, { ...beta, name: 'Delta' }], true],
    ['nothing, before any price', [null, null], [], false],
  ])('%s', (_, win, announced, expected) => {
    expect(moved(win, announced)).toBe(expected);
  });
});

test('the next event of a race is due five seconds after the last, and at once before the first or after a clock was set back', () => {
  const lastMs = 1_000_000;
  expect([0, BETWEEN_CHANGES_MS - 1, BETWEEN_CHANGES_MS].map((ms) => mayAnnounce(lastMs, lastMs + ms))).toEqual([
    false,
    false,
    true,
  ]);
  expect([mayAnnounce(null, lastMs), mayAnnounce(lastMs, lastMs - 1)]).toEqual([true, true]);
});
