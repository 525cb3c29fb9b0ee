// Upcoming matches, cached: a query reads the level of each book in each sport, and fetches only the changed ones, in
// one statement and so at one moment. Unchanged parts are the same objects as before. Always equal to what
// `readMatches` reads.
import type { Pool } from 'pg';
import type { PricedMatch } from '../../../domain/sports/match';
import { type ListedSport, type Listing, type MatchesQuery, matchesOf, readListed, readMatches } from './matches';

const HOUR_MS = 3_600_000;

interface Listed {
  readonly level: string;
  readonly listings: readonly Listing[];
}

/** The findings of one read. It never changes, so either of two simultaneous reads may stay. */
interface Board {
  readonly hourMs: number;
  /** By book and sport. */
  readonly listed: ReadonlyMap<string, Listed>;
  readonly matches: readonly PricedMatch[];
}

export function createMatchBoard(pool: Pool): (query: MatchesQuery) => Promise<readonly PricedMatch[]> {
  /** By sport, with alternates or without. */
  const boards = new Map<string, Board>();

  return async (query) => {
    if (query.eventIds) return readMatches(pool, query);
    const { sportKey, after, alternates = false } = query;
    // From the hour on: matches started since are left out here, and dropped with the next hour.
    const hourMs = Math.floor(Date.parse(after) / HOUR_MS) * HOUR_MS;
    const key = `${sportKey} ${alternates}`;
    const before = boards.get(key)?.hourMs === hourMs ? boards.get(key)! : emptyBoard(hourMs);
    const levels = Array.from(before.listed, ([name, { level }]) => [name, level]);
    const from = new Date(hourMs).toISOString();
    const now = boardOf(before, await readListed(pool, { ...query, after: from }, Object.fromEntries(levels)));
    for (const [other, { hourMs: readMs }] of boards) if (readMs < hourMs - HOUR_MS) boards.delete(other);
    boards.set(key, now);
    return now.matches.filter(({ commenceTime }) => commenceTime > after);
  };
}

const emptyBoard = (hourMs: number): Board => ({ hourMs, listed: new Map(), matches: [] });

function boardOf(before: Board, read: readonly ListedSport[]): Board {
  const isSame = before.listed.size === read.length && read.every(({ listings }) => listings === null);
  if (isSame) return before;
  const listed = new Map(
    read.map(({ key, level, listings }) => [key, listings ? { level, listings } : before.listed.get(key)!]),
  );
  const matches = matchesOf([...listed.values()].flatMap(({ listings }) => listings));
  return { hourMs: before.hourMs, listed, matches };
}
