// Reads and writes the card: the races, the books that list them, and each race's phase. An unchanged card writes
// nothing.
import type { Pool } from 'pg';
import type { JoinCandidate } from '../../domain/race/identity';
import type { NumberedRunner } from '../../domain/race/join-runners';
import type { Category, Day, Instant, RaceIdentity } from '../../domain/race/race';
import { inBatches } from '../pg/in-batches';
import { type CardChange, type PlacedRace, saveCard } from './card';

/** One book's listing of a race, with its own id for it. */
export interface BookOfRace {
  readonly bookmakerKey: string;
  readonly sourceRaceId: string;
  /** The newest stored reply of this book on the race; null: none. */
  readonly polledAt: Instant | null;
}

export interface RaceHeader {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venue: string;
  readonly venueCanonical: string;
  readonly country: string | null;
  readonly startTime: Instant;
  readonly startVersion: number;
  readonly status: 'open' | 'abandoned';
  readonly phase: string;
  readonly marketClosedAt: Instant | null;
  readonly inplayAt: Instant | null;
  readonly jumpedAt: Instant | null;
  readonly leftBoardAt: Instant | null;
}

export type UnfinishedRace = Pick<RaceHeader, 'raceId' | 'phase' | 'startTime'>;

export interface RaceStore {
  /** Races of these meeting days, to join a book's list against. */
  joinCandidates(days: readonly Day[]): Promise<readonly JoinCandidate[]>;
  /**
   * Upserts races, book links and spellings in one transaction. Idempotent. Only the book ranked `startSource` may move
   * a start.
   */
  saveCard(bookmakerKey: string, races: readonly PlacedRace[], at: Instant): Promise<readonly CardChange[]>;
  /** Source race id → race, of this book's links on these days. */
  linksOf(bookmakerKey: string, days: readonly Day[]): Promise<ReadonlyMap<string, string>>;
  /** The books that list the race, with each book's own id for it. */
  booksOf(raceId: string): Promise<readonly BookOfRace[]>;
  /** The card's runners by number and name, to join a book that reports no numbers. */
  runnersOf(raceId: string): Promise<readonly NumberedRunner[]>;
  /** Header of one race for the workflow and its activities; null if there is no such race. */
  raceHeader(raceId: string): Promise<RaceHeader | null>;
  /** Writes the lifecycle's phase and the instants that are set once (`jumped_at`, `left_board_at`). */
  savePhase(
    raceId: string,
    phase: string,
    stamps: { jumpedAt?: Instant; leftBoardAt?: Instant },
    at: Instant,
  ): Promise<void>;
  /** Every race of the meeting (day, category, venue, card), for an abandoned meeting. */
  meetingRaces(raceId: string): Promise<readonly string[]>;
  /**
   * The newest races of these meeting days that started before the instant, have no result, were never followed past
   * their card, and for whose result no book was queried yet.
   */
  unsoughtResults(days: readonly Day[], startedBefore: Instant, limit: number): Promise<readonly string[]>;
  /** The books were queried for the race's result; it is off the board. */
  soughtResult(raceId: string, at: Instant): Promise<void>;
  /**
   * For the sweeper: races whose workflow should be running, because they are not finished within the longest horizon,
   * except those of `except`. Unordered, and all of them: with a limit, old races that wait for their field would delay
   * today's.
   */
  unfinishedRaces(at: Instant, except: readonly string[]): Promise<readonly UnfinishedRace[]>;
}

interface IdentityRow {
  readonly race_id: string;
  readonly meeting_date: Day;
  readonly category: Category;
  readonly venue_id: string;
  readonly race_number: number;
  readonly card: number;
  readonly start_time: Instant;
}

const IDENTITY = 'race_id, meeting_date, category, venue_id, race_number, card, start_time';

const identityOf = (row: IdentityRow) => ({
  meetingDate: row.meeting_date,
  category: row.category,
  venueId: row.venue_id,
  raceNumber: row.race_number,
  card: row.card,
});

