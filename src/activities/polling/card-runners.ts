// Caches the runners of a race's card until the minute of race time ends: a book that reports no numbers is joined by
// name at every poll, and names hardly change. Races that were needed in one minute are read together in the next. An
// empty card is not cached.
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
  let minute = minuteOf(now());
  let needed = new Set<string>();
  const isGood = ({ atMs, runners }: CardRunners): boolean => runners.length > 0 && minuteOf(atMs) === minuteOf(now());
  const get = async (raceId: string): Promise<CardRunners['runners']> => {
    const read = async (): Promise<CardRunners> => ({ atMs: now(), runners: await races.runnersOf(raceId) });
    return (await cards.get(raceId, isGood, read)).value.runners;
  };
  return (raceId) => {
    if (minute !== minuteOf(now())) {
      minute = minuteOf(now());
      // One that fails here is read again when it is needed.
      for (const other of needed) if (other !== raceId) get(other).catch(() => undefined);
      needed = new Set();
    }
    needed.add(raceId);
    return get(raceId);
  };
}

const minuteOf = (ms: number): number => Math.floor(ms / CACHED_MS);
