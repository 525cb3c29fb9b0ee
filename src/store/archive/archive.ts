// Writes the archive of past races (D43): one transaction per race, the same rows from the same facts. A race whose facts are those of its stored
// archive is left alone; one with another jump, result or runner is brought up to date, and says so.
import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { type ArchivedRace, archiveRace } from '../../domain/archive/archive-race';
import { rescored } from '../../domain/archive/rescored';
import type { StoredSeries } from '../../domain/archive/stored-race';
import type { Day, Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import { inTransaction } from '../pg/transaction';
import { readArchived } from './read-archived';
import { type RaceFacts, readFacts, readSeries } from './read-race';
import { countedDay, type DayCount } from './reconcile';
import { writeLines, writePaths, writeRunners, writeSummaries } from './write-rows';

/**
 * `not_past`: it is on the board, a poller may still write it, or there is no such race. `same`: nothing to do. `written`: for the first time.
 * `replaced`: other facts than before. `facts`: the same, but its ticks are gone, so only what does not need them.
 */
type ArchiveVerdict = 'not_past' | 'same' | 'written' | 'replaced' | 'facts';

interface ArchiveReport {
  readonly verdict: ArchiveVerdict;
  /** Of a race that was archived before with another jump. */
  readonly jumpWas: Instant | null;
  readonly jumpAt: Instant | null;
}

/** Races whose stored facts are compared with today's: those that started in a span, or older ones whose result was written since. */
type Compared =
  | { readonly startedFrom: Instant; readonly startedUntil: Instant }
  | { readonly startedBefore: Instant; readonly resultedSince: Instant };

export interface ArchiveStore {
  archive(raceId: string, at: Instant): Promise<ArchiveReport>;
  /** Past races without an archive, newest first. */
  missing(most: number): Promise<readonly string[]>;
  /** Archived races that have other facts than their archive. Compares each: a day of races takes some tenths of a second. */
  outdated(compared: Compared): Promise<readonly string[]>;
  /** The counts of a Sydney day of starts, beside its rows. */
  counted(day: Day): Promise<readonly DayCount[]>;
}

export function createArchiveStore(pool: Pool): ArchiveStore {
  return {
    archive: (raceId, at) => inTransaction(pool, (client) => archive(client, raceId, at)),
    counted: (day) => countedDay(pool, day),
    missing: async (most) => idsOf(await pool.query<{ id: string }>(MISSING, [most])),
    outdated: async (compared) =>
      idsOf(
        await ('startedFrom' in compared
          ? pool.query<{ id: string }>(OUTDATED, [compared.startedFrom, compared.startedUntil])
          : pool.query<{ id: string }>(RESULTED, [compared.startedBefore, compared.resultedSince])),
      ),
  };
}

const idsOf = ({ rows }: { readonly rows: readonly { readonly id: string }[] }): string[] => rows.map(({ id }) => id);

/** Over races `r`: off the board, and no poller may write it. */
const PAST = `r.left_board_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM race_control c WHERE c.race_id = r.race_id AND c.tier <> 'none')`;

const MISSING = `
  SELECT r.race_id AS id FROM races r
   WHERE ${PAST} AND NOT EXISTS (SELECT FROM archived_races a WHERE a.race_id = r.race_id)
   ORDER BY r.start_time DESC, r.race_id LIMIT $1`;

const OUTDATED = `
  SELECT r.race_id AS id FROM races r JOIN archived_races a USING (race_id)
   WHERE r.start_time >= $1 AND r.start_time < $2 AND ${PAST} AND a.facts <> archive_facts(r.race_id)`;

const RESULTED = `
  SELECT r.race_id AS id FROM race_results x JOIN races r USING (race_id) JOIN archived_races a USING (race_id)
   WHERE x.updated_at >= $2 AND r.start_time < $1 AND ${PAST} AND a.facts <> archive_facts(r.race_id)`;

interface Before {
  readonly startTime: Instant;
  readonly jumpAt: Instant;
  readonly facts: string;
  readonly pathFacts: string;
  readonly ticksDroppedAt: Instant | null;
}

const BEFORE = `
  SELECT start_time AS "startTime", jump_at AS "jumpAt", facts, path_facts AS "pathFacts", ticks_dropped_at AS "ticksDroppedAt"
    FROM archived_races WHERE race_id = $1`;

async function archive(client: ClientBase, raceId: string, at: Instant): Promise<ArchiveReport> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 18))', [raceId]);
  const race = await readFacts(client, raceId);
  if (!race?.past) return { verdict: 'not_past', jumpWas: null, jumpAt: null };
  const before = (await client.query<Before>(BEFORE, [raceId])).rows[0] ?? null;
  if (before?.facts === race.facts) return { verdict: 'same', jumpWas: null, jumpAt: before.jumpAt };
  if (before) await client.query('SELECT add_archived_day($1, -1)', [raceId]);
  if (before?.ticksDroppedAt) return rescore(client, race, before, at);
  const series = await readSeries(client, race);
  const archived = archiveRace({ ...race, series });
  const pathFacts = pathFactsOf(race, series, archived);
  const isSamePath = before?.pathFacts === pathFacts;
  if (before) await clear(client, raceId, before, isSamePath);
  await saveRace(client, race, archived, pathFacts, at);
  await writeRunners(client, raceId, archived);
  await writeLines(client, race, archived);
  await writeSummaries(client, race, archived);
  if (!isSamePath) await writePaths(client, race, series, archived);
  await client.query('SELECT count_archived_race($1)', [raceId]);
  return reportOf(before, archived.jumpMs, before ? 'replaced' : 'written');
}

