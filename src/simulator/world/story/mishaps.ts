// Mishaps during the race: about one race in sixteen has one. Never for one of the first four, so that the prices stay
// true to the winner's chances.
import type { Category } from '../../../domain/race/race';
import type { Mishap, Placing, RunnerMishap } from '../race';
import { mix, sequence } from '../random';
import { without } from './placings';

const CHANCE: Record<Category, number> = { horse: 0.05, harness: 0.06, greyhound: 0.08 };
/** The kinds of mishap; frequent ones are repeated. */
const WHAT: Record<Category, readonly Mishap[]> = {
  horse: ['PulledUp', 'PulledUp', 'TailedOff', 'TailedOff', 'Fell', 'Disqualified'],
  harness: ['PulledUp', 'TailedOff', 'TailedOff', 'Disqualified', 'Fell'],
  greyhound: ['Fell', 'Fell', 'Fell', 'TailedOff', 'TailedOff', 'StayedInBox', 'PulledUp'],
};
const FIRST_FOUR = 4;
const TAILED_OFF_LENGTHS = 25;

/** The mishaps of a field that would have finished in this order. */
export function drawnMishaps(seed: number, category: Category, placings: readonly Placing[]): RunnerMishap[] {
  const draw = sequence(mix(seed, 111));
  const others = placings.filter((placing) => placing.position > FIRST_FOUR);
  if (!draw.chance(CHANCE[category]) || others.length === 0) return [];
  const what = draw.pick(WHAT[category]);
  return [{ number: what === 'TailedOff' ? others.at(-1)!.number : draw.pick(others).number, what }];
}

/** The order after the mishaps: a tailed-off runner is last by a long way, the others have no place. */
export function afterMishaps(placings: readonly Placing[], mishaps: readonly RunnerMishap[]): Placing[] {
  const of = (what: (mishap: Mishap) => boolean): number[] =>
    mishaps.filter((one) => what(one.what)).map((one) => one.number);
  const tailedOff = of((what) => what === 'TailedOff');
  return without(
    placings,
    of((what) => what !== 'TailedOff'),
  ).map((placing) =>
    tailedOff.includes(placing.number)
      ? { ...placing, margin: Math.round((placing.margin + TAILED_OFF_LENGTHS) * 10) / 10 }
      : placing,
  );
}
