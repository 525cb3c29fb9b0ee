// Finds the horses that customers name (B 4.5): in the acceptances, the run store and the stored form pages. Which
// report means which horse is a rule of the domain.
import type { Pool } from 'pg';
import type { AnimalQuery } from '../../../domain/form/animal';
import { type Horse, type HorseSighting, horseOf } from '../../../domain/form/horse';

const SIGHTINGS = {
  name: 'horses-sighted',
  text: `
  WITH wanted AS (
    SELECT unnest($1::text[]) AS key
    UNION
    SELECT s.runner_key FROM unnest($2::text[]) AS given (ref) CROSS JOIN LATERAL (
      SELECT runner_key FROM registry_runners WHERE horse_code = substr(given.ref, 4)
      UNION SELECT runner_key FROM stored_runs WHERE category = 'horse' AND runner_ref = given.ref
      UNION SELECT runner_key FROM horse_forms WHERE runner_ref = given.ref) s)
  SELECT key, s.* FROM wanted CROSS JOIN LATERAL (
    SELECT u.name, 'ra:' || u.horse_code AS ref, COALESCE(r.start_time, m.meeting_date::timestamptz) AS at, 'acceptances' AS source
      FROM registry_runners u JOIN registry_races r USING (meeting_key, race_number) JOIN registry_meetings m USING (meeting_key)
     WHERE u.runner_key = key
    UNION ALL
    SELECT name, runner_ref, start_time, 'results' FROM stored_runs WHERE category = 'horse' AND runner_key = key
    UNION ALL
    SELECT name, runner_ref, fetched_at, 'page' FROM horse_forms WHERE runner_key = key) s`,
};

/** In the order of the queries; null for a horse that no feed has reported. */
export async function readHorses(pool: Pool, queries: readonly AnimalQuery[]): Promise<readonly (Horse | null)[]> {
  const keys = queries.flatMap((query) => ('key' in query ? [query.key] : []));
  const refs = queries.flatMap((query) => ('ref' in query ? [query.ref] : []));
  const { rows } = await pool.query<HorseSighting>({ ...SIGHTINGS, values: [keys, refs] });
  const byKey = new Map<string, HorseSighting[]>();
  const keyOfRef = new Map<string, string>();
  for (const sighting of rows) {
    byKey.set(sighting.key, [...(byKey.get(sighting.key) ?? []), sighting]);
    if (sighting.ref !== null) keyOfRef.set(sighting.ref, sighting.key);
  }
  return queries.map((query) => {
    const key = 'key' in query ? query.key : keyOfRef.get(query.ref);
    return horseOf(query, byKey.get(key ?? '') ?? []);
  });
}
