// Stakes on every outcome of a bet that return more than they cost, whichever wins. In whole numbers, so that rounding
// neither makes an arb nor hides one.

export interface Arb {
  /** Of the stakes, rounded down to hundredths; at least 0.01. */
  readonly profitPct: number;
  /** For each price, in parts of 100, rounded to ten-thousandths; they add up to 100. */
  readonly stakes: readonly number[];
  /** The profit over the 100 if this outcome wins, rounded down to hundredths. */
  readonly profits: readonly number[];
}

/** Stakes are counted in these. */
const PARTS = 1_000_000n;
const PARTS_OF_ONE = 10_000;

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** A price exactly as it was sent: its decimal text. */
function fractionOf(price: number): Fraction {
  const [whole, decimals = ''] = String(price).split('.');
  return { over: BigInt(`${whole}${decimals}`), under: 10n ** BigInt(decimals.length) };
}

/** The share of each price is `1 / price`; all over the one denominator `whole`. */
function sharesOf(fractions: readonly Fraction[]) {
  const whole = fractions.reduce((all, { over }) => all * over, 1n);
  const shares = fractions.map(({ over, under }) => under * (whole / over));
  return { whole, shares, sum: shares.reduce((all, one) => all + one, 0n) };
}

/** Further from 100 % than this, binary fractions are exact enough. */
const NEAR = 1e-9;

/** Whether the shares of these prices add up to less than 100 %. */
export function isBelowWhole(prices: readonly number[]): boolean {
  const rough = prices.reduce((all, price) => all + 1 / price, 0);
  if (Math.abs(rough - 1) > NEAR) return rough < 1;
  const { whole, sum } = sharesOf(prices.map(fractionOf));
  return sum < whole;
}

/** `prices`: one for each outcome, together every outcome there is. Null: no stakes return more than they cost. */
export function arbitrage(prices: readonly number[]): Arb | null {
  const fractions = prices.map(fractionOf);
  const { whole, shares, sum } = sharesOf(fractions);
  const profit = ((whole - sum) * 10_000n) / sum;
  if (whole <= sum || profit === 0n) return null;
  const parts = stakesOf(shares, sum);
  const paid = parts.map((part, i) => (part * fractions[i]!.over) / fractions[i]!.under);
  return {
    profitPct: Number(profit) / 100,
    stakes: parts.map((part) => Number(part) / PARTS_OF_ONE),
    profits: paid.map((part) => Math.floor(Number(part - PARTS) / 100) / 100),
  };
}

/** In parts: each rounded down, and the remainder to those that lost most by it. */
function stakesOf(shares: readonly bigint[], sum: bigint): bigint[] {
  const parts = shares.map((share) => (share * PARTS) / sum);
  const lost = shares.map((share, i) => share * PARTS - parts[i]! * sum);
  const byLoss = shares.map((_, i) => i).sort((a, b) => (lost[a]! < lost[b]! ? 1 : lost[a]! > lost[b]! ? -1 : a - b));
  let left = PARTS - parts.reduce((all, part) => all + part, 0n);
  for (const i of byLoss) {
    if (left === 0n) break;
    parts[i]! += 1n;
    left -= 1n;
  }
  return parts;
}
