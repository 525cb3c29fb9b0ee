// From change-only lines to columns on one axis: a price stays until the next, a withdrawn price leaves a gap, and
// nothing is older than an hour.
import { chartColumns } from '../../src/web/assets/chart-columns.mjs';
import type { ChartData } from '../../src/web/chart-data';

interface Shown {
  readonly name: string;
  readonly from: number;
  readonly until: number;
  readonly columns: readonly (readonly (number | null)[])[];
}

const BASE = 10_000;
const data: ChartData = {
  base: BASE,
  start: BASE + 4000,
  jumped: null,
  books: ['TAB', 'Neds', 'Dabble'],
  runners: [
    {
      number: 4,
      name: 'Jade',
      best: [
        [0, 600],
        [5, 4.8],
      ],
      consensus: null,
      books: [
        [
          [0, 600],
          [5, 4.6],
        ],
        [
          [300, 900],
          [4.8, null],
        ],
        null,
      ],
    },
  ],
};
const shown = (until: number, number = 4): Shown | null => chartColumns(data, number, BASE + until);

test('a price holds until the next; before a book began and after it ended there is a gap', () => {
  const { from, until, columns, name } = shown(1200)!;
  expect([name, from, until]).toEqual(['Jade', BASE, BASE + 1200]);
  expect(columns).toEqual([
    [0, 300, 600, 900, 1200].map((at) => BASE + at),
    [5, 5, 4.6, 4.6, 4.6],
    [null, 4.8, 4.8, null, null],
    [null, null, null, null, null],
    [null, null, null, null, null],
    [5, 5, 4.8, 4.8, 4.8],
  ]);
});

test('at most an hour is shown: the price at its beginning is its first', () => {
  const { from, columns } = shown(4300)!;
  expect(from).toBe(BASE + 700);
  expect(columns[0]).toEqual([700, 900, 4300].map((at) => BASE + at));
  expect(columns[1]).toEqual([4.6, 4.6, 4.6]);
});

test('a capture that has just begun is drawn over two minutes', () => {
  expect(shown(10)!.from).toBe(BASE - 110);
});

test('after the jump nothing changes: the lines end there', () => {
  const ran = { ...data, jumped: BASE + 1200 };
  expect(chartColumns(ran, 4, BASE + 1300)).toEqual(chartColumns(data, 4, BASE + 1200));
});

test('a runner that is not drawn has no columns', () => {
  expect(shown(100, 9)).toBeNull();
});
