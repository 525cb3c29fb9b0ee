// While the database cannot be reached, the API answers a query from the last rows read for it. Their ages keep
// growing, because they are computed when the answer is served. A query without recent rows is `unavailable`. Never
// invents a row.
import { LRUCache } from 'lru-cache';
import { isShown, type Surface } from '../../domain/race/board-state';
import { databaseAway } from '../../errors';
import { isUnreachable } from '../pg/unreachable';
import type { RaceHead, RaceWindow } from './races/race-window';
import type { Reads } from './reads';
import type { CoverageQuery } from './results/coverage';
import type { ResultsQuery } from './results/results';

/** Boards are megabytes, so only the most frequent queries are cached. */
const MOST_CACHED = 50;
/** Older rows no longer describe the live market. */
const LONGEST_MS = 15 * 60_000;

interface CachedRead {
  readonly value: unknown;
  readonly atMs: number;
}

const outageAges = new WeakMap<object, number>();

/** How long ago these rows of `board` or `matches` were read, in milliseconds; null: for this call. */
export const outageAgeMs = (rows: object): number | null => outageAges.get(rows) ?? null;

/** The newest rows of each query, for while the database is away. */
function createLastRows(wallMs: () => number) {
  const cached = new LRUCache<string, CachedRead>({ max: MOST_CACHED });

  async function aged<T>(key: string, read: () => Promise<T>): Promise<{ value: T; ageMs: number | null }> {
    try {
      const value = await read();
      cached.set(key, { value, atMs: wallMs() });
      return { value, ageMs: null };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const last = cached.get(key);
      const ageMs = last ? Math.max(0, wallMs() - last.atMs) : Number.POSITIVE_INFINITY;
      if (last && ageMs < LONGEST_MS) return { value: last.value as T, ageMs };
      throw databaseAway('The database is unavailable and no recent answer to this query is cached.');
    }
  }
  const orCached = async <T>(key: string, read: () => Promise<T>): Promise<T> => (await aged(key, read)).value;

  /** The rows that still are what the caller asks for, with their age. */
  async function rowsOrCached<T>(key: string, read: () => Promise<readonly T[]>, isGood: (row: T) => boolean) {
    const { value, ageMs } = await aged(key, read);
    const rows = value.filter(isGood);
    if (ageMs !== null) outageAges.set(rows, ageMs);
    return rows;
  }

  return { orCached, rowsOrCached };
}

/** `wallMs`: the clock for the age of cached rows. */
export function withOutageCache(reads: Reads, wallMs: () => number = Date.now): Reads {
  const { orCached, rowsOrCached } = createLastRows(wallMs);
  return {
    ...reads,
    board: (query) =>
      rowsOrCached(
        `board ${keyOf(query)}`,
        () => reads.board(query),
        (race) => stillShown('board', race, query),
      ),
    events: (query) =>
      rowsOrCached(
        `events ${keyOf(query)}`,
        () => reads.events(query),
        (race) => stillShown('listed', race, query),
      ),
    findRaces: (query, bookmakers) =>
      orCached(`races ${JSON.stringify([query, bookmakers])}`, () => reads.findRaces(query, bookmakers)),
    capturedPrices: (query) => orCached(`captured ${JSON.stringify(query)}`, () => reads.capturedPrices(query)),
    raceExotics: (raceId) => orCached(`exotics ${raceId}`, () => reads.raceExotics(raceId)),
    raceForm: (raceId) => orCached(`form ${raceId}`, () => reads.raceForm(raceId)),
    pastRuns: (runs) => orCached(`runs ${JSON.stringify(runs)}`, () => reads.pastRuns(runs)),
    results: (query) => orCached(`results ${keyOf(query)}`, () => reads.results(query)),
    resultsCoverage: (query) => orCached(`coverage ${keyOf(query)}`, () => reads.resultsCoverage(query)),
    acceptances: (day) => orCached(`acceptances ${day}`, () => reads.acceptances(day)),
    trackConditions: (query) => orCached(`tracks ${JSON.stringify(query)}`, () => reads.trackConditions(query)),
    premierships: (query) => orCached(`premierships ${JSON.stringify(query)}`, () => reads.premierships(query)),
    venues: (nowIso) => orCached('venues', () => reads.venues(nowIso)),
    matches: (query) => {
      const key = JSON.stringify([query.sportKey, query.eventIds ?? null, query.alternates ?? false]);
      return rowsOrCached(
        `matches ${key}`,
        () => reads.matches(query),
        (one) => one.commenceTime > query.after,
      );
    },
    competitions: (sportKey) => orCached(`competitions ${sportKey}`, () => reads.competitions(sportKey)),
    sportCoverage: (nowIso) => orCached('sport coverage', () => reads.sportCoverage(nowIso)),
    connectorHealth: () => orCached('health', () => reads.connectorHealth()),
    connectorStatus: (query) => orCached('connectors', () => reads.connectorStatus(query)),
    listedCounts: (bookmakers, nowIso) =>
      orCached(`listed ${bookmakers}`, () => reads.listedCounts(bookmakers, nowIso)),
    newestAudits: (sports, failedBefore) =>
      orCached(`audits ${sports}`, () => reads.newestAudits(sports, failedBefore)),
    uptime: (nowIso) => orCached('uptime', () => reads.uptime(nowIso)),
    uptimeHistory: (nowIso, holeMs) => orCached('uptime history', () => reads.uptimeHistory(nowIso, holeMs)),
  };
}

/**
 * For a cached race that had neither jumped nor left the board when read, or whose time on it was still running (D63).
 */
const stillShown = (surface: Surface, race: RaceHead, { at, from }: RaceWindow): boolean =>
  race.start_time >= from && isShown(surface, { ...race, jumped_at: null, left_board_at: null }, Date.parse(at));

/** Equal for equal queries. The bounds of a window move with the clock, so the key has only its length, in minutes. */
function keyOf(query: RaceWindow | ResultsQuery | CoverageQuery): string {
  if (!('until' in query)) return JSON.stringify(query);
  const { from, until, ...rest } = query;
  return JSON.stringify({
    ...rest,
    at: undefined,
    minutes: Math.round((Date.parse(until) - Date.parse(from)) / 60_000),
  });
}
