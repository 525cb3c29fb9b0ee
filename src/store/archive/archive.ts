// Writes the archive of past races (D43): one transaction per race, the same rows from the same facts. A race whose
// stored archive has the same facts is left alone; one with another jump, result or runner is updated and reported as
// replaced.
import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { type ArchivedRace, archiveRace } from '../../domain/archive/archive-race';
import { rescored } from '../../domain/archive/rescored';
import type { StoredSeries } from '../../domain/archive/stored-race';
import { visibleToCustomers } from '../../domain/bookmakers';
import type { Day, Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { audit, leaveBehind } from './audit';
import { recount, saveCounts } from './counts';
import { readMark, settleDue } from './due-races';
import { PAST } from './past';
import { readArchived } from './read-archived';
import { readGaps } from './read-gaps';
import { type ArchivedAs, type ArchiveFacts, readFacts, readSeries } from './read-race';
import {
  type DifferentCount,
  type DifferentTotal,
  daysArchivedSince,
  differingCounts,
  differingTotals,
} from './reconcile';
import { rescoreSummaries } from './rescore-summaries';
import { writeFacts, writePaths, writeRows } from './write-rows';

/**
 * `not_past`: it is on the board, a poller may still write it, or it does not exist. `same`: nothing to do. `written`:
 * for the first time. `replaced`: other facts than before. `facts`: the same, but its ticks are gone, so only what does
 * not need them.
 */
type ArchiveVerdict = 'not_past' | 'same' | 'written' | 'replaced' | 'facts';

interface ArchiveReport {
  readonly verdict: ArchiveVerdict;
  /** For a race that was archived before with another jump. */
  readonly jumpWas: Instant | null;
  readonly jumpAt: Instant | null;
}

export interface ArchiveStore {
  archive(raceId: string, at: Instant): Promise<ArchiveReport>;
  /**
   * As `archive`, but also from the same facts, for rows that differ from the ticks. Once some of the ticks are gone,
   * as `archive`.
   */
  rewrite(raceId: string, at: Instant): Promise<ArchiveReport>;
  /** Past races whose archive is missing or may be older than their facts, newest first: the marked ones. */
  due(most: number): Promise<readonly string[]>;
  /**
   * Compares the next past races with their archive, from the newest back and then again, and marks the differing ones:
   * those that no trigger noticed, such as after new rules, or another race with the same runners. Returns how many it
   * marked.
   */
  audit(most: number): Promise<number>;
  /**
   * Takes races off the board that started more than a day ago and have no workflow, so that they become past. Returns
   * how many.
   */
  leaveBehind(at: Instant): Promise<number>;
  /** Counts of a Sydney day of starts that differ from its rows. */
  differingCounts(day: Day): Promise<readonly DifferentCount[]>;
  /** Totals that differ from those of the months, and months of these days that differ from their days. */
  differingTotals(days: readonly Day[]): Promise<readonly DifferentTotal[]>;
  /** Days of starts with a race archived since. */
  daysArchivedSince(since: Instant): Promise<readonly Day[]>;
}

export function createArchiveStore(pool: Pool): ArchiveStore {
  return {
    archive: (raceId, at) => inTransaction(pool, (client) => archive(client, raceId, at, false)),
    rewrite: (raceId, at) => inTransaction(pool, (client) => archive(client, raceId, at, true)),
    differingCounts: (day) => differingCounts(pool, day),
    differingTotals: (days) => differingTotals(pool, days),
    daysArchivedSince: (since) => daysArchivedSince(pool, since),
    due: async (most) => idsOf(await pool.query<{ id: string }>({ ...DUE, values: [most] })),
    audit: (most) => audit(pool, most),
    leaveBehind: (at) => leaveBehind(pool, at),
  };
}

const idsOf = ({ rows }: { readonly rows: readonly { readonly id: string }[] }): string[] => rows.map(({ id }) => id);

export const DUE = {
  name: 'archive-due',
  text: `SELECT r.race_id AS id FROM due_races d JOIN races r USING (race_id)
   WHERE d.work = 'archive' AND ${PAST} ORDER BY r.start_time DESC, r.race_id LIMIT $1`,
};

/**
 * One archiver of a race at a time. The next pass repeats a commit that a crash undid; ticks are deleted only by a
 * commit that waits for the log.
 */
const BEGIN = {
  name: 'archive-begin',
  text: `SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtextextended($1, 18))`,
};

async function archive(client: ClientBase, raceId: string, at: Instant, anew: boolean): Promise<ArchiveReport> {
  await client.query({ ...BEGIN, values: [raceId] });
  const mark = await readMark(client, 'archive', raceId);
  const race = await readFacts(client, raceId);
  if (!race?.past) return { verdict: 'not_past', jumpWas: null, jumpAt: null };
  const report = await archivePastRace(client, race, at, anew);
  await settleDue(client, 'archive', raceId, mark);
  return report;
}

async function archivePastRace(
  client: ClientBase,
  race: ArchiveFacts,
  at: Instant,
  anew: boolean,
): Promise<ArchiveReport> {
  const { raceId } = race;
  const before = race.archived;
  const rewrites = before !== null && anew && (await ticksStand(client, race, before));
  if (before?.facts === race.facts && !rewrites) return { verdict: 'same', jumpWas: null, jumpAt: before.jumpAt };
  if (before?.ticksDroppedAt) return rescore(client, race, before, at);
  const series = await readSeries(client, race);
  const archived = archiveRace({ ...race, series, gaps: await readGaps(client, race) });
  const rewritten = rewrites ? Date.parse(at) : before && rewrittenAt(before);
  const pathFacts = [pathFactsOf(race, series, archived), ...(rewritten ? [rewritten] : [])].join('.');
  const isSamePath = before?.pathFacts === pathFacts && !rewrites;
  if (before) await clear(client, raceId, isSamePath);
  const { outcome, jumpMs } = archived;
  await writeRows(client, { ...race, outcome, jumpAt: instant(jumpMs), pathFacts, archivedAt: at }, archived);
  if (!isSamePath) await writePaths(client, race, series, archived);
  await saveCounts(client, race, series, archived);
  return reportOf(before, instant(jumpMs), before ? 'replaced' : 'written');
}

/** Whether the race still has ticks for every archived day: it is never rewritten from fewer days. */
async function ticksStand(client: ClientBase, race: ArchiveFacts, before: ArchivedAs): Promise<boolean> {
  if (before.ticksDroppedAt) return false;
  const values = [race.raceId, before.startTime, race.from, race.until];
  const { rows } = await client.query<{ gone: boolean }>(DAYS_GONE, values);
  return !rows[0]!.gone;
}

const days = (from: string): string => `SELECT date_trunc('day', captured_at, 'UTC') FROM ${from}`;

const DAYS_GONE = `
  SELECT EXISTS ((${days('archived_price_paths')} WHERE race_id = $1 AND start_time = $2 UNION ${days('withheld_price_paths')} WHERE race_id = $1 AND start_time = $2)
                 EXCEPT ${days('race_ticks($1, $3, $4)')}) AS gone`;

const instant = (ms: number): Instant => new Date(ms).toISOString();

function reportOf(before: ArchivedAs | null, jumpAt: Instant, verdict: ArchiveVerdict): ArchiveReport {
  return { verdict, jumpAt, jumpWas: before && before.jumpAt !== jumpAt ? before.jumpAt : null };
}

/**
 * Result, scratchings, references and consensus always follow the facts; prices and what is counted to the jump stay as
 * archived.
 */
async function rescore(
  client: ClientBase,
  race: ArchiveFacts,
  before: ArchivedAs,
  at: Instant,
): Promise<ArchiveReport> {
  const archived = rescored(race, await readArchived(client, race.raceId, before.startTime));
  const { startTime, jumpAt, pathFacts } = before;
  await clear(client, race.raceId, true);
  const row = { ...race, startTime, jumpAt, pathFacts, outcome: archived.outcome, archivedAt: at };
  await writeFacts(client, row, archived);
  await rescoreSummaries(client, race.raceId, archived.summaries);
  await recount(client, race.raceId);
  return { verdict: 'facts', jumpAt, jumpWas: null };
}

/**
 * Before its rows are written again, and not earlier: from here on no other race is counted. Once some of its ticks are
 * gone its prices are fixed.
 */
async function clear(client: ClientBase, raceId: string, keepPaths: boolean): Promise<void> {
  await client.query('SELECT add_archived_day($1, -1)', [raceId]);
  await client.query('SELECT clear_archived_race($1, $2)', [raceId, !keepPaths]);
}

/** When rows that differed from the ticks were last rewritten, the third part of `path_facts`; empty: never. */
const rewrittenAt = ({ pathFacts }: ArchivedAs): string | undefined => pathFacts.split('.')[2];

/**
 * The facts behind the rows of the price paths: first those of customers' rows (the checksum of a day reads no more of
 * it), then the rest. Runner numbers belong to the rest, because a withheld book's runner moves them.
 */
function pathFactsOf(
  { startTime }: ArchiveFacts,
  series: readonly StoredSeries[],
  { of, jumpMs }: ArchivedRace,
): string {
  const captured = series.map(({ bookmaker, changes }, i) => {
    const { number, runnerKey } = of[i]!;
    return {
      bookmaker,
      facts: [
        bookmaker,
        number,
        runnerKey,
        changes.flatMap(({ what, atMs }) => (typeof what === 'number' ? [atMs, what] : [])),
      ],
    };
  });
  const factsOf = (visible: boolean): unknown[] =>
    captured.flatMap(({ bookmaker, facts }) => (visibleToCustomers(bookmaker) === visible ? [facts] : []));
  const numbers = series.map(({ number }, i) => [number, of[i]!.runner]);
  return `${digest([startTime, jumpMs, factsOf(true)])}.${digest([numbers, factsOf(false)])}`;
}

const digest = (facts: unknown): string => createHash('sha1').update(JSON.stringify(facts)).digest('base64');
