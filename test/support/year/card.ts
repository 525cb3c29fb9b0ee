// The races of each day of the year: six, at venues of four zones, the first just after midnight in Sydney and the last
// just before it, with special events for some of them. On the two days when the clocks change there are two more, one
// on either side of the change. Pure.
import type { Day } from '../../../src/domain/race/race';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import type { RaceScript } from '../../../src/simulator/world/scripts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Hours from the beginning of the day; from its end if negative. */
type Planned = Omit<RaceScript, 'startMs'> & { readonly hours: number };

const ORDINARY: readonly Planned[] = [
  { hours: 1 / 6, venue: 'Mandurah', category: 'greyhound', runners: 6 },
  { hours: 11, venue: 'Ellerslie', category: 'horse', runners: 6 },
  { hours: 13, venue: 'Flemington', category: 'horse', runners: 7 },
  { hours: 17, venue: 'Menangle', category: 'harness', runners: 6 },
  { hours: 18, venue: 'Ascot', category: 'horse', runners: 6 },
  { hours: -1 / 6, venue: 'Mandurah', category: 'greyhound', runners: 6 },
];

/** On a day of 25 hours both are at half past two; on one of 23 hours the second is at half past three. */
const AT_THE_CHANGE: readonly Planned[] = [
  { hours: 1.5, venue: 'Angle Park', category: 'greyhound', runners: 6 },
  { hours: 2.5, venue: 'Angle Park', category: 'greyhound', runners: 6 },
  { hours: 3.5, venue: 'Angle Park', category: 'greyhound', runners: 6 },
];

export function hoursOf(day: Day): number {
  const { startMs, endMs } = aetDayBounds(day);
  return (endMs - startMs) / HOUR_MS;
}

/** `index`: the number of the day, from 0. */
export function cardOf(day: Day, index: number): readonly RaceScript[] {
  const { startMs, endMs } = aetDayBounds(day);
  const planned = hoursOf(day) === 24 ? ORDINARY : [...ORDINARY, ...AT_THE_CHANGE];
  return planned
    .map(({ hours, ...race }, i) => ({
      ...race,
      startMs: (hours < 0 ? endMs : startMs) + hours * HOUR_MS,
      ...happening(index, i),
    }))
    .sort((a, b) => a.startMs - b.startMs);
}

/** Every kind recurs within a fortnight. */
function happening(index: number, race: number): Partial<RaceScript> {
  if (race === 2 && index % 7 === 3) return { abandonedSecondsBefore: 1200 };
  if (race === 2 && index % 5 === 1) return { scratchings: [{ number: 2, secondsBefore: 900 }] };
  if (race === 3 && index % 9 === 4) return { moves: [{ secondsBefore: 600, bySeconds: 240 }] };
  if (race === 4 && index % 11 === 6) return { protest: 'upheld' };
  if (race === 1 && index % 13 === 8) return { deadHeat: 2 };
  return {};
}

export const daysFrom = (first: Day, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, i) => addDays(first, i));
