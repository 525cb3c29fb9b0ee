// The acceptances of one day as the registry publishes them, with the merged scratchings of books and sheet. One
// statement; its instants are text, because JSON has none.
import type { Pool } from 'pg';
import type { Day, Instant } from '../../../domain/race/race';
import { PRINTED } from '../../../domain/race/race-facts';
import type { RegistryRace } from '../../../domain/registry/registry';

export interface AcceptedRunner {
  readonly number: number;
  readonly name: string;
  readonly runnerKey: string;
  readonly horseCode: string | null;
  readonly raceEntryCode: string | null;
  readonly emergency: boolean;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly trainerCode: string | null;
  readonly weightKg: number | null;
  readonly last10: string | null;
  readonly rating: number | null;
  /** Merged from books and sheet (A 2.2); null if the race is not joined or the runner is not scratched. */
  readonly scratching: { readonly at: Instant | null; readonly late: boolean | null } | null;
}

/** As the registry printed it; its start is that of the race it is joined to. */
export interface AcceptedRace extends Omit<RegistryRace, 'startTime' | 'runners'> {
  readonly runners: readonly AcceptedRunner[];
  /** The official sheet's rows of this race. */
  readonly sheet: readonly { readonly number: number; readonly name: string; readonly at: Instant }[];
}

export interface AcceptedMeeting {
  readonly venue: string;
  readonly venue_id: string;
  readonly venue_canonical: string;
  readonly venue_site: string;
  readonly published: boolean;
  readonly stated_runners: number | null;
  readonly as_of: Instant | null;
  readonly sheet_as_of: Instant | null;
  readonly track_condition: string | null;
  readonly rail: string | null;
  readonly weather: string | null;
  readonly penetrometer: string | null;
  readonly track_type: string | null;
  readonly races: readonly AcceptedRace[];
}

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Our scratched runner under the same number and name; another horse's scratching does not count. */
const SCRATCHING = `
  CASE WHEN b.scratched THEN json_build_object('at', ${iso('b.scratched_at')}, 'late', b.late) END`;

const RUNNERS = `
  SELECT json_agg(json_build_object('number', u.number, 'name', u.name, 'runnerKey', u.runner_key, 'horseCode', u.horse_code,
           'raceEntryCode', u.race_entry_code, 'emergency', u.emergency, 'barrier', u.barrier, 'jockey', u.jockey,
           'trainer', u.trainer, 'trainerCode', u.trainer_code, 'weightKg', u.weight_kg, 'last10', u.last10,
           'rating', u.rating, 'scratching', ${SCRATCHING}) ORDER BY u.number)
    FROM registry_runners u
    LEFT JOIN race_runners b ON b.race_id = r.race_id AND b.number = u.number AND b.runner_key = u.runner_key
   WHERE u.meeting_key = r.meeting_key AND u.race_number = r.race_number`;

const SHEET = `
  SELECT json_agg(json_build_object('number', s.number, 'name', s.name, 'at', ${iso('s.sheet_at')}) ORDER BY s.number)
    FROM registry_scratchings s WHERE s.meeting_key = r.meeting_key AND s.race_number = r.race_number`;

const RACES = `
  SELECT json_agg(json_build_object('raceNumber', r.race_number, 'name', r.race_name, 'startLocal', r.start_local,
           'distanceM', r.distance_m, ${PRINTED.map(([key, { name }]) => `'${key}', r.${name}`).join(', ')},
           'prizes', r.prizes, 'trackType', r.track_type, 'fieldLimit', r.field_limit,
           'runners', COALESCE((${RUNNERS}), '[]'), 'sheet', COALESCE((${SHEET}), '[]')) ORDER BY r.race_number)
    FROM registry_races r WHERE r.meeting_key = m.meeting_key`;

/** Track facts from the registry's track page, otherwise from the head of the acceptances. */
const ACCEPTANCES = {
  name: 'acceptances',
  text: `SELECT m.venue, m.venue_id, m.venue_canonical, m.venue_site, m.published, m.stated_runners, m.as_of, m.sheet_as_of,
      COALESCE(t.track_condition, m.track_condition) AS track_condition, COALESCE(t.rail, m.rail) AS rail,
      COALESCE(t.weather, m.weather) AS weather, COALESCE(t.penetrometer, m.penetrometer) AS penetrometer, m.track_type,
      COALESCE((${RACES}), '[]') AS races
    FROM registry_meetings m
    LEFT JOIN registry_tracks t ON t.meeting_date = m.meeting_date AND t.venue_id = m.venue_id
    WHERE m.meeting_date = $1 ORDER BY m.venue, m.meeting_key`,
};

/** Every meeting of the day, by its spelling. */
export async function readAcceptances(pool: Pool, day: Day): Promise<readonly AcceptedMeeting[]> {
  const { rows } = await pool.query<AcceptedMeeting>({ ...ACCEPTANCES, values: [day] });
  return rows;
}
