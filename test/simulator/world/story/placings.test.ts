// Any change to an order of finish leaves a ranking of the same runners.
import fc from 'fast-check';
import type { Placing } from '../../../../src/simulator/world/race';
import { afterMishaps } from '../../../../src/simulator/world/story/mishaps';
import { firstPairSwapped, levelAtFirst, without } from '../../../../src/simulator/world/story/placings';

const placing = (position: number, number: number, margin: number): Placing => ({ position, number, margin });
const order = (placings: readonly Placing[]): string =>
  placings.map(({ position, number, margin }) => `${position}:${number}+${margin}`).join(' ');
const CLEAR = [placing(1, 7, 0), placing(2, 5, 0.3), placing(3, 4, 1.5), placing(4, 2, 1.6)];
const LEVEL = [placing(1, 7, 0), placing(1, 5, 0), placing(3, 4, 1.5), placing(4, 2, 1.6)];

/** Any field: some runners level with the previous one, the others behind it. */
const fields = fc
  .array(fc.record({ level: fc.boolean(), gap: fc.integer({ min: 1, max: 40 }) }), { maxLength: 14 })
  .map((steps) => {
    const placings: Placing[] = [placing(1, 1, 0)];
    for (const [i, { level, gap }] of steps.entries()) {
      const last = placings.at(-1)!;
      placings.push(
        level ? { ...last, number: i + 2 } : placing(i + 2, i + 2, Math.round(last.margin * 10 + gap) / 10),
      );
    }
    return placings;
  });

function expectRanking(placings: readonly Placing[], runners: readonly number[]): void {
  expect(placings.map((row) => row.number).sort((a, b) => a - b)).toEqual([...runners].sort((a, b) => a - b));
  for (const [i, { position, margin }] of placings.entries()) {
    expect(position).toBe(1 + placings.filter((other) => other.position < position).length);
    const before = placings[i - 1];
    expect(before ? before.position <= position && before.margin <= margin : margin === 0).toBe(true);
  }
}

const numbersOf = (placings: readonly Placing[]): number[] => placings.map((row) => row.number);

test('a swap, a level finish, runners taken out: each leaves a ranking of the remaining runners', () => {
  fc.assert(
    fc.property(fields, fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 4 }), (placings, gone) => {
      expectRanking(placings, numbersOf(placings));
      expectRanking(firstPairSwapped(placings), numbersOf(placings));
      expectRanking(levelAtFirst(placings), numbersOf(placings));
      const left = numbersOf(placings).filter((number) => !gone.includes(number));
      expectRanking(without(placings, gone), left);
    }),
  );
});

test('the best two that are not level swap places', () => {
  expect(order(firstPairSwapped(CLEAR))).toBe('1:5+0 2:7+0.3 3:4+1.5 4:2+1.6');
  expect(order(firstPairSwapped(LEVEL))).toBe('1:7+0 1:4+0 3:5+1.5 4:2+1.6');
  expect(firstPairSwapped([])).toEqual([]);
});

test('the first two become level, and runners level behind them move down', () => {
  expect(order(levelAtFirst(CLEAR))).toBe(order([...LEVEL.slice(0, 2), ...CLEAR.slice(2)]));
  expect(order(levelAtFirst([placing(1, 7, 0), placing(2, 5, 1), placing(2, 4, 1), placing(4, 2, 2)]))).toBe(
    '1:7+0 1:5+0 3:4+1 4:2+2',
  );
});

test('without the winner the margins are behind the second; without one of two level runners the other is alone', () => {
  expect(order(without(CLEAR, [7]))).toBe('1:5+0 2:4+1.2 3:2+1.3');
  expect(order(without(LEVEL, [5]))).toBe('1:7+0 2:4+1.5 3:2+1.6');
});

test('a fallen runner has no place, a tailed-off one is last by a distance', () => {
  expect(order(afterMishaps(CLEAR, [{ number: 4, what: 'Fell' }]))).toBe('1:7+0 2:5+0.3 3:2+1.6');
  expect(order(afterMishaps(CLEAR, [{ number: 2, what: 'TailedOff' }]))).toBe('1:7+0 2:5+0.3 3:4+1.5 4:2+26.6');
});