export function createRaceStore(pool: Pool): RaceStore {
  return {
    joinCandidates: (days) => joinCandidates(pool, days),
    saveCard: (bookmakerKey, races, at) => saveCard(pool, bookmakerKey, races, at),
    linksOf: (bookmakerKey, days) => linksOf(pool, bookmakerKey, days),
    booksOf: inBatches((raceIds: readonly string[]) => booksOf(pool, raceIds), TOGETHER),
    runnersOf: inBatches((raceIds: readonly string[]) => runnersOf(pool, raceIds), TOGETHER),
    raceHeader: (raceId) => raceHeader(pool, raceId),
    savePhase: (raceId, phase, stamps, at) => savePhase(pool, raceId, phase, stamps, at),
    meetingRaces: (raceId) => meetingRaces(pool, raceId),
    unsoughtResults: (days, startedBefore, limit) => unsoughtResults(pool, days, startedBefore, limit),
    soughtResult: (raceId, at) => soughtResult(pool, raceId, at),
    unfinishedRaces: (at, except) => unfinishedRaces(pool, at, except),
  };
}

async function joinCandidates(pool: Pool, days: readonly Day[]): Promise<readonly JoinCandidate[]> {
  const { rows } = await pool.query<IdentityRow>(
    `SELECT ${IDENTITY} FROM races WHERE meeting_date = ANY ($1::date[])`,
    [days],
  );
  return rows.map((row) => ({ raceId: row.race_id, identity: identityOf(row), startTime: row.start_time }));
}

async function linksOf(pool: Pool, bookmakerKey: string, days: readonly Day[]) {
  const { rows } = await pool.query<{ source: string; race: string }>(
    `SELECT b.source_race_id AS source, b.race_id AS race FROM race_books b JOIN races r USING (race_id)
      WHERE b.bookmaker_key = $1 AND r.meeting_date = ANY ($2::date[])`,
    [bookmakerKey, days],
  );
  return new Map(rows.map(({ source, race }) => [source, race]));
}

/** Races that a process polls read their books, and the names of their runners, in the same moment of a minute. */
const TOGETHER = { lanes: 1, most: 100 };

async function booksOf(pool: Pool, raceIds: readonly string[]) {
  const { rows } = await pool.query<BookOfRace & { raceId: string }>({
    name: 'race-books',
    text: `SELECT race_id AS "raceId", bookmaker_key AS "bookmakerKey", source_race_id AS "sourceRaceId", polled_at AS "polledAt"
             FROM race_books WHERE race_id = ANY ($1::uuid[]) ORDER BY bookmaker_key`,
    values: [raceIds],
  });
  const byRace = new Map(raceIds.map((raceId) => [raceId, [] as BookOfRace[]]));
  for (const { raceId, ...book } of rows) byRace.get(raceId)!.push(book);
  return raceIds.map((raceId) => byRace.get(raceId)!);
}

async function runnersOf(pool: Pool, raceIds: readonly string[]) {
  const { rows } = await pool.query<NumberedRunner & { raceId: string }>({
    name: 'race-runner-names',
    text: `SELECT race_id AS "raceId", number, name FROM race_runners WHERE race_id = ANY ($1::uuid[]) ORDER BY number`,
    values: [raceIds],
  });
  const byRace = new Map(raceIds.map((raceId) => [raceId, [] as NumberedRunner[]]));
  for (const { raceId, ...runner } of rows) byRace.get(raceId)!.push(runner);
  return raceIds.map((raceId) => byRace.get(raceId)!);
}

const HEADER = `
  SELECT ${IDENTITY}, venue, venue_canonical AS "venueCanonical", country, start_version AS "startVersion", status, phase,
         market_closed_at AS "marketClosedAt", inplay_at AS "inplayAt", jumped_at AS "jumpedAt", left_board_at AS "leftBoardAt"
    FROM races WHERE race_id = $1`;

