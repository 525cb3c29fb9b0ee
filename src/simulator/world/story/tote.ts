// The totalisators: each runner's share of each pool, what the pools would pay now, and what they paid. Three state
// totes take bets on every race. Pure.

import type { Placing, Race } from '../race';
import { hashText, normal, unit } from '../random';
import { firstStartMs, jumped, startersOf, truthOf } from './race-times';
import { chances, placeChances, placesPaid } from './truth';

export const TOTES = ['VIC', 'NSW', 'QLD'] as const;
export type Tote = (typeof TOTES)[number];

export type DividendProduct = 'Win' | 'Place' | 'Quinella' | 'Exacta' | 'Trifecta' | 'FirstFour' | MultiProduct;
export type MultiProduct = 'DailyDouble' | 'Treble' | 'EarlyQuaddie' | 'Quaddie' | 'Big6';

export interface Dividend {
  readonly product: DividendProduct;
  /** Per $1, stake included. */
  readonly amount: number;
  /** The paid runner, the finishing order, or the winner of each leg. */
  readonly numbers: readonly number[];
  readonly poolSize: number;
}

const TAKEOUT = { win: 0.145, place: 0.1425, exotic: 0.2 };
/** Before this, the pools have no money worth showing. */
const POOLS_OPEN_MS = 100 * 60_000;

/** By runner index; 0: no money yet, or scratched. `isIn`: who is still in. */
export interface ToteReturns {
  readonly win: readonly number[];
  readonly place: readonly number[];
}

export function toteReturns(race: Race, tote: Tote, atMs: number, isIn: (index: number) => boolean): ToteReturns {
  const none = race.runners.map(() => 0);
  if (atMs < firstStartMs(race) - POOLS_OPEN_MS) return { win: none, place: none };
  const shares = poolShares(race, tote, atMs, isIn);
  const places = placesPaid(shares.filter((share) => share > 0).length);
  const win = shares.map((share) => (share > 0 ? pays((1 - TAKEOUT.win) / share) : 0));
  const place = placeChances(shares, places).map((chance) => (chance > 0 ? pays((1 - TAKEOUT.place) / chance) : 0));
  return { win, place: places === 1 ? none : place };
}

/** The crowd follows the market loosely, and more closely towards the jump. */
function poolShares(race: Race, tote: Tote, atMs: number, isIn: (index: number) => boolean): number[] {
  const minutes = Math.max(0, (firstStartMs(race) - atMs) / 60_000);
  const looseness = 0.06 + 0.003 * Math.min(minutes, 100);
  const truth = chances(truthOf(race), atMs, isIn);
  const weights = truth.map((chance, i) =>
    chance > 0 ? chance ** 0.95 * Math.exp(looseness * normal(race.seed, 920, hashText(tote), i)) : 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Rounded down to ten cents, never under 1.04. */
const pays = (fair: number): number => Math.max(1.04, Math.floor(fair * 10 + 1e-9) / 10);

const declared = new WeakMap<Race, Map<Tote, { straight: Dividend[]; exotics: Dividend[] }>>();

/** Win, place and exotic dividends of a race that ran, on the settled placings. */
export function dividendsOf(race: Race, tote: Tote): { straight: readonly Dividend[]; exotics: readonly Dividend[] } {
  const byTote = declared.get(race) ?? new Map();
  declared.set(race, byTote);
  if (!byTote.has(tote)) byTote.set(tote, declare(race, tote));
  return byTote.get(tote)!;
}

function declare(race: Race, tote: Tote): { straight: Dividend[]; exotics: Dividend[] } {
  const placings = race.story.settled;
  const indexOf = new Map(race.runners.map((runner, i) => [runner.number, i]));
  const isIn = jumped(race);
  const returns = toteReturns(race, tote, race.story.jumpMs, isIn);
  const shares = poolShares(race, tote, race.story.jumpMs, isIn);
  const share = (number: number): number => shares[indexOf.get(number)!]!;
  const pool = (scale: number): number => Math.round(scale * (0.4 + unit(race.seed, 921, hashText(tote))) * 100) / 100;
  const paid = (price: number, fraction: number): number => Math.max(1, Math.floor(price * fraction * 10 + 1e-9) / 10);
  const straight = (
    product: 'Win' | 'Place',
    prices: readonly number[],
    places: number,
    poolSize: number,
  ): Dividend[] =>
    paidPlacings(placings, places).flatMap(({ number, fraction }) => {
      const price = prices[indexOf.get(number)!]!;
      return price > 0
        ? [{ product, amount: fraction === 1 ? price : paid(price, fraction), numbers: [number], poolSize }]
        : [];
    });
  const places = placesPaid(startersOf(race).size);
  return {
    straight: [
      ...straight('Win', returns.win, 1, pool(24_000)),
      ...(places > 1 ? straight('Place', returns.place, places, pool(11_000)) : []),
    ],
    exotics: EXOTICS.flatMap(({ product, depth, ordered, scale }) =>
      exotic(race, share, pool(scale), { product, depth, ordered }),
    ),
  };
}

/** The runners paid for `places`: runners that are level for the last place share it. */
function paidPlacings(placings: readonly Placing[], places: number): { number: number; fraction: number }[] {
  return placings
    .filter((placing) => placing.position <= places)
    .map(({ position, number }) => {
      const level = placings.filter((other) => other.position === position).length;
      return { number, fraction: Math.min(1, (places - position + 1) / level) };
    });
}

const EXOTICS = [
  { product: 'Quinella', depth: 2, ordered: false, scale: 6000 },
  { product: 'Exacta', depth: 2, ordered: true, scale: 5000 },
  { product: 'Trifecta', depth: 3, ordered: true, scale: 14_000 },
  { product: 'FirstFour', depth: 4, ordered: true, scale: 9000 },
] as const;

function exotic(
  race: Race,
  share: (number: number) => number,
  poolSize: number,
  { product, depth, ordered }: { product: DividendProduct; depth: number; ordered: boolean },
): Dividend[] {
  if (race.story.settled.length < depth) return [];
  const orders = finishingOrders(race.story.settled, depth);
  const combinations = ordered ? orders : uniqueSets(orders);
  return combinations.map((numbers) => {
    const chance = ordered
      ? orderChance(numbers, share)
      : orderChance(numbers, share) + orderChance([...numbers].reverse(), share);
    const luck = 0.85 + 0.3 * unit(race.seed, 922, depth, numbers[0]!);
    const fair = ((1 - TAKEOUT.exotic) / chance) * luck;
    return { product, numbers, poolSize, amount: pays(Math.min(fair, poolSize * 4) / combinations.length) };
  });
}

/** Every order of the first `depth` that the placings allow: more than one after a dead heat. */
export function finishingOrders(placings: readonly Placing[], depth: number): number[][] {
  if (depth === 0) return [[]];
  const next = placings[0];
  if (!next) return [];
  return placings
    .filter((placing) => placing.position === next.position)
    .flatMap((first) =>
      finishingOrders(
        placings.filter((other) => other !== first),
        depth - 1,
      ).map((rest) => [first.number, ...rest]),
    );
}

function uniqueSets(orders: readonly number[][]): number[][] {
  const sets = orders.map((order) => [...order].sort((a, b) => a - b));
  return [...new Map(sets.map((set) => [set.join(), set])).values()];
}

/** Harville: each next place goes to the remaining runners in proportion to their shares. */
function orderChance(numbers: readonly number[], share: (number: number) => number): number {
  let left = 1;
  return numbers.reduce((chance, number) => {
    const taken = share(number);
    const now = (chance * taken) / Math.max(left, 1e-6);
    left -= taken;
    return now;
  }, 1);
}
