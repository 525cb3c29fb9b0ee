// Finds the fields of a page that are provably incomplete, from the page's one count of starters and from gaps within a
// race. A partial field must never be final: it would be published as the full one (A 2.11 rule 6).
import type { ReadResultRace } from './race';

export interface PageFacts {
  /** `Total Number of starters`, without scratched runners; null if the page has none. */
  readonly statedStarters: number | null;
  /** Races in the page's index and anchors (`#Race4`), whether or not they are present. */
  readonly named: ReadonlySet<number>;
  /** Runner tables without a title. */
  readonly orphans: number;
}

/** Whether every race of the meeting is present, as far as the page shows. */
export function isComplete(races: readonly ReadResultRace[], { named, orphans }: PageFacts): boolean {
  const there = new Set(races.map((race) => race.raceNumber));
  const expected = named.size > 0 ? [...named] : Array.from({ length: Math.max(0, ...there) }, (_, i) => i + 1);
  return orphans === 0 && expected.every((number) => there.has(number));
}

/** The races, with `interim` as the highest stage of a partial field. */
export function withoutPartialFields(races: readonly ReadResultRace[], page: PageFacts): readonly ReadResultRace[] {
  const isPartial = partialAmong(races, page);
  return races.map((race) => (race.stage === 'final' && isPartial(race) ? { ...race, stage: 'interim' } : race));
}

/**
 * A race is partial if its own rows, places or numbers show it. If the page states more starters than it lists, and
 * places prove fewer missing starters, any race may lack one, so no race is final. The same holds if a table has no
 * title, because it may belong to any race. A gap in the numbers does not matter if every starter is accounted for.
 */
function partialAmong(races: readonly ReadResultRace[], page: PageFacts): (race: ReadResultRace) => boolean {
  const { statedStarters: stated } = page;
  if (!isComplete(races, page)) return () => true;
  const countable = stated !== null && races.every((race) => race.tabled || race.stage === 'abandoned');
  const runners = races.flatMap((race) => race.runners);
  const ran = runners.filter((runner) => runner.status === 'ran').length;
  // Whether a runner scratched at the barrier counts as a starter is undocumented: it can explain one missing starter,
  // but proves none.
  const atBarrier = runners.filter((runner) => runner.abnormal === 'SB').length;
  const provenMissing = races.reduce((sum, race) => sum + missingPlaces(race), 0);
  const anyOfThem = countable && stated - ran - atBarrier > provenMissing;
  const accounted = countable && stated === ran;
  return (race) => race.doubtful || anyOfThem || (hasGap(race) && !accounted);
}

/** Scratched runners keep their rows and numbers, so numbers run from 1 without a gap. */
const hasGap = ({ runners }: ReadResultRace): boolean =>
  Math.max(0, ...runners.map((runner) => runner.number)) > runners.length;

/** The number of runners missing before the last place on the page. */
function missingPlaces({ runners }: ReadResultRace): number {
  const places = runners.flatMap((runner) => runner.position ?? []);
  return Math.max(0, Math.max(0, ...places) - places.length);
}