async function raceHeader(pool: Pool, raceId: string): Promise<RaceHeader | null> {
  const { rows } = await pool.query<IdentityRow & RaceHeader>({ name: 'race-header', text: HEADER, values: [raceId] });
  const [row] = rows;
  if (!row) return null;
  const { venue, venueCanonical, country, startVersion, status, phase } = row;
  const { marketClosedAt, inplayAt, jumpedAt, leftBoardAt } = row;
  const stamps = { marketClosedAt, inplayAt, jumpedAt, leftBoardAt };
  const startTime = row.start_time;
  const header = { raceId, identity: identityOf(row), venue, venueCanonical, country, startTime, startVersion };
  return { ...header, status, phase, ...stamps };
}

const SAVE_PHASE = `
  UPDATE races
     SET phase = $2, jumped_at = COALESCE(jumped_at, $3), left_board_at = COALESCE(left_board_at, $4),
         updated_at = GREATEST(updated_at, $5)
   WHERE race_id = $1
     AND (phase, jumped_at, left_board_at) IS DISTINCT FROM ($2, COALESCE(jumped_at, $3), COALESCE(left_board_at, $4))`;

async function savePhase(
  pool: Pool,
  raceId: string,
  phase: string,
  stamps: { jumpedAt?: Instant; leftBoardAt?: Instant },
  at: Instant,
): Promise<void> {
  await pool.query(SAVE_PHASE, [raceId, phase, stamps.jumpedAt, stamps.leftBoardAt, at]);
}

async function meetingRaces(pool: Pool, raceId: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ race_id: string }>(
    `SELECT r.race_id FROM races r JOIN races m USING (meeting_date, category, venue_id, card)
      WHERE m.race_id = $1 ORDER BY r.race_number`,
    [raceId],
  );
  return rows.map((row) => row.race_id);
}

const UNSOUGHT = `
  SELECT r.race_id FROM races r LEFT JOIN race_results o USING (race_id)
   WHERE r.meeting_date = ANY ($1::date[]) AND r.start_time < $2 AND r.phase = 'card' AND r.status = 'open'
     AND o.race_id IS NULL AND r.result_sought_at IS NULL
   ORDER BY r.start_time DESC, r.race_id LIMIT $3`;

async function unsoughtResults(pool: Pool, days: readonly Day[], startedBefore: Instant, limit: number) {
  const { rows } = await pool.query<{ race_id: string }>(UNSOUGHT, [days, startedBefore, limit]);
  return rows.map((row) => row.race_id);
}

/** No workflow took it off the board. */
const SOUGHT = `
  UPDATE races SET result_sought_at = $2, left_board_at = COALESCE(left_board_at, $2) WHERE race_id = $1`;

async function soughtResult(pool: Pool, raceId: string, at: Instant): Promise<void> {
  await pool.query(SOUGHT, [raceId, at]);
}

/** The longest candidate horizon (D25) and a day, so that the last pass is not cut off. */
const HORIZON_DAYS = 11;

/** Races without a result, or with one that may still change or that still awaits its field. */
const UNFINISHED = `
  SELECT r.race_id AS "raceId", r.phase, r.start_time AS "startTime"
    FROM races r LEFT JOIN race_results o USING (race_id) LEFT JOIN race_control c USING (race_id)
   WHERE r.start_time > $1::timestamptz - $2 * interval '1 day'
     AND r.status = 'open'
     -- Given up, and nothing came since.
     AND (c.ended_at IS NULL OR o.updated_at > c.ended_at)
     AND (o.status IS NULL OR o.status = 'interim' OR (o.status = 'final' AND o.field_status IN ('pending', 'overdue')))
     AND NOT EXISTS (SELECT FROM unnest($3::uuid[]) AS running (race_id) WHERE running.race_id = r.race_id)`;

async function unfinishedRaces(pool: Pool, at: Instant, except: readonly string[]): Promise<readonly UnfinishedRace[]> {
  const { rows } = await pool.query<UnfinishedRace>(UNFINISHED, [at, HORIZON_DAYS, except]);
  return rows;
}
