// Caches the runners of a race's card for a minute: a book that reports no numbers is joined by name at every poll, and
// names hardly change. An empty card is not cached.
import { createCache } from '../../cache';
import type { NumberedRunner } from '../../domain/race/join-runners';
import type { RaceStore } from '../../store/card/races';
import type { ActivityDeps } from '../deps';

const CACHED_MS = 60_000;
const MOST_RACES = 5000;

interface CardRunners {
  readonly atMs: number;
  readonly runners: readonly NumberedRunner[];
}

/** `now`: race time, epoch milliseconds. */
export function cachedRunners(races: Pick<RaceStore, 'runnersOf'>, now: () => number): ActivityDeps['cardRunners'] {
  const cards = createCache<CardRunners>(MOST_RACES);
  const isGood = ({ atMs, runners }: CardRunners): boolean => runners.length > 0 && now() - atMs < CACHED_MS;
  return async (raceId) => {
    const read = async (): Promise<CardRunners> => ({ atMs: now(), runners: await races.runnersOf(raceId) });
    return (await cards.get(raceId, isGood, read)).value.runners;
  };
}
