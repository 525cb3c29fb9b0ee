// Stores the official state of each meeting's track (A 2.9): one row per meeting under its canonical venue, each field
// with the reading that last stated it. Logs a change only if the rating differs in meaning.
import type { ClientBase, Pool } from 'pg';
import type { Day, Instant } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import type { RegistryCondition, RegistryState } from '../../domain/registry/registry';
import { sameCondition, statesCondition } from '../../domain/registry/track-condition';
import { stampMeeting } from '../card/condition-stamp';
import { inTransaction } from '../pg/transaction';

interface Meeting {
  readonly day: Day;
  readonly venueId: string;
}
type Reading = Meeting & Omit<RegistryCondition, 'day'>;
type StoredTrack = Meeting & Pick<RegistryCondition, 'trackCondition' | 'rail' | 'weather'>;
interface Change extends Reading {
  readonly previous: string | null;
}

export async function saveRegistryTracks(
  pool: Pool,
  state: RegistryState,
  conditions: readonly RegistryCondition[],
  at: Instant,
): Promise<number> {
  const readings = foldVenues(conditions);
  if (readings.length === 0) return 0;
  const changes = await inTransaction(pool, async (client) => {
    const stored = await storedTracks(client, readings);
    await client.query(WRITE, [JSON.stringify(readings), state, at]);
    const found = readings.flatMap((row) => changeOf(row, stored));
    await logChanges(client, found, at);
    const moved = readings.filter((row) => isMoved(row, stored.get(placeOf(row))));
    await markRaces(client, moved);
    return found;
  });
  for (const { day, venueId } of changes.filter(({ previous }) => previous !== null)) {
    await stampMeeting(pool, { category: 'horse', meeting_date: day, venue_id: venueId }, at);
  }
  return changes.length;
}

const placeOf = ({ day, venueId }: Meeting): string => `${day} ${venueId}`;

/** One row per meeting, whatever its spellings: the last that has a rating, otherwise the last. */
function foldVenues(conditions: readonly RegistryCondition[]): readonly Reading[] {
  const rows = new Map<string, Reading>();
  for (const condition of conditions) {
    const row = { ...condition, venueId: resolveVenue(condition.venue, 'horse', 'AU').venueId };
    const before = rows.get(placeOf(row));
    if (!before || row.trackCondition !== null) rows.set(placeOf(row), row);
  }
  return [...rows.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

async function storedTracks(
  client: ClientBase,
  readings: readonly Reading[],
): Promise<ReadonlyMap<string, StoredTrack>> {
  const { rows } = await client.query<StoredTrack>(
    `SELECT meeting_date AS day, venue_id AS "venueId", track_condition AS "trackCondition", rail, weather FROM registry_tracks
      WHERE (meeting_date, venue_id) IN (SELECT * FROM unnest($1::date[], $2::text[]))
      ORDER BY meeting_date, venue_id FOR UPDATE`,
    [readings.map(({ day }) => day), readings.map(({ venueId }) => venueId)],
  );
  return new Map(rows.map((row) => [placeOf(row), row]));
}

function changeOf(row: Reading, stored: ReadonlyMap<string, StoredTrack>): Change[] {
  const before = stored.get(placeOf(row))?.trackCondition ?? null;
  const previous = statesCondition(before) ? before : null;
  if (!statesCondition(row.trackCondition) || sameCondition(previous, row.trackCondition)) return [];
  return [{ ...row, previous }];
}

const FIELDS: Readonly<Record<string, string>> = {
  track_condition: 'trackCondition',
  rail: 'rail',
  weather: 'weather',
  penetrometer: 'penetrometer',
  rainfall: 'rainfall',
  irrigation: 'irrigation',
  updated_text: 'updated',
};
const columns = Object.keys(FIELDS);

/** A field that is no longer stated keeps its value and its age. */
const WRITE = `
  INSERT INTO registry_tracks AS stored (meeting_date, venue_id, state, venue, ${columns.join(', ')}, field_as_of, as_of)
  SELECT day, "venueId", $2, venue, ${columns.map((column) => `"${FIELDS[column]}"`).join(', ')},
         jsonb_strip_nulls(jsonb_build_object(${columns
           .map((column) => `'${column}', CASE WHEN "${FIELDS[column]}" IS NOT NULL THEN $3::text END`)
           .join(', ')})), $3::text::timestamptz
    FROM jsonb_to_recordset($1) AS n (day date, "venueId" text, venue text,
         ${columns.map((column) => `"${FIELDS[column]}" text`).join(', ')})
      ON CONFLICT (meeting_date, venue_id) DO UPDATE
     SET ${columns.map((column) => `${column} = COALESCE(EXCLUDED.${column}, stored.${column})`).join(', ')},
         venue = EXCLUDED.venue, field_as_of = stored.field_as_of || EXCLUDED.field_as_of, as_of = EXCLUDED.as_of
   WHERE stored.as_of < EXCLUDED.as_of`;

async function logChanges(client: ClientBase, changes: readonly Change[], at: Instant): Promise<void> {
  if (changes.length === 0) return;
  await client.query(
    `INSERT INTO registry_track_changes (meeting_date, venue_id, observed_at, track_condition, rail, weather,
            prev_track_condition)
     SELECT day, "venueId", $2, "trackCondition", rail, weather, previous
       FROM jsonb_to_recordset($1) AS c (day date, "venueId" text, "trackCondition" text, rail text, weather text,
            previous text)
         ON CONFLICT DO NOTHING`,
    [JSON.stringify(changes), at],
  );
}

/** Whether our races need the new values. */
const isMoved = (row: Reading, stored: StoredTrack | undefined): boolean =>
  (['trackCondition', 'rail', 'weather'] as const).some((name) => row[name] !== null && row[name] !== stored?.[name]);

async function markRaces(client: ClientBase, readings: readonly Reading[]): Promise<void> {
  await client.query(
    `UPDATE registry_races r SET merge_due = true
       FROM registry_meetings m, unnest($1::date[], $2::text[]) AS t (day, venue_id)
      WHERE m.meeting_key = r.meeting_key AND m.meeting_date = t.day AND m.venue_id = t.venue_id AND NOT r.merge_due`,
    [readings.map(({ day }) => day), readings.map(({ venueId }) => venueId)],
  );
}
