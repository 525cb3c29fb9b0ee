// Stores the results that registries publish, under the registries' own keys, and the race of the service that each
// belongs to. Reading the same document again updates only the time of reading.
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import type { FieldSource } from '../../domain/results/field-coverage';
import type { PublishedListing, PublishedMeeting, PublishedRace } from '../../domain/results/published-results';
import { ORDER_ABANDONMENT, versionOf } from '../polls/unseen';
import { type CollectedRaceReads, createCollectedRaceReads } from './published-races';

export interface DocumentId {
  readonly source: FieldSource;
  readonly key: string;
}

/** A document of a registry's list. */
export interface PublishedDocument extends DocumentId {
  readonly region: string;
  readonly day: Day;
  readonly venueId: string;
  /** When it was last read; null if never. */
  readonly asOf: Instant | null;
  /** Races of ours that its results, or the same meeting's acceptances, are joined to. */
  readonly raceIds: readonly string[];
}

export interface StoredPublishedRace extends Pick<PublishedRace, 'raceNumber' | 'startTime' | 'stage'> {
  /** Null unless the stage is `interim` or `final`. */
  readonly runners: PublishedRace['runners'] | null;
  readonly raceId: string | null;
  /** The race of ours that the same meeting's acceptances joined to this number. */
  readonly acceptedAs: string | null;
}

export interface StoredMeeting extends DocumentId, Pick<PublishedMeeting, 'category' | 'day' | 'venue' | 'note'> {
  readonly venueId: string;
  readonly races: readonly StoredPublishedRace[];
}

/** One region's list of some days. */
interface PublishedList {
  readonly source: FieldSource;
  readonly category: Category;
  readonly region: string;
  readonly from: Day;
  readonly to: Day;
  readonly listings: readonly PublishedListing[];
}

export interface PublishedStore extends CollectedRaceReads {
  saveList(list: PublishedList, at: Instant): Promise<void>;
  /** Regions whose list of this day was read at `since` or later. */
  listedSince(source: FieldSource, day: Day, since: Instant): Promise<ReadonlySet<string>>;
  documents(source: FieldSource, from: Day, to: Day): Promise<readonly PublishedDocument[]>;
  /**
   * Resolves to the number of new or changed races. The meeting must be on a saved list; an older reading changes
   * nothing.
   */
  saveMeeting(meeting: PublishedMeeting, at: Instant): Promise<number>;
  /** Null: never read. */
  readAt(document: DocumentId): Promise<Instant | null>;
  meeting(document: DocumentId): Promise<StoredMeeting | null>;
  /** False if our race is already joined to another race of this registry. */
  join(document: DocumentId, raceNumber: number, raceId: string): Promise<boolean>;
  /** Stores why the race is not joined or its field not written; null: no objection. True if the reason is new. */
  refuse(document: DocumentId, raceNumber: number, reason: string | null): Promise<boolean>;
  /** The notice last applied, by race of ours. */
  notices(document: DocumentId): Promise<ReadonlyMap<string, string>>;
  keepNotice(document: DocumentId, raceId: string, note: string, at: Instant): Promise<void>;
  /**
   * As `keepNotice`, and also orders the race abandoned in the same statement: each notice once. Returns the order's
   * version.
   */
  orderByNotice(document: DocumentId, raceId: string, note: string, at: Instant): Promise<number>;
  dropNotice(document: DocumentId, raceId: string): Promise<void>;
}

export function createPublishedStore(pool: Pool): PublishedStore {
  return {
    ...createCollectedRaceReads(pool),
    saveList: (list, at) => saveList(pool, list, at),
    listedSince: (source, day, since) => listedSince(pool, source, day, since),
    documents: (source, from, to) => documents(pool, source, from, to),
    saveMeeting: (meeting, at) => saveMeeting(pool, meeting, at),
    readAt: (document) => readAt(pool, document),
    meeting: (document) => meeting(pool, document),
    join: (document, raceNumber, raceId) => join(pool, document, raceNumber, raceId),
    refuse: (document, raceNumber, reason) => refuse(pool, document, raceNumber, reason),
    notices: (document) => notices(pool, document),
    keepNotice: (document, raceId, note, at) => keepNotice(pool, document, raceId, note, at),
    orderByNotice: (document, raceId, note, at) => orderByNotice(pool, document, raceId, note, at),
    dropNotice: (document, raceId) => dropNotice(pool, document, raceId),
  };
}

