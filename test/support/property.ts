// How many cases a property tries. A run of `npm test` tries a fifth of them on one fixed seed, because the five-thousandth case of a fixed
// seed proves today what it proved yesterday; `npm run soak` tries all of them on a new seed.

const SHARE = 0.2;
const LEAST = 10;

export const runs = (all: number): number =>
  process.env.PROPERTY_RUNS === 'all' ? all : Math.min(all, Math.max(LEAST, Math.ceil(all * SHARE)));
