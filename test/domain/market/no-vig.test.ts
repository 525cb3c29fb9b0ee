// The golden numbers of maths.md, and properties over the whole range of D23, compared with an independent bisection.
import fc from 'fast-check';
import { booksum, type Normalisation, withoutMargin } from '../../../src/domain/market/no-vig';
import { runs } from '../../support/property';

const GOLDEN = [
  {
    prices: [2.6, 2.4, 4.3],
    booksum: 1.03384019081694,
    multiplicative: [0.372025955299207, 0.403028118240808, 0.224945926459986],
    power: [0.372984404068709, 0.405107167456798, 0.221908428474493],
  },
  {
    prices: [1.5, 2.74],
    booksum: 1.0316301703163,
    multiplicative: [0.64622641509434, 0.35377358490566],
    power: [0.653152279805392, 0.346847720194608],
  },
  {
    prices: [2.8, 3.9, 6, 8, 11, 17, 26, 51],
    booksum: 1.11302178213943,
    multiplicative: [
      0.320876790440133, 0.230373080315993, 0.149742502205395, 0.112306876654047, 0.0816777284756703,
      0.0528502948960219, 0.034555962047399, 0.0176167649653406,
    ],
    power: [
      0.334171816887356, 0.234839673933368, 0.148458474796867, 0.109294724538826, 0.0778693515046977,
      0.0489895350787724, 0.0311648110365876, 0.0152116122235248,
    ],
  },
  {
    prices: [2.2, 3.6, 4.6],
    booksum: 0.949714536671058,
    multiplicative: [0.478612716763006, 0.292485549132948, 0.228901734104046],
    power: [0.471612661834492, 0.294920146729408, 0.2334671914361],
  },
];

const EXACT = 1e-12;
const METHODS: readonly Normalisation[] = ['power', 'multiplicative'];

/** Long fields of short prices, short fields of long ones, price ladders of books, and both extremes at once. */
const price = fc.oneof(
  fc.double({ min: 1.01, max: 1001, noNaN: true }),
  fc.double({ min: Math.log(1.01), max: Math.log(1001), noNaN: true }).map((l) => Math.min(1001, Math.exp(l))),
  fc.integer({ min: 101, max: 2_000 }).map((cents) => cents / 100),
  fc.constantFrom(1.01, 1001),
);
const field = fc.oneof(
  fc.array(price, { minLength: 2, maxLength: 40 }),
  fc.tuple(price, fc.integer({ min: 2, max: 40 })).map(([one, size]) => new Array<number>(size).fill(one)),
);
const fieldAndMethod = fc.tuple(field, fc.constantFrom(...METHODS));

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const solved = (prices: readonly number[], method: Normalisation): readonly number[] => withoutMargin(prices, method)!;

/** Halves the bracket of the exponent until doubles have no midpoint: another way to the same root. */
function byBisection(prices: readonly number[]): number[] {
  const logs = prices.map(Math.log);
  const total = (k: number) => sum(logs.map((l) => Math.exp(-k * l)));
  let low = 0;
  let high = 1;
  while (total(high) > 1) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (total(middle) > 1) low = middle;
    else high = middle;
  }
  return logs.map((l) => Math.exp(-low * l));
}

describe('golden numbers', () => {
  test.each(GOLDEN)('$prices', ({ prices, ...golden }) => {
    expect(Math.abs(booksum(prices) - golden.booksum)).toBeLessThan(EXACT);
    for (const method of METHODS) {
      const found = solved(prices, method);
      expect(found).toHaveLength(prices.length);
      found.forEach((p, i) => {
        expect(Math.abs(p - golden[method][i]!)).toBeLessThan(EXACT);
      });
    }
  });
});

describe('input without a solution', () => {
  test.each([[[]], [[1]], [[2, 1]], [[2, 0.5, 4]], [[2, 0]], [[2, -3]], [[2, Number.NaN]], [[2, Infinity]]])(
    '%j',
    (prices) => {
      for (const method of METHODS) expect(withoutMargin(prices, method)).toBeNull();
    },
  );

  test('the probability of a single remaining runner is 1, whatever its price', () => {
    for (const method of METHODS) {
      expect(withoutMargin([1.04], method)).toEqual([1]);
      expect(withoutMargin([1001], method)).toEqual([1]);
    }
  });

  test('a field larger than any race is solved too', () => {
    const many = new Array<number>(200).fill(150);
    for (const method of METHODS) for (const p of solved(many, method)) expect(p).toBeCloseTo(1 / 200, 14);
  });
});