const SAVE_LIST = `
  WITH days AS (
    INSERT INTO published_lists AS stored (source, region, day, read_at)
    SELECT $1, $2, day, $5 FROM generate_series($3::date, $4::date, interval '1 day') AS day
        ON CONFLICT (source, region, day) DO UPDATE SET read_at = GREATEST(stored.read_at, EXCLUDED.read_at)
  )
  INSERT INTO published_meetings AS stored (source, document_key, category, meeting_date, region, venue, venue_id, listed_at)
  SELECT $1, key, $6, day, $2, venue, "venueId", $5
    FROM jsonb_to_recordset($7) AS l (key text, day date, venue text, "venueId" text)
   ORDER BY key
      -- A meeting that is postponed or transferred may keep its key.
      ON CONFLICT (source, document_key) DO UPDATE
     SET meeting_date = EXCLUDED.meeting_date, region = EXCLUDED.region, venue = EXCLUDED.venue, venue_id = EXCLUDED.venue_id,
         listed_at = EXCLUDED.listed_at
   WHERE EXCLUDED.listed_at >= stored.listed_at`;

async function saveList(pool: Pool, list: PublishedList, at: Instant): Promise<void> {
  const { source, region, from, to, category, listings } = list;
  const rows = new Map(listings.map((one) => [one.key, { ...one, ...resolveVenue(one.venue, category, 'AU') }]));
  await pool.query(SAVE_LIST, [source, region, from, to, at, category, JSON.stringify([...rows.values()])]);
}

async function listedSince(pool: Pool, source: FieldSource, day: Day, since: Instant): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ region: string }>(
    'SELECT region FROM published_lists WHERE source = $1 AND day = $2 AND read_at >= $3',
    [source, day, since],
  );
  return new Set(rows.map(({ region }) => region));
}

/**
 * The thoroughbred registry has one key for all documents of a meeting, so joined acceptances also identify its
 * results.
 */
const DOCUMENTS = `
  SELECT m.source, m.document_key AS key, m.region, m.meeting_date AS day, m.venue_id AS "venueId", m.as_of AS "asOf",
         ARRAY(SELECT p.race_id FROM published_races p
                WHERE p.source = m.source AND p.document_key = m.document_key AND p.race_id IS NOT NULL
               UNION
               SELECT g.race_id FROM registry_races g
                WHERE m.source = 'racing_australia' AND g.meeting_key = m.document_key AND g.race_id IS NOT NULL) AS "raceIds"
    FROM published_meetings m
   WHERE m.source = $1 AND m.meeting_date BETWEEN $2 AND $3 ORDER BY m.meeting_date DESC, m.document_key`;

async function documents(pool: Pool, source: FieldSource, from: Day, to: Day): Promise<readonly PublishedDocument[]> {
  const { rows } = await pool.query<PublishedDocument>(DOCUMENTS, [source, from, to]);
  return rows;
}

const SAVE_MEETING = `
  WITH newer AS (
    UPDATE published_meetings SET note = $3, as_of = $4
     WHERE source = $1 AND document_key = $2 AND (as_of IS NULL OR as_of < $4) RETURNING source, document_key
  ), reported AS (
    SELECT source, document_key, r.*
      FROM newer, jsonb_to_recordset($5) AS r ("raceNumber" smallint, "startTime" timestamptz, "distanceM" integer,
           "raceName" text, stage text, runners jsonb)
  ), gone AS (
    DELETE FROM published_races stored USING newer
     WHERE (stored.source, stored.document_key) = (newer.source, newer.document_key)
       AND NOT EXISTS (SELECT FROM reported WHERE reported."raceNumber" = stored.race_number)
  ), come AS (
    INSERT INTO published_races AS stored (source, document_key, race_number, start_time, distance_m, race_name, stage, runners,
           updated_at)
    SELECT source, document_key, "raceNumber", "startTime", "distanceM", "raceName", stage, runners, $4 FROM reported
        ON CONFLICT (source, document_key, race_number) DO UPDATE
       SET start_time = EXCLUDED.start_time, distance_m = EXCLUDED.distance_m, race_name = EXCLUDED.race_name,
           stage = EXCLUDED.stage, runners = EXCLUDED.runners, updated_at = EXCLUDED.updated_at
     WHERE (stored.start_time, stored.distance_m, stored.race_name, stored.stage, stored.runners) IS DISTINCT FROM
           (EXCLUDED.start_time, EXCLUDED.distance_m, EXCLUDED.race_name, EXCLUDED.stage, EXCLUDED.runners)
    RETURNING race_number
  )
  SELECT count(*)::int AS changed FROM come`;

