// Official starting prices: the market at the jump, from the same chances as the result, on the rungs on which prices
// are quoted. Pure.

import type { Category } from '../../domain/race/race';
import { rungNear } from '../books/ladder';
import type { Race, WorldScratching } from '../world/race';
import { jumped, truthOf } from '../world/story/race-times';
import { chances } from '../world/story/truth';

/** The sum of a field's implied chances. */
const OVERROUND: Record<Category, number> = { horse: 1.18, harness: 1.2, greyhound: 1.24 };
/** Below 1, so that outsiders are offered at shorter odds than their chance and favourites at a little more. */
const LONGSHOT_EXPONENT = 0.95;

export interface StartingPrice {
  readonly sp: number;
  /** `EF`: shares the shortest price. */
  readonly favourite: 'F' | 'EF' | null;
}

/** Starting prices of every runner that jumped, by number. */
export function startingPrices(race: Race): ReadonlyMap<number, StartingPrice> {
  const prices = pricesOf(race, race.story.jumpMs, jumped(race));
  const shortest = Math.min(...prices.values());
  const favourites = [...prices.values()].filter((sp) => sp === shortest).length;
  const mark = favourites > 1 ? 'EF' : 'F';
  return new Map([...prices].map(([number, sp]) => [number, { sp, favourite: sp === shortest ? mark : null }]));
}

/** The price of a runner scratched at the barrier, a moment before its scratching. No bet is paid at it. */
export function startingPriceAtBarrier(race: Race, out: WorldScratching): number {
  const started = jumped(race);
  const isIn = (i: number): boolean => started(i) || race.runners[i]!.number === out.number;
  return pricesOf(race, out.atMs, isIn).get(out.number)!;
}

function pricesOf(race: Race, atMs: number, isIn: (index: number) => boolean): Map<number, number> {
  const weights = chances(truthOf(race), atMs, isIn).map((chance) => chance ** LONGSHOT_EXPONENT);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const overround = OVERROUND[race.meeting.track.category];
  return new Map(
    race.runners.flatMap(({ number }, i) =>
      isIn(i) ? [[number, rungNear('usual', total / (weights[i]! * overround))] as const] : [],
    ),
  );
}
