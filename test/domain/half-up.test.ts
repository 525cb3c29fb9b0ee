// Compared with whole-number arithmetic on the decimal text, which is exact.
import fc from 'fast-check';
import { roundPct, roundProbability } from '../../src/api/wire/rounded';
import { halfUp } from '../../src/domain/half-up';
import { runs } from '../support/property';

/** `digits` with a point before the last `decimals` of them, rounded to `kept` decimals. */
function onText(digits: bigint, decimals: number, kept: number, towards: 'up' | 'away'): number {
  const step = 10n ** BigInt(decimals - kept);
  const [size, isNegative] = digits < 0n ? [-digits, true] : [digits, false];
  const whole = size / step;
  const rest = 2n * (size % step);
  const isUp = rest > step || (rest === step && (towards === 'away' || !isNegative));
  const steps = isUp ? whole + 1n : whole;
  return Number(`${isNegative && steps > 0n ? '-' : ''}${steps}e-${kept}`);
}

interface Decimal {
  readonly digits: bigint;
  /** Digits after the last kept one. */
  readonly more: number;
}

const any: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  more: fc.integer({ min: 0, max: 6 }),
});
/** A half, and the values next to it on either side. */
const half: fc.Arbitrary<Decimal> = fc
  .record({
    whole: fc.oneof(fc.bigInt({ min: -999n, max: 999n }), fc.bigInt({ min: -999_999_999n, max: 999_999_999n })),
    more: fc.integer({ min: 1, max: 6 }),
    beside: fc.constantFrom(-1n, 0n, 1n),
  })
  .map(({ whole, more, beside }) => ({
    digits: whole * 10n ** BigInt(more) + 5n * 10n ** BigInt(more - 1) + beside,
    more,
  }));

function holds(kept: number, rounded: (value: number) => number, towards: 'up' | 'away'): void {
  fc.assert(
    fc.property(fc.oneof(any, half), ({ digits, more }) => {
      const value = Number(`${digits}e-${kept + more}`);
      return Object.is(rounded(value), onText(digits, kept + more, kept, towards));
    }),
    { numRuns: runs(5_000) },
  );
}

test('rounds half up by the decimal text, for every size and sign', () => {
  for (const kept of [0, 2, 3]) holds(kept, (value) => halfUp(value, 10 ** kept), 'up');
});

test('the rounding is symmetric about 0', () => {
  holds(2, roundPct, 'away');
  holds(12, roundProbability, 'away');
});

test.each([
  [4.425, 4.43],
  [1.005, 1.01],
  [8.575, 8.58],
  [-1.845, -1.85],
  [-0.004, 0],
  // Results of arithmetic near 3.015 and 0.125.
  [1.005 * 3, 3.02],
  [100 * (8.01 / 8 - 1), 0.13],
  [1.0049, 1],
])('%d is rounded to %d', (value, rounded) => expect(roundPct(value)).toBe(rounded));

test('null is null', () => expect(roundPct(null)).toBeNull());

test('a number with endless digits never moves by more than half a step', () => {
  const numbers = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(fc.property(numbers, (value) => Math.abs(roundPct(value) - value) <= 0.005 + 1e-8));
});
