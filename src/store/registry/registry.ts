// Stores what the registry publishes under its own keys: meetings, acceptances, scratching sheets, tracks. Reading the
// same page again updates only the time of reading; a difference is logged once and marks the race for merging.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import type {
  RegistryCard,
  RegistryCondition,
  RegistryListing,
  RegistrySheet,
  RegistryState,
} from '../../domain/registry/registry';
import { mergeRegistry } from '../card/book-cards';
import { inTransaction } from '../pg/transaction';
import { saveRegistryCard } from './acceptances';
import { saveRegistryTracks } from './tracks';

export interface RegistryRaceRow {
  readonly meetingKey: string;
  readonly meetingDate: Day;
  readonly venue: string;
  readonly raceNumber: number;
  readonly startTime: Instant;
}

export interface RegistryStore {
  saveCalendar(listings: readonly RegistryListing[], at: Instant): Promise<void>;
  /** Those of the meetings whose acceptances were never read. */
  unread(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Resolves to the number of races and runners that changed. The meeting must be on the saved calendar. */
  saveAcceptances(card: RegistryCard, at: Instant): Promise<number>;
  /** Resolves to the number of scratchings that came or went. */
  saveSheet(sheet: RegistrySheet, at: Instant): Promise<number>;
  /** Resolves to the number of ratings that came or changed (A 2.9). */
  saveTracks(state: RegistryState, conditions: readonly RegistryCondition[], at: Instant): Promise<number>;
  /** All races of meetings from `from` on that have a race not joined to ours yet. */
  unjoined(from: Day): Promise<readonly (RegistryRaceRow & { readonly raceId: string | null })[]>;
  /** False if our race is already joined to another registry race. */
  join(race: Pick<RegistryRaceRow, 'meetingKey' | 'raceNumber'>, raceId: string): Promise<boolean>;
  /** Merges every registry race that is due into ours, or those of the races `of`. Resolves to their number. */
  mergeDue(at: Instant, of?: readonly string[]): Promise<number>;
}

export function createRegistryStore(pool: Pool): RegistryStore {
  return {
    saveCalendar: (listings, at) => saveCalendar(pool, listings, at),
    unread: (keys) => unread(pool, keys),
    saveAcceptances: (card, at) => saveRegistryCard(pool, card, at),
    saveSheet: (sheet, at) => saveSheet(pool, sheet, at),
    saveTracks: (state, conditions, at) => saveRegistryTracks(pool, state, conditions, at),
    unjoined: (from) => unjoined(pool, from),
    join: (race, raceId) => join(pool, race, raceId),
    mergeDue: (at, of) => mergeDue(pool, at, of ?? null),
  };
}

const SAVE_CALENDAR = `
  INSERT INTO registry_meetings AS stored (meeting_key, meeting_date, state, venue, venue_id, venue_canonical, venue_site,
         published, first_seen_at, listed_at)
  SELECT key, day, state, venue, "venueId", "venueCanonical", "venueSite", acceptances, $2, $2
    FROM jsonb_to_recordset($1) AS l (key text, day date, state text, venue text, "venueId" text, "venueCanonical" text,
         "venueSite" text, acceptances boolean)
   ORDER BY key
      ON CONFLICT (meeting_key) DO UPDATE
     SET published = stored.published OR EXCLUDED.published, listed_at = GREATEST(stored.listed_at, EXCLUDED.listed_at)`;

async function saveCalendar(pool: Pool, listings: readonly RegistryListing[], at: Instant): Promise<void> {
  const rows = new Map(listings.map((one) => [one.key, { ...one, ...resolveVenue(one.venue, 'horse', 'AU') }]));
  if (rows.size > 0) await pool.query(SAVE_CALENDAR, [JSON.stringify([...rows.values()]), at]);
}

async function unread(pool: Pool, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const read = 'SELECT meeting_key FROM registry_meetings WHERE meeting_key = ANY ($1) AND as_of IS NOT NULL';
  const { rows } = await pool.query<{ meeting_key: string }>(read, [keys]);
  const stored = new Set(rows.map(({ meeting_key }) => meeting_key));
  return new Set(keys.filter((key) => !stored.has(key)));
}

/**
 * Inserts new rows of the sheet and deletes removed ones, for the races that the sheet lists; other races keep their
 * rows.
 */
const SAVE_SHEET = `
  WITH reported AS (
    SELECT s."raceNumber" AS race_number, s.number, s.name
      FROM jsonb_to_recordset($2) AS s ("raceNumber" smallint, number smallint, name text)
  ), newer AS (
    UPDATE registry_meetings SET sheet_as_of = $4
     WHERE meeting_key = $1 AND (sheet_as_of IS NULL OR sheet_as_of < $4) RETURNING meeting_key
  ), gone AS (
    DELETE FROM registry_scratchings h USING newer
     WHERE h.meeting_key = newer.meeting_key AND h.race_number = ANY ($3::smallint[])
       AND NOT EXISTS (SELECT FROM reported s WHERE s.race_number = h.race_number AND s.number = h.number)
    RETURNING h.race_number, h.number, h.name, h.sheet_at
  ), come AS (
    INSERT INTO registry_scratchings AS h (meeting_key, race_number, number, name, sheet_at)
    SELECT meeting_key, s.race_number, s.number, s.name, $4 FROM reported s, newer
        ON CONFLICT (meeting_key, race_number, number) DO UPDATE SET name = EXCLUDED.name, sheet_at = EXCLUDED.sheet_at
           WHERE h.name <> EXCLUDED.name
    RETURNING h.race_number, h.number, h.name
  ), logged AS (
    INSERT INTO registry_changes (meeting_key, observed_at, kind, race_number, number, was, is_now)
    SELECT $1, $4, 'scratching', race_number, number, was, is_now
      FROM (SELECT race_number, number, jsonb_build_object('name', name, 'sheetAt', sheet_at) AS was, NULL::jsonb AS is_now
              FROM gone
            UNION ALL SELECT race_number, number, NULL, jsonb_build_object('name', name) FROM come) c
        ON CONFLICT DO NOTHING RETURNING race_number
  )
  UPDATE registry_races SET merge_due = true
   WHERE meeting_key = $1 AND race_number IN (SELECT race_number FROM logged) AND NOT merge_due`;

async function saveSheet(pool: Pool, { key, races }: RegistrySheet, at: Instant): Promise<number> {
  return inTransaction(pool, async (client) => {
    const reported = races.flatMap(({ raceNumber, scratched }) => scratched.map((row) => ({ raceNumber, ...row })));
    const unique = new Map(reported.map((row) => [`${row.raceNumber}/${row.number}`, row]));
    const numbers = races.map((race) => race.raceNumber);
    await client.query(SAVE_SHEET, [key, JSON.stringify([...unique.values()]), numbers, at]);
    const { rows } = await client.query<{ changes: number }>(
      `SELECT count(*)::int AS changes FROM registry_changes
        WHERE meeting_key = $1 AND observed_at = $2 AND kind = 'scratching'`,
      [key, at],
    );
    return rows[0]!.changes;
  });
}

/** Whole meetings, because a list is joined as one (D17). */
const UNJOINED = `
  SELECT r.meeting_key AS "meetingKey", m.meeting_date AS "meetingDate", m.venue, r.race_number AS "raceNumber",
         r.start_time AS "startTime", r.race_id AS "raceId"
    FROM registry_races r JOIN registry_meetings m USING (meeting_key)
   WHERE m.meeting_date >= $1 AND r.start_time IS NOT NULL
     AND EXISTS (SELECT FROM registry_races x WHERE x.meeting_key = r.meeting_key AND x.race_id IS NULL)
   ORDER BY r.meeting_key, r.race_number`;

async function unjoined(pool: Pool, from: Day) {
  const { rows } = await pool.query<RegistryRaceRow & { raceId: string | null }>(UNJOINED, [from]);
  return rows;
}

async function join(
  pool: Pool,
  { meetingKey, raceNumber }: Pick<RegistryRaceRow, 'meetingKey' | 'raceNumber'>,
  raceId: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE registry_races SET race_id = $3, merge_due = true
      WHERE meeting_key = $1 AND race_number = $2 AND race_id IS NULL
        AND NOT EXISTS (SELECT FROM registry_races x WHERE x.race_id = $3)`,
    [meetingKey, raceNumber, raceId],
  );
  return rowCount === 1;
}

async function mergeDue(pool: Pool, at: Instant, of: readonly string[] | null): Promise<number> {
  const { rows } = await pool.query<{ race_id: string }>(
    `SELECT race_id FROM registry_races
      WHERE merge_due AND race_id IS NOT NULL AND ($1::uuid[] IS NULL OR race_id = ANY ($1)) ORDER BY race_id`,
    [of],
  );
  for (const { race_id } of rows) await mergeRegistry(pool, race_id, at);
  return rows.length;
}
