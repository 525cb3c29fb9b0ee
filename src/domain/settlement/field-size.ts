// How many places a place bet pays on this race: as the race reports it, otherwise from the starters listed when the
// bet was made (WA Betting Control Regulations 1978 r. 3(1)). Unknown facts widen the range of possible places; nothing
// is guessed.
import type { Instant } from '../race/race';
import type { SettledRace } from './settlement';
import { isOutAtBarrier, startOf } from './started';

/**
 * Every number of places the bet may pay, ascending: one number if it is certain, none without any evidence. 0: no
 * place betting.
 */
export function possiblePlaces(race: SettledRace, placedAt: Instant | null): readonly number[] {
  if (race.placesPaid !== null) return [race.placesPaid];
  const size = fieldSize(race, placedAt);
  if (size === null) return [];
  const sizes = Array.from({ length: size.most - size.least + 1 }, (_, i) => size.least + i);
  return [...new Set(sizes.map(placesPaid))];
}

/**
 * Places that a place bet pays in a field of `starters`: three from eight starters, two from five, and 0 below five,
 * where place betting is not offered. Source: WA Betting Control Regulations 1978 r. 3(1) "place bet"; the bookmakers'
 * own rules say the same (docs/settlement.md).
 */
export function placesPaid(starters: number): 0 | 2 | 3 {
  if (starters >= 8) return 3;
  return starters >= 5 ? 2 : 0;
}

/** The least and the most starters listed at `placedAt`. Null if neither the field nor the card is stored. */
export function fieldSize(race: SettledRace, placedAt: Instant | null): { least: number; most: number } | null {
  if (race.runners === null && race.card === null) return null;
  const entries = [...(race.card ?? []), ...(race.runners ?? []), ...race.placings];
  const listed = [...new Set(entries.map(({ number }) => number))].map((number) => wasListed(number, race, placedAt));
  return {
    least: listed.filter((each) => each === 'yes').length,
    most: listed.filter((each) => each !== 'no').length,
  };
}

function wasListed(number: number, race: SettledRace, placedAt: Instant | null): 'yes' | 'no' | 'maybe' {
  const start = startOf(number, race);
  if (start === 'ran' || isOutAtBarrier(number, race)) return 'yes';
  if (start === 'reserve') return 'no';
  const outAt = start === 'scratched' ? scratchedAt(number, race) : null;
  if (outAt === null || placedAt === null) return 'maybe';
  if (Date.parse(placedAt) >= Date.parse(outAt)) return 'no';
  // A scratched emergency may never have had a start.
  return race.card?.some((each) => each.number === number && each.emergency === true) ? 'maybe' : 'yes';
}

const scratchedAt = (number: number, race: SettledRace): Instant | null =>
  race.card?.find((each) => each.number === number)?.scratchedAt ??
  race.deductions.find((each) => each.number === number)?.scratched_at ??
  null;
