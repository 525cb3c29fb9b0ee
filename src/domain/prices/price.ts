// What counts as a price (D22). Books send 0 for "none"; a price of 1.0 or less pays nothing and is refused.
// Never repairs a price: it is kept unchanged or dropped with a reason that is counted.

export interface Legs {
  readonly win: number | null;
  readonly place: number | null;
  readonly top2: number | null;
  readonly top3: number | null;
  readonly top4: number | null;
}

export interface CleanLegs {
  readonly prices: Legs;
  /** One reason per dropped leg, e.g. `win_not_above_1`, `top2_not_a_number`, `top3_above_top2`. */
  readonly dropped: string[];
}

const DECIMAL = /^\s*\d+(\.\d+)?\s*$/;

/** No book offers a million to one: a greater figure is not a price, and 1e308 would not survive rounding. */
const MOST = 1_000_000;

function numeric(value: unknown): number {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return typeof number === 'number' && number <= MOST ? number : Number.NaN;
}

/** Decimal odds from a number or a plain decimal string; null unless above 1.0 and at most a million. */
export function asPrice(value: unknown): number | null {
  const price = numeric(value);
  return price > 1 ? price : null;
}

/** A leg that is not quoted is not a fault: null, absent, empty, or 0. */
const isUnquoted = (value: unknown): boolean => value == null || value === '' || numeric(value) === 0;

/**
 * Same Race Multi legs in an order in which prices may not rise (A 2.3: win >= top2 >= top3 >= top4 > 1.0). Place is
 * not part of it.
 */
const DESCENDING = ['win', 'top2', 'top3', 'top4'] as const;

function priceOfLeg(leg: keyof Legs, raw: unknown, dropped: string[]): number | null {
  const price = asPrice(raw);
  if (price === null && !isUnquoted(raw))
    dropped.push(`${leg}_${Number.isFinite(numeric(raw)) ? 'not_above_1' : 'not_a_number'}`);
  return price;
}

/**
 * The legs of one runner at one book, without every leg that is not a price or that breaks
 * win >= top2 >= top3 >= top4 > 1.0. A leg is compared with the nearest kept leg before it, so one bad leg never
 * removes a good one. Accepts numbers and decimal strings.
 */
export function cleanLegs(raw: { readonly [K in keyof Legs]: unknown }): CleanLegs {
  const dropped: string[] = [];
  const prices = {
    win: priceOfLeg('win', raw.win, dropped),
    place: priceOfLeg('place', raw.place, dropped),
    top2: priceOfLeg('top2', raw.top2, dropped),
    top3: priceOfLeg('top3', raw.top3, dropped),
    top4: priceOfLeg('top4', raw.top4, dropped),
  };
  let above: (typeof DESCENDING)[number] | null = null;
  for (const leg of DESCENDING) {
    if (prices[leg] === null) continue;
    if (above !== null && prices[leg] > prices[above]!) {
      dropped.push(`${leg}_above_${above}`);
      prices[leg] = null;
    } else above = leg;
  }
  return { prices, dropped };
}
