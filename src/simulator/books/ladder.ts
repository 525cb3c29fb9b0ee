// The rungs on which prices are quoted. A book quotes no price between two rungs; each has its own spacing
// (profiles.ts).

/** Spacing of the rungs up to each bound, in hundredths: 1.01 to 1.20 by 0.01, and so on. */
type Spacing = readonly (readonly [upTo: number, step: number])[];

const LONG_PRICES = [21, 23, 26, 31, 34, 41, 51, 61, 71, 81, 101, 126, 151, 201, 251, 301, 401, 501];

function rungs(spacing: Spacing): readonly number[] {
  const prices: number[] = [];
  let hundredths = 101;
  for (const [upTo, step] of spacing) {
    for (; hundredths < upTo; hundredths = Math.ceil((hundredths + 1) / step) * step) prices.push(hundredths / 100);
  }
  return [...prices, ...LONG_PRICES];
}

export const LADDERS = {
  usual: rungs([
    [120, 1],
    [150, 2],
    [250, 5],
    [400, 10],
    [500, 20],
    [1000, 50],
    [2000, 100],
    [2001, 100],
  ]),
  fine: rungs([
    [120, 1],
    [300, 5],
    [500, 10],
    [700, 20],
    [1000, 25],
    [2000, 100],
    [2001, 100],
  ]),
  coarse: rungs([
    [150, 5],
    [400, 10],
    [500, 20],
    [1000, 50],
    [2000, 100],
    [2001, 100],
  ]),
} as const;
export type Ladder = keyof typeof LADDERS;

/** The rung nearest to the fair price by ratio, within the first and the last. */
export function rungNear(ladder: Ladder, price: number): number {
  const prices = LADDERS[ladder];
  let low = 0;
  let high = prices.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (prices[middle]! <= price) low = middle;
    else high = middle;
  }
  return price * price < prices[low]! * prices[high]! ? prices[low]! : prices[high]!;
}
