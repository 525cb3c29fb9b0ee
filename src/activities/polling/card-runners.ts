// The runners of a race's card, remembered for a minute: a book that says no numbers is joined by name on every poll, and names hardly
// change. A card without runners yet is looked for every time.
import type { KnownRunner } from '../../domain/race/join-runners';
import type { RaceStore } from '../../store/card/races';
import type { ActivityDeps } from '../deps';

const REMEMBERED_MS = 60_000;
const MOST_RACES = 5000;

/** `now`: race time, epoch milliseconds. */
export function rememberedRunners(races: Pick<RaceStore, 'runnersOf'>, now: () => number): ActivityDeps['cardRunners'] {
  const held = new Map<string, { readonly atMs: number; readonly runners: Promise<readonly KnownRunner[]> }>();
  return async (raceId) => {
    const known = held.get(raceId);
    if (known && now() - known.atMs < REMEMBERED_MS) return known.runners;
    if (held.size >= MOST_RACES) held.clear();
    const runners = races.runnersOf(raceId);
    held.set(raceId, { atMs: now(), runners });
    const forget = (): void => void (held.get(raceId)?.runners === runners && held.delete(raceId));
    runners.then((found) => found.length === 0 && forget(), forget);
    return runners;
  };
}
