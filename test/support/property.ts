// How many cases a property tries. A run of `npm test` tries a tenth of them on one fixed seed, because a fixed seed
// proves the same every day; `npm run soak` tries all of them on a new seed, and `npm run mutate` a few for each
// mutant.

const SHARE = 0.1;
const LEAST = 10;
const FEW = 50;

/** `least`: of properties of which a case takes seconds. */
export function runs(all: number, least = LEAST): number {
  const { PROPERTY_RUNS } = process.env;
  if (PROPERTY_RUNS === 'all') return all;
  return Math.min(all, PROPERTY_RUNS === 'few' ? FEW : Math.max(least, Math.ceil(all * SHARE)));
}
