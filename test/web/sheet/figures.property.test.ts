// What the browser makes of a table's figures: the order of its rows and the return of a stake, the same module that
// pages load. Money is whole cents at every step.
import fc from 'fast-check';
import { nextSort, orderOf, returnCents, stakeCents } from '../../../src/web/assets/figures.mjs';
import { dollarsText } from '../../../src/web/assets/format.mjs';
import { runs } from '../../support/property';

const figure = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 101, max: 100_000 }).map((cents) => String(cents / 100)) },
  fc.integer({ min: -60, max: 60 }).map(String),
  fc.constant(''),
);

const numbersOf = (values: readonly string[]): string[] => values.map((_, i) => String(i + 1));

test('no row without a figure stands above one with a figure, in either direction; equal rows are by number', () => {
  fc.assert(
    fc.property(fc.array(figure, { maxLength: 24 }), fc.boolean(), (values, down) => {
      const order = orderOf(values, down, numbersOf(values));
      expect([...order].sort((a, b) => a - b)).toEqual(values.map((_, i) => i));
      order.forEach((place, i) => {
        const next = order[i + 1];
        if (next === undefined) return;
        const [here, below] = [values[place]!, values[next]!];
        if (here === '') expect(below).toBe('');
        if (here === below) expect(next).toBeGreaterThan(place);
        if (here === '' || below === '') return;
        const difference = Number(below) - Number(here);
        expect(down ? -difference : difference).toBeGreaterThanOrEqual(0);
      });
    }),
    { numRuns: runs(2000) },
  );
});

test('a refresh moves nothing: in whatever order the rows stand, they come to the same one', () => {
  const rows = fc
    .array(figure, { maxLength: 24 })
    .map((values) => values.map((value, i) => ({ value, number: String(i + 1) })));
  const sortedBy = (all: readonly { value: string; number: string }[], down: boolean) =>
    orderOf(
      all.map(({ value }) => value),
      down,
      all.map(({ number }) => number),
    ).map((at) => all[at]!.number);
  const shuffled = rows.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, fc.boolean(), ([served, standing], down) =>
      expect(sortedBy(standing, down)).toEqual(sortedBy(served, down)),
    ),
    { numRuns: runs(1000) },
  );
});

test('names are in the order of the alphabet, and a press more turns a column, then lets it go', () => {
  const names = ['Zed', "A'Dell", '', 'mona'];
  expect(orderOf(names, false, numbersOf(names))).toEqual([1, 3, 0, 2]);
  const first = nextSort(null, 't30');
  expect(first).toEqual({ by: 't30', down: false });
  const second = nextSort(first, 't30');
  expect(second).toEqual({ by: 't30', down: true });
  expect(nextSort(second, 't30')).toBeNull();
  expect(nextSort(second, 'win')).toEqual({ by: 'win', down: false });
});

/** The same product by fractions of whole numbers, from the price as it was made. */
const money = fc.record({
  cents: fc.bigInt({ min: 1n, max: 100_000_000n }),
  scaled: fc.bigInt({ min: 1001n, max: 1_000_000_000n }),
  decimals: fc.integer({ min: 0, max: 3 }),
});

test('a return is the whole product to the cent, rounded down, whatever the decimals of the price', () => {
  fc.assert(
    fc.property(money, ({ cents, scaled, decimals }) => {
      const digits = String(scaled).padStart(decimals + 1, '0');
      const price = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
      const returned = returnCents(cents, price)!;
      const scale = 10n ** BigInt(decimals);
      const rest = cents * scaled - returned * scale;
      expect(rest >= 0n && rest < scale).toBe(true);
      expect(stakeCents(dollarsText(cents))).toBe(cents);
    }),
    { numRuns: runs(2000) },
  );
});

test.each([
  // 1.15 x 3 = 3.4499999999999997, 4.35 x 100 = 434.99999999999994 in binary.
  ['3', '1.15', '$3.45'],
  ['100', '4.35', '$435.00'],
  ['0.10', '1.01', '$0.10'],
  ['1,000', '1904.1', '$1,904,100.00'],
])('a stake of %s at %s returns %s', (stake, price, text) => {
  expect(dollarsText(returnCents(stakeCents(stake)!, price)!)).toBe(text);
});

test.each(['', '0', '-5', '1e3', '5.555', 'ten', '1,00', '1000000.01', '٥', 'NaN'])('%j is no stake', (text) => {
  expect(stakeCents(text)).toBeNull();
});

test.each(['', '–', '4.2e1', 'Infinity', '-2'])('%j is no price: it returns nothing', (price) => {
  expect(returnCents(1000n, price)).toBeNull();
});
