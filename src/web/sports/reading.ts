// Readings of upcoming matches that all visitors share, and what is made of each, once. A reading ends before anything
// in it is wrong: when the first of its matches starts, after seconds at the latest.
import { createCache } from '../../cache';
import type { PricedMatch } from '../../domain/sports/match';
import type { SportSource, UpcomingMatches } from './model';

export interface SportReading {
  /** When the prices were read: what pages are as of. */
  readonly readAtMs: number;
  /** For which they were read: what is stale then. */
  readonly atMs: number;
  readonly untilMs: number;
  readonly matches: readonly PricedMatch[];
  /** Made for the first who asks. */
  once<T>(name: string, make: () => T): T;
}

/** Race time. */
const CACHED_MS = 2000;
/** One a sport, with alternates and without. */
const MOST_READINGS = 50;

export interface Readings {
  /** `sportKey` null: every sport. `alternates`: with the other lines of each book; default without. */
  of(sportKey: string | null, nowMs: number, alternates?: boolean): Promise<SportReading>;
}

export function sharedReadings(source: Pick<SportSource, 'upcoming'>): Readings {
  const cache = createCache<SportReading>(MOST_READINGS);
  return {
    async of(sportKey, nowMs, alternates = false) {
      const isGood = ({ atMs, untilMs }: SportReading): boolean => nowMs >= atMs && nowMs < untilMs;
      const read = async (): Promise<SportReading> =>
        readingOf(await source.upcoming(sportKey, alternates, nowMs), nowMs);
      return (await cache.get(`${sportKey} ${alternates}`, isGood, read)).value;
    },
  };
}

function readingOf({ matches, readAtMs }: UpcomingMatches, atMs: number): SportReading {
  const made = new Map<string, unknown>();
  return {
    readAtMs,
    atMs,
    untilMs: matches.reduce((until, { commenceTime }) => Math.min(until, Date.parse(commenceTime)), atMs + CACHED_MS),
    matches,
    once<T>(name: string, make: () => T): T {
      if (!made.has(name)) made.set(name, make());
      return made.get(name) as T;
    },
  };
}