describe('properties, over 2 to 40 runners from 1.01 to 1001', () => {
  test('probabilities are between 0 and 1 and sum to 1', () => {
    fc.assert(
      fc.property(fieldAndMethod, ([prices, method]) => {
        const found = solved(prices, method);
        expect(Math.abs(sum(found) - 1)).toBeLessThan(EXACT);
        for (const p of found) expect(p > 0 && p < 1).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('power equals the root found by bisection', () => {
    fc.assert(
      fc.property(field, (prices) => {
        const found = solved(prices, 'power');
        byBisection(prices).forEach((p, i) => {
          expect(Math.abs(found[i]! - p)).toBeLessThan(EXACT);
        });
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a shorter price is never the smaller probability', () => {
    fc.assert(
      fc.property(fieldAndMethod, ([prices, method]) => {
        const ordered = [...prices].sort((a, b) => a - b);
        const found = solved(ordered, method);
        for (let i = 1; i < found.length; i++) {
          if (ordered[i - 1] === ordered[i]) expect(found[i]).toBe(found[i - 1]);
          else expect(found[i]!).toBeLessThanOrEqual(found[i - 1]!);
        }
      }),
    );
  });

  test('the order of the runners does not matter', () => {
    const shuffled = field.chain((prices) =>
      fc.tuple(fc.constant(prices), fc.shuffledSubarray([...prices.keys()], { minLength: prices.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(...METHODS), ([prices, order], method) => {
        const found = solved(prices, method);
        const moved = solved(
          order.map((i) => prices[i]!),
          method,
        );
        order.forEach((i, at) => {
          expect(Math.abs(moved[at]! - found[i]!)).toBeLessThan(EXACT);
        });
      }),
    );
  });

  test('without a margin every price is its own probability', () => {
    fc.assert(
      fc.property(field, fc.constantFrom(...METHODS), (prices, method) => {
        const fair = solved(prices, 'multiplicative');
        fc.pre(fair.every((p) => p < 0.99));
        solved(
          fair.map((p) => 1 / p),
          method,
        ).forEach((p, i) => {
          expect(Math.abs(p - fair[i]!)).toBeLessThan(EXACT);
        });
      }),
    );
  });

  test('compared with multiplicative, power favours the favourite of an over-round book, and the longest shot of an under-round one', () => {
    fc.assert(
      fc.property(field, (prices) => {
        const margin = booksum(prices) - 1;
        fc.pre(Math.abs(margin) > 1e-6 && Math.max(...prices) / Math.min(...prices) > 1.01);
        const power = solved(prices, 'power');
        const multiplicative = solved(prices, 'multiplicative');
        const gains = (at: number) => Math.sign(power[at]! - multiplicative[at]!);
        expect(gains(prices.indexOf(Math.min(...prices)))).toBe(Math.sign(margin));
        expect(gains(prices.indexOf(Math.max(...prices)))).toBe(-Math.sign(margin));
      }),
    );
  });

  test('one more runner at an existing price lowers every probability', () => {
    fc.assert(
      fc.property(field, fc.nat(), fc.constantFrom(...METHODS), (prices, which, method) => {
        const before = solved(prices, method);
        const after = solved([...prices, prices[which % prices.length]!], method);
        // A double cannot show the difference if the new runner is nearly impossible, or the old one is close to the
        // smallest double.
        const visible = after.at(-1)! > 1e-9;
        before.forEach((p, i) => {
          if (visible && p > 1e-300) expect(after[i]!).toBeLessThan(p);
          else expect(after[i]!).toBeLessThan(p + EXACT);
        });
      }),
    );
  });

  test('no call affects the next', () => {
    fc.assert(
      fc.property(fieldAndMethod, field, ([prices, method], other) => {
        const first = [...solved(prices, method)];
        withoutMargin(other, 'power');
        expect(solved(prices, method)).toEqual(first);
      }),
    );
  });
});