function reportOf(before: Before | null, jumpMs: number, verdict: ArchiveVerdict): ArchiveReport {
  const jumpAt = new Date(jumpMs).toISOString();
  return { verdict, jumpAt, jumpWas: before && before.jumpAt !== jumpAt ? before.jumpAt : null };
}

/** Result, scratchings, references and consensus follow the facts for ever; prices and what is counted to the jump stay as they were archived. */
async function rescore(client: ClientBase, race: RaceFacts, before: Before, at: Instant): Promise<ArchiveReport> {
  const archived = rescored(race, await readArchived(client, race.raceId, before.startTime));
  const kept = { ...race, startTime: before.startTime };
  await client.query('DELETE FROM archived_runners WHERE race_id = $1', [race.raceId]);
  await saveRace(client, kept, { ...archived, jumpMs: Date.parse(before.jumpAt) }, before.pathFacts, at);
  await writeRunners(client, race.raceId, archived);
  await client.query(DROP_SCRATCHED, [before.startTime, race.raceId]);
  await client.query('SELECT count_archived_race($1)', [race.raceId]);
  return { verdict: 'facts', jumpAt: before.jumpAt, jumpWas: null };
}

/** Scratched runners have no summary. */
const DROP_SCRATCHED = `
  DELETE FROM archived_summaries s USING archived_runners u
   WHERE s.start_time = $1 AND s.race_id = $2 AND u.race_id = s.race_id AND u.runner = s.runner AND u.scratched`;

const LINES = ['archived_closing_lines', 'withheld_closing_lines', 'archived_summaries'];
const PATHS = ['archived_price_paths', 'withheld_price_paths'];

async function clear(client: ClientBase, raceId: string, { startTime }: Before, keepPaths: boolean): Promise<void> {
  for (const table of keepPaths ? LINES : [...LINES, ...PATHS]) {
    await client.query(`DELETE FROM ${table} WHERE start_time = $1 AND race_id = $2`, [startTime, raceId]);
  }
  await client.query('DELETE FROM archived_runners WHERE race_id = $1', [raceId]);
}

/** What the rows of the price paths follow from. */
function pathFactsOf({ startTime }: RaceFacts, series: readonly StoredSeries[], { of, jumpMs }: ArchivedRace): string {
  const captured = series.map(({ bookmaker, number, changes }, i) => [
    bookmaker,
    number,
    of[i]!.runner,
    changes.flatMap(({ what, atMs }) => (typeof what === 'number' ? [atMs, what] : [])),
  ]);
  return createHash('sha1')
    .update(JSON.stringify([startTime, jumpMs, captured]))
    .digest('base64');
}

const SAVE = `
  INSERT INTO archived_races (race_id, start_time, jump_at, start_day, meeting_date, category, venue, venue_id, venue_site, race_number, country,
         result_status, venue_split_suspect, outcome, facts, path_facts, archived_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  ON CONFLICT (race_id) DO UPDATE
     SET start_time = EXCLUDED.start_time, jump_at = EXCLUDED.jump_at, start_day = EXCLUDED.start_day, meeting_date = EXCLUDED.meeting_date,
         category = EXCLUDED.category, venue = EXCLUDED.venue, venue_id = EXCLUDED.venue_id, venue_site = EXCLUDED.venue_site,
         race_number = EXCLUDED.race_number, country = EXCLUDED.country, result_status = EXCLUDED.result_status,
         venue_split_suspect = EXCLUDED.venue_split_suspect, outcome = EXCLUDED.outcome, facts = EXCLUDED.facts,
         path_facts = EXCLUDED.path_facts, archived_at = EXCLUDED.archived_at`;

type Saved = Pick<ArchivedRace, 'jumpMs' | 'outcome'>;

async function saveRace(
  client: ClientBase,
  race: RaceFacts,
  { jumpMs, outcome }: Saved,
  pathFacts: string,
  at: Instant,
) {
  const { raceId, startTime, meetingDate, category, venue, venueId, venueSite, raceNumber, country } = race;
  const day = aetDay(Date.parse(startTime));
  await client.query({
    name: 'archive-race',
    text: SAVE,
    values: [
      ...[
        raceId,
        startTime,
        new Date(jumpMs).toISOString(),
        day,
        meetingDate,
        category,
        venue,
        venueId,
        venueSite,
        raceNumber,
        country,
      ],
      ...[race.resultStatus, race.venueSplitSuspect, outcome, race.facts, pathFacts, at],
    ],
  });
}