async function saveMeeting(pool: Pool, { source, key, note, races }: PublishedMeeting, at: Instant): Promise<number> {
  // One row per number; if the document lists a race twice the last row wins.
  const rows = new Map(races.map((race) => [race.raceNumber, { ...race, runners: nullIfEmpty(race.runners) }]));
  const values = [source, key, note, at, JSON.stringify([...rows.values()])];
  const { rows: counted } = await pool.query<{ changed: number }>(SAVE_MEETING, values);
  return counted[0]!.changed;
}

const nullIfEmpty = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);

async function readAt(pool: Pool, { source, key }: DocumentId): Promise<Instant | null> {
  const { rows } = await pool.query<{ as_of: Instant | null }>(
    'SELECT as_of FROM published_meetings WHERE source = $1 AND document_key = $2',
    [source, key],
  );
  return rows[0]?.as_of ?? null;
}

const MEETING = `
  SELECT m.source, m.document_key AS key, m.category, m.meeting_date AS day, m.venue, m.venue_id AS "venueId", m.note
    FROM published_meetings m WHERE m.source = $1 AND m.document_key = $2`;

const RACES = `
  SELECT p.race_number AS "raceNumber", p.start_time AS "startTime", p.stage, p.runners, p.race_id AS "raceId",
         g.race_id AS "acceptedAs"
    FROM published_races p
    LEFT JOIN registry_races g
      ON p.source = 'racing_australia' AND g.meeting_key = p.document_key AND g.race_number = p.race_number
   WHERE p.source = $1 AND p.document_key = $2 ORDER BY p.race_number`;

async function meeting(pool: Pool, { source, key }: DocumentId): Promise<StoredMeeting | null> {
  const { rows } = await pool.query<Omit<StoredMeeting, 'races'>>(MEETING, [source, key]);
  if (!rows[0]) return null;
  const races = await pool.query<StoredPublishedRace>(RACES, [source, key]);
  return { ...rows[0], races: races.rows };
}

async function join(pool: Pool, { source, key }: DocumentId, raceNumber: number, raceId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE published_races SET race_id = $4
      WHERE source = $1 AND document_key = $2 AND race_number = $3 AND COALESCE(race_id, $4) = $4
        AND NOT EXISTS (SELECT FROM published_races x
                         WHERE x.race_id = $4 AND x.source = $1 AND (x.document_key, x.race_number) <> ($2, $3))`,
    [source, key, raceNumber, raceId],
  );
  return rowCount === 1;
}

async function refuse(
  pool: Pool,
  { source, key }: DocumentId,
  raceNumber: number,
  reason: string | null,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE published_races SET refused = $4
      WHERE source = $1 AND document_key = $2 AND race_number = $3 AND refused IS DISTINCT FROM $4`,
    [source, key, raceNumber, reason],
  );
  return rowCount === 1 && reason !== null;
}

async function notices(pool: Pool, { source, key }: DocumentId): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ race_id: string; note: string }>(
    'SELECT race_id, note FROM abandonment_notices WHERE source = $1 AND document_key = $2',
    [source, key],
  );
  return new Map(rows.map(({ race_id, note }) => [race_id, note]));
}

const KEEP_NOTICE = `
  INSERT INTO abandonment_notices (race_id, source, document_key, note, told_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (race_id, source) DO UPDATE
     SET document_key = EXCLUDED.document_key, note = EXCLUDED.note, told_at = EXCLUDED.told_at`;

async function keepNotice(pool: Pool, { source, key }: DocumentId, raceId: string, note: string, at: Instant) {
  await pool.query(KEEP_NOTICE, [raceId, source, key, note, at]);
}

/** A notice that was withdrawn and comes again is a new order, distinguished by its instant. */
const ORDER_BY_NOTICE = `
  WITH kept AS (${KEEP_NOTICE} RETURNING *),
  ordered AS (SELECT race_id, note, source, concat_ws(' ', source, document_key, told_at) AS order_id, told_at AS at FROM kept)
  ${ORDER_ABANDONMENT}`;

const orderByNotice = (pool: Pool, { source, key }: DocumentId, raceId: string, note: string, at: Instant) =>
  versionOf(pool, raceId, ORDER_BY_NOTICE, [raceId, source, key, note, at]);

async function dropNotice(pool: Pool, { source, key }: DocumentId, raceId: string): Promise<void> {
  await pool.query('DELETE FROM abandonment_notices WHERE race_id = $1 AND source = $2 AND document_key = $3', [
    raceId,
    source,
    key,
  ]);
}
