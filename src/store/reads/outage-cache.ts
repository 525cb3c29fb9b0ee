// While the database cannot be reached the API answers from what it last read: the same question gets its last answer, whose ages grow
// by themselves, since they are computed when it is served. A question that was not asked lately is `unavailable`. Never invents a row.
import { LRUCache } from 'lru-cache';
import { databaseAway } from '../../errors';
import { isUnreachable } from '../pg/unreachable';
import type { RaceWindow } from './races/race-window';
import type { Reads } from './reads';
import type { CoverageQuery } from './results/coverage';
import type { ResultsQuery } from './results/results';

/** Boards are megabytes: only what is asked again and again is worth holding. */
const MOST_HELD = 50;
/** Past this an answer says nothing of the live market any more. */
const LONGEST_MS = 15 * 60_000;

interface Kept {
  readonly value: unknown;
  readonly atMs: number;
}

/** `wallMs`: a clock for how long ago something was read. */
export function withOutageCache(reads: Reads, wallMs: () => number = Date.now): Reads {
  const kept = new LRUCache<string, Kept>({ max: MOST_HELD });

  async function ask<T>(question: string, read: () => Promise<T>): Promise<T> {
    try {
      const value = await read();
      kept.set(question, { value, atMs: wallMs() });
      return value;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const held = kept.get(question);
      if (held && wallMs() - held.atMs < LONGEST_MS) return held.value as T;
      throw databaseAway('The database is unavailable and no recent answer to this query is cached.');
    }
  }

  return {
    ...reads,
    board: async (query) => {
      const races = await ask(`board ${questionOf(query)}`, () => reads.board(query));
      return races.filter((race) => race.start_time >= query.from);
    },
    events: async (query) => {
      const races = await ask(`events ${questionOf(query)}`, () => reads.events(query));
      return races.filter((race) => race.start_time >= query.from);
    },
    findRaces: (question, bookmakers) =>
      ask(`asked ${JSON.stringify([question, bookmakers])}`, () => reads.findRaces(question, bookmakers)),
    capturedPrices: (query) => ask(`captured ${JSON.stringify(query)}`, () => reads.capturedPrices(query)),
    raceExotics: (raceId) => ask(`exotics ${raceId}`, () => reads.raceExotics(raceId)),
    raceForm: (raceId) => ask(`form ${raceId}`, () => reads.raceForm(raceId)),
    pastRuns: (runs) => ask(`runs ${JSON.stringify(runs)}`, () => reads.pastRuns(runs)),
    results: (query) => ask(`results ${questionOf(query)}`, () => reads.results(query)),
    resultsCoverage: (query) => ask(`coverage ${questionOf(query)}`, () => reads.resultsCoverage(query)),
    acceptances: (day) => ask(`acceptances ${day}`, () => reads.acceptances(day)),
    trackConditions: (query) => ask(`tracks ${JSON.stringify(query)}`, () => reads.trackConditions(query)),
    venues: (nowIso) => ask('venues', () => reads.venues(nowIso)),
    connectorHealth: () => ask('health', () => reads.connectorHealth()),
    connectorStatus: (query) => ask('connectors', () => reads.connectorStatus(query)),
    uptime: (nowIso) => ask('uptime', () => reads.uptime(nowIso)),
  };
}

/** What is asked for. The instants of a window move with the clock: they become their distance, in minutes. */
function questionOf(query: RaceWindow | ResultsQuery | CoverageQuery): string {
  if (!('until' in query)) return JSON.stringify(query);
  const { from, until, ...rest } = query;
  return JSON.stringify({ ...rest, minutes: Math.round((Date.parse(until) - Date.parse(from)) / 60_000) });
}
