import fc from 'fast-check';
import { type ComparedPrice, compare, distance, faultOf } from '../../../src/domain/quality/comparison';
import { runs } from '../../support/property';

const runners = [1, 2, 3, 4].map((number) => ({ number, name: `Runner ${number}` }));
const market = 'win' as const;
const prices = (...of: (number | null)[]) =>
  new Map(of.flatMap((price, i): [number, number][] => (price === null ? [] : [[i + 1, price]])));
const faults = (cells: readonly ComparedPrice[]) => cells.map(faultOf);
const SAME = prices(2, 3, 4, 5);

test('a price agrees if it was served before the reading or is served after it', () => {
  const source = prices(2, 3.5, 4, null);
  const moved = { market, before: prices(2, 3, 4, 5), source, after: prices(2.2, 3.5, 4, null), runners };
  expect(faults(compare(moved))).toEqual([null, null, null, null]);
  expect(compare(moved).map(({ api }) => api)).toEqual([2, 3.5, 4, null]);
});

test('a price that agrees with neither is a difference, or missing on one side', () => {
  const cells = compare({
    market,
    before: SAME,
    source: prices(2, 3.5, null, 5),
    after: prices(2, 3, 4, null),
    runners: [...runners, { number: 5, name: 'Five' }],
  });
  expect(faults(cells)).toEqual([null, 'diff', 'missing_source', null, null]);
  const absent = compare({ market, before: prices(2), source: SAME, after: prices(2), runners });
  expect(faults(absent)).toEqual([null, 'missing_api', 'missing_api', 'missing_api']);
});

test('a runner that agreed in one reading stays settled; a runner scratched meanwhile is left out', () => {
  const first = compare({ market, before: SAME, source: prices(2, 9, 9, 9), after: SAME, runners });
  const second = compare(
    { market, before: SAME, source: prices(9, 3, 9, 9), after: SAME, runners: runners.slice(0, 3) },
    first,
  );
  expect(faults(second)).toEqual([null, null, 'diff']);
  expect(second[0]).toMatchObject({ api: 2, source: 2 });
});

test('a distance is exact to the sixth decimal, and absent for a missing price', () => {
  expect([distance(4.6, 4.2), distance(1.01, 1.01), distance(null, 3), distance(3, null)]).toEqual([
    0.4,
    0,
    null,
    null,
  ]);
});

test('however prices move, a book that is stored as it is read never differs', () => {
  const price = fc.option(fc.integer({ min: 2, max: 40 }), { nil: null });
  const field = fc.tuple(price, price, price, price);
  fc.assert(
    fc.property(field, field, fc.boolean(), (old, young, movedBefore) => {
      const before = prices(...old);
      const after = prices(...young);
      const source = movedBefore ? after : before;
      expect(faults(compare({ market, before, source, after, runners }))).toEqual([null, null, null, null]);
    }),
    { numRuns: runs(500) },
  );
});
