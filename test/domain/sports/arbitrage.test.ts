// Exact sums: an arb pays the same whichever outcome wins, and a set of prices that is not an arb is never one.
import fc from 'fast-check';
import { arbitrage } from '../../../src/domain/sports/arbitrage';

test.each<[readonly number[], number | null]>([
  [[2, 2], null],
  [[2.01, 2], 0.24],
  [[1.91, 2.12], 0.47],
  [[1.9, 1.9], null],
  [[3.3, 3.3, 3], 6.45],
  [[3.3, 3.4, 2.9], 6.15],
  [[3, 3, 3], null],
  // Their binary sums are off by a bit: 1/3 + 1/6 + 1/2 is exactly 1.
  [[3, 6, 2], null],
  [[1.1, 11], null],
  // Less than a hundredth of a percent.
  [[2.0001, 2], null],
  [[1_000_000, 1.000002], 0],
])('%j: %s', (prices, profit) => {
  expect(arbitrage(prices)?.profitPct ?? null).toBe(profit === 0 ? null : profit);
});

/** As books write them. */
const price = fc.integer({ min: 101, max: 20_000 }).map((hundredths) => hundredths / 100);

test('an arb’s stakes are 100, and every outcome pays as stated, up to the rounding of the stakes', () => {
  let arbs = 0;
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 3 }), (prices) => {
      const arb = arbitrage(prices);
      const sum = prices.reduce((all, one) => all + 1 / one, 0);
      if (arb === null) return sum > 1 - 1.1e-4;
      arbs++;
      const stakes = arb.stakes.reduce((all, stake) => all + stake, 0);
      expect(stakes).toBeCloseTo(100, 8);
      expect(arb.profitPct).toBeLessThanOrEqual((1 / sum - 1) * 100 + 1e-9);
      expect(arb.profitPct).toBeGreaterThan((1 / sum - 1) * 100 - 0.0101);
      prices.forEach((one, i) => {
        const promised = arb.profitPct - one * 1e-4 - 0.01;
        expect(arb.stakes[i]! * one - 100).toBeGreaterThan(promised);
        expect(Math.abs(arb.profits[i]! - (arb.stakes[i]! * one - 100))).toBeLessThan(0.0101);
      });
      return true;
    }),
    { numRuns: 2000 },
  );
  expect(arbs).toBeGreaterThan(200);
});

test('the order of the outcomes changes nothing but the order of the stakes', () => {
  fc.assert(
    fc.property(price, price, (one, other) => {
      const there = arbitrage([one, other]);
      const back = arbitrage([other, one]);
      expect(back?.profitPct).toBe(there?.profitPct);
    }),
  );
});
