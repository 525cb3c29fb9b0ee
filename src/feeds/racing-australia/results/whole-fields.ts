// Which fields of a page are provably not whole. The page states one number for the meeting, its starters; a race shows its own gaps.
// A partial field is never final: it must not be published as the full one (A 2.11 rule 6).
import type { ReadResultRace } from './race';

export interface PageFacts {
  /** `Total Number of starters`: scratched runners are none; null where the page does not say. */
  readonly statedStarters: number | null;
  /** Races that the page's index and anchors name (`#Race4`), whether or not they are there. */
  readonly named: ReadonlySet<number>;
  /** Tables of runners that no title claims. */
  readonly orphans: number;
}

/** Whether every race of the meeting is there, as far as the page tells. */
export function isComplete(races: readonly ReadResultRace[], { named, orphans }: PageFacts): boolean {
  const there = new Set(races.map((race) => race.raceNumber));
  const expected = named.size > 0 ? [...named] : Array.from({ length: Math.max(0, ...there) }, (_, i) => i + 1);
  return orphans === 0 && expected.every((number) => there.has(number));
}

/** The races, those whose field is not whole as `interim` at most. */
export function withoutPartialFields(races: readonly ReadResultRace[], page: PageFacts): readonly ReadResultRace[] {
  const isPartial = partialAmong(races, page);
  return races.map((race) => (race.stage === 'final' && isPartial(race) ? { ...race, stage: 'interim' } : race));
}

/**
 * Its own rows, places and numbers tell of a race. Where the page has fewer starters than it states, and more are missing than the places
 * prove, it may be any race, and none is final; nor is any of a page that has lost a title, for a table may then be another race's.
 * A gap in the numbers is nothing when every starter is accounted for.
 */
function partialAmong(races: readonly ReadResultRace[], page: PageFacts): (race: ReadResultRace) => boolean {
  const { statedStarters: stated } = page;
  if (!isComplete(races, page)) return () => true;
  const countable = stated !== null && races.every((race) => race.tabled || race.stage === 'abandoned');
  const runners = races.flatMap((race) => race.runners);
  const ran = runners.filter((runner) => runner.status === 'ran').length;
  // Nobody says whether one that was scratched at the barrier is a starter: it explains one, and proves nothing.
  const atBarrier = runners.filter((runner) => runner.abnormal === 'SB').length;
  const provenMissing = races.reduce((sum, race) => sum + missingPlaces(race), 0);
  const anyOfThem = countable && stated - ran - atBarrier > provenMissing;
  const accounted = countable && stated === ran;
  return (race) => race.doubtful || anyOfThem || (hasGap(race) && !accounted);
}

/** Scratched runners keep their numbers and their rows: numbers run from 1 without a gap. */
const hasGap = ({ runners }: ReadResultRace): boolean =>
  Math.max(0, ...runners.map((runner) => runner.number)) > runners.length;

/** Runners that must have finished before the last one of the page. */
function missingPlaces({ runners }: ReadResultRace): number {
  const places = runners.flatMap((runner) => runner.position ?? []);
  return Math.max(0, Math.max(0, ...places) - places.length);
}
