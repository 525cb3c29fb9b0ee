// The chances that a book's prices state, and whether two books can mean one match: the one measure by which prices and
// lines are compared.
import type { MarketPrices } from '../sports';

export interface Chances {
  readonly home: number | null;
  readonly draw: number | null;
  readonly away: number | null;
}

export type Side = keyof Chances;
const SIDES = ['home', 'draw', 'away'] as const satisfies readonly Side[];

/** Books of one match differ by less, without their margins. */
export const FAR_APART = 0.1;
/** Of long shots a few points are much: odds this many times as long, and so many points. */
const TIMES_THE_ODDS = 3;
const LEAST_APART = 0.02;
/** By which binary arithmetic may fall short. */
const NOISE = 1e-9;

const inverse = (price: number | null): number | null => (price === null ? null : 1 / price);

/**
 * Of each outcome, 0 to 1, the margin taken off in proportion. Without a price of every outcome the margin is unknown:
 * then `1 / price`, and of two outcomes the other one's is the rest.
 */
export function chancesOf(prices: Pick<MarketPrices, Side>): Chances {
  const home = inverse(prices.home);
  const draw = inverse(prices.draw);
  const away = inverse(prices.away);
  if (home !== null && away !== null) {
    const all = home + away + (draw ?? 0);
    return { home: home / all, draw: draw === null ? null : draw / all, away: away / all };
  }
  if (draw !== null || (home === null && away === null)) return { home, draw, away };
  return { home: home ?? 1 - away!, draw, away: away ?? 1 - home! };
}

/** 10 points, or odds 3 times as long and 2 points: no two books price one outcome so. */
export function isFarApart(one: number, other: number): boolean {
  const apart = Math.abs(one - other) + NOISE;
  if (apart >= FAR_APART) return true;
  if (apart < LEAST_APART) return false;
  const times = (one * (1 - other)) / (other * (1 - one));
  return Math.max(times, 1 / times) >= TIMES_THE_ODDS - NOISE;
}

/** Whether the chances of any outcome that both have are far apart. */
export const contradict = (a: Chances, b: Chances): boolean =>
  SIDES.some((side) => a[side] !== null && b[side] !== null && isFarApart(a[side], b[side]));

export const turned = ({ home, draw, away }: Chances): Chances => ({ home: away, draw, away: home });

/** The chance of a side after its line moves in its favour by `points`; `scale`: see `LineScale`. */
export function movedBy(chance: number, points: number, scale: number): number {
  if (points === 0) return chance;
  const odds = (chance / (1 - chance)) * Math.exp(points / scale);
  return odds === Infinity ? 1 : odds / (1 + odds);
}
