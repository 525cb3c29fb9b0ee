// Removes a book's margin from its prices (A 2.5, D23). It runs a hundred times for one consensus and thousands of
// times for a scan, so it allocates only its result and computes as few exponentials as it can. Never rounds: the edge
// does.

/**
 * `power`: q_i^k with Σ q_i^k = 1 (Buchdahl; Vovk and Zhdanov 2009; Clarke, Kovalchik and Ingram 2017).
 * `multiplicative`: q_i / Σ q.
 */
export const NORMALISATIONS = ['power', 'multiplicative'] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];

/** The exponent's correction is exact to 1e-16 of a probability when no runner's logarithm moves by more than this. */
const LAST_STEP = 1e-4;
/** About two passes for a real book, ten at the extremes of D23. */
const MAX_PASSES = 100;
/**
 * The smallest double of full precision: below it an outsider of an absurd book (39 runners at 1.01) would become 0,
 * and its price infinite.
 */
const LEAST_WEIGHT = 2 ** -1022;
/**
 * Up to here the third-order step is reliable; beyond it Newton's step is used, which never passes the root from the
 * left.
 */
const NEARLY_STRAIGHT = 0.2;

// Scratch memory: nothing here yields, so one set serves every call.
let logs = new Float64Array(64);
let weights = new Float64Array(64);
/** Σ w, Σ w·l, Σ w·l², Σ w·l³ over the runners, with weights w and logarithms l. */
const moments = new Float64Array(4);

/**
 * Win probabilities that sum to 1, in the order of the prices (decimal odds of one book on the whole field). A single
 * runner has probability 1. Null if there is no solution, because the field is empty or a price is not finite and above
 * 1.
 */
export function withoutMargin(prices: readonly number[], method: Normalisation): readonly number[] | null {
  const size = prices.length;
  if (size > logs.length) {
    logs = new Float64Array(size);
    weights = new Float64Array(size);
  }
  if (size === 0 || !arePrices(prices)) return null;
  if (size === 1) return [1];
  if (method === 'multiplicative') return scaledToOne(size, weighInverses(prices));
  return findExponent(size, weighPrices(prices)) ? scaledToOne(size, weightOf(size)) : null;
}

/** Σ 1 / price: the excess over 1 is the book's margin. */
export function booksum(prices: readonly number[]): number {
  let sum = 0;
  for (const price of prices) sum += 1 / price;
  return sum;
}

function arePrices(prices: readonly number[]): boolean {
  for (const price of prices) if (!(price > 1 && price < Number.POSITIVE_INFINITY)) return false;
  return true;
}

function weighInverses(prices: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < prices.length; i++) {
    const q = 1 / prices[i]!;
    weights[i] = q;
    sum += q;
  }
  return sum;
}

/** Weights, logarithms and moments at k = 1, where no exponential is needed. Returns the steepest logarithm. */
function weighPrices(prices: readonly number[]): number {
  let m0 = 0;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  let steepest = 0;
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i]!;
    const w = 1 / price;
    const l = -Math.log(price);
    weights[i] = w;
    logs[i] = l;
    if (l < steepest) steepest = l;
    m0 += w;
    m1 += w * l;
    m2 += w * l * l;
    m3 += w * l * l * l;
  }
  setMoments(m0, m1, m2, m3);
  return steepest;
}

/** Weights and moments at this exponent. */
function weighAt(size: number, k: number): void {
  let m0 = 0;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  for (let i = 0; i < size; i++) {
    const l = logs[i]!;
    const w = Math.exp(k * l);
    weights[i] = w;
    m0 += w;
    m1 += w * l;
    m2 += w * l * l;
    m3 += w * l * l * l;
  }
  setMoments(m0, m1, m2, m3);
}

function setMoments(m0: number, m1: number, m2: number, m3: number): void {
  moments[0] = m0;
  moments[1] = m1;
  moments[2] = m2;
  moments[3] = m3;
}

/**
 * Moves the weights to the root of g(k) = ln Σ e^(k·l), from k = 1: steps of third order, inside a bracket, until the
 * remaining step is so small that the Taylor series of every weight is exact. g falls and is convex, so there is one
 * root. False if it is not reached.
 */
function findExponent(size: number, steepest: number): boolean {
  let k = 1;
  let low = 0;
  let high = Number.MAX_VALUE;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const step = stepToRoot();
    if (Math.abs(step * steepest) < LAST_STEP) {
      nudge(size, step);
      return true;
    }
    if (moments[0]! > 1) low = k;
    else high = k;
    k = inside(k + step, low, high);
    weighAt(size, k);
  }
  return false;
}

/**
 * From the tangent and, if the curve is nearly straight, its curvature: the inverse of the Taylor series of g to the
 * third power.
 */
function stepToRoot(): number {
  const scale = 1 / moments[0]!;
  const slope = moments[1]! * scale;
  const square = moments[2]! * scale;
  const newton = -Math.log(moments[0]!) / slope;
  const bend = (square - slope * slope) / (2 * slope);
  if (!(Math.abs(bend * newton) < NEARLY_STRAIGHT)) return newton;
  const twist = (moments[3]! * scale - 3 * slope * square + 2 * slope * slope * slope) / (6 * slope);
  return newton * (1 - newton * (bend - newton * (2 * bend * bend - twist)));
}

function inside(k: number, low: number, high: number): number {
  if (k > low && k < high) return k;
  return high === Number.MAX_VALUE ? low * 2 : (low + high) / 2;
}

/** Multiplies every weight by e^(step·l), by the series: the step is small. */
function nudge(size: number, step: number): void {
  for (let i = 0; i < size; i++) {
    const y = step * logs[i]!;
    weights[i]! *= 1 + y * (1 + y * (0.5 + y / 6));
  }
}

function weightOf(size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += weights[i]!;
  return sum;
}

function scaledToOne(size: number, sum: number): number[] {
  const probabilities: number[] = [];
  for (let i = 0; i < size; i++) probabilities.push(Math.max(weights[i]!, LEAST_WEIGHT) / sum);
  return probabilities;
}
