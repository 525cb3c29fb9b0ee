import fc from 'fast-check';
import { SIGNALS, signalOf } from '../../../../src/domain/market/intelligence/signal';

const counts = (withHistory: number, firming: number, drifting: number) => {
  return { withHistory, firming, drifting, unchanged: withHistory - firming - drifting };
};

test.each([
  [-15, counts(10, 6, 0), 'strong_firm'],
  [-14.999, counts(10, 10, 0), 'firm'],
  [-15, counts(10, 5, 5), 'firm'],
  [-40, counts(10, 4, 6), 'steady'],
  [-7, counts(10, 5, 5), 'firm'],
  [-6.999, counts(10, 10, 0), 'steady'],
  [-7, counts(10, 4, 0), 'steady'],
  [0, counts(10, 0, 0), 'steady'],
  [6.999, counts(10, 0, 10), 'steady'],
  [7, counts(10, 5, 5), 'drift'],
  [14.999, counts(10, 0, 10), 'drift'],
  [15, counts(10, 0, 6), 'strong_drift'],
  [15, counts(10, 4, 5), 'drift'],
  [15, counts(10, 6, 4), 'steady'],
  // 0.6 and 0.5 of a number of books need not be whole: 3 of 5 reach 0.6, 4 of 7 do not; 2 of 5 do not reach 0.5, 3 of
  // 5 do.
  [-20, counts(5, 3, 0), 'strong_firm'],
  [-20, counts(7, 4, 0), 'firm'],
  [-8, counts(5, 2, 0), 'steady'],
  [-8, counts(5, 3, 0), 'firm'],
  [-7, counts(3, 3, 0), 'firm'],
  [-7, counts(2, 2, 0), 'insufficient'],
  [7, counts(2, 0, 0), 'insufficient'],
  [-6.999, counts(0, 0, 0), 'steady'],
  [null, counts(10, 10, 0), 'insufficient'],
])('a move of %d percent with %j is %s', (move, breadth, expected) => expect(signalOf(move, breadth)).toBe(expected));

test('a boundary includes its floating-point neighbours', () => {
  expect((0.85 - 1) * 100).toBeGreaterThan(-15.0000000000001);
  expect(signalOf((8.5 / 10 - 1) * 100 + 1e-12, counts(10, 6, 0))).toBe('strong_firm');
  expect(signalOf(-15 + 1e-12, counts(10, 6, 0))).toBe('strong_firm');
  expect(signalOf(7 - 1e-12, counts(10, 0, 5))).toBe('drift');
});

/** The contract's rules, one by one. */
function classes(move: number | null, { withHistory: n, firming, drifting }: ReturnType<typeof counts>): string[] {
  if (move === null || (Math.abs(move) >= 7 && n < 3)) return ['insufficient'];
  const strongFirm = move <= -15 && firming * 10 >= n * 6;
  const firm = !strongFirm && move <= -7 && firming * 10 >= n * 5;
  const strongDrift = move >= 15 && drifting * 10 >= n * 6;
  const drift = !strongDrift && move >= 7 && drifting * 10 >= n * 5;
  const named = Object.entries({ strong_firm: strongFirm, firm, strong_drift: strongDrift, drift });
  const matching = named.filter(([, matches]) => matches).map(([name]) => name);
  return matching.length === 0 ? ['steady'] : matching;
}

test('every move and every count has exactly one signal, as the rule states', () => {
  const move = fc.oneof(
    fc.constant(null),
    fc.double({ min: -99.99, max: 10_000, noNaN: true }),
    fc.constantFrom(-15, -7, 0, 7, 15),
    // Near the boundaries, but further than the tolerance.
    fc.tuple(fc.constantFrom(-15, -7, 7, 15), fc.constantFrom(-1e-6, 1e-6)).map(([at, by]) => at + by),
  );
  const breadth = fc.tuple(fc.nat(10), fc.nat(10), fc.nat(10)).map(([firming, drifting, unchanged]) => ({
    firming,
    drifting,
    unchanged,
    withHistory: firming + drifting + unchanged,
  }));
  fc.assert(
    fc.property(move, breadth, (pct, books) => {
      const matching = classes(pct, books);
      expect(matching).toHaveLength(1);
      expect(SIGNALS).toContain(signalOf(pct, books));
      expect(signalOf(pct, books)).toBe(matching[0]);
    }),
  );
});
