// Which races of a past simulated day are seeded: some of each code, of one meeting each, in the afternoon. Pure.
import type { ListedRace } from '../../domain/race/feed-race';

interface Wanted {
  readonly category: ListedRace['category'];
  readonly country: string;
  readonly races: number;
}

const WANTED: readonly Wanted[] = [
  { category: 'horse', country: 'AU', races: 3 },
  { category: 'greyhound', country: 'AU', races: 2 },
  { category: 'harness', country: 'AU', races: 1 },
  { category: 'horse', country: 'NZ', races: 1 },
];

/** `listed`: one book's list of the day. By start. */
export function chosenRaces(listed: readonly ListedRace[], afternoonMs: number): readonly ListedRace[] {
  const awayMs = ({ startTime }: ListedRace): number => Math.abs(Date.parse(startTime) - afternoonMs);
  const chosen = WANTED.flatMap(({ category, country, races }) => {
    const fitting = listed.filter((race) => race.category === category && race.country === country);
    const nearest = fitting.sort((a, b) => awayMs(a) - awayMs(b));
    return nearest.filter(({ venue }) => venue === nearest[0]!.venue).slice(0, races);
  });
  return chosen.sort((a, b) => Date.parse(a.startTime) - Date.parse(b.startTime));
}
