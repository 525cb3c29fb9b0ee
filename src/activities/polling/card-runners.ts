// Caches the runners of a race's card for a minute: a book that reports no numbers is joined by name at every poll, and names hardly
// change. An empty card is not cached.
import type { NumberedRunner } from '../../domain/race/join-runners';
import type { RaceStore } from '../../store/card/races';
import type { ActivityDeps } from '../deps';

const CACHED_MS = 60_000;
const MOST_RACES = 5000;

/** `now`: race time, epoch milliseconds. */
export function cachedRunners(races: Pick<RaceStore, 'runnersOf'>, now: () => number): ActivityDeps['cardRunners'] {
  const cache = new Map<string, { readonly atMs: number; readonly runners: Promise<readonly NumberedRunner[]> }>();
  return async (raceId) => {
    const cached = cache.get(raceId);
    if (cached && now() - cached.atMs < CACHED_MS) return cached.runners;
    if (cache.size >= MOST_RACES) cache.clear();
    const runners = races.runnersOf(raceId);
    cache.set(raceId, { atMs: now(), runners });
    const forget = (): void => void (cache.get(raceId)?.runners === runners && cache.delete(raceId));
    runners.then((found) => found.length === 0 && forget(), forget);
    return runners;
  };
}
