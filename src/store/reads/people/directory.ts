// Everybody who rides, drives or trains in the races of some days, once for each spelling and code of racing, with the
// race that starts last: one read for all searches.
import type { Pool } from 'pg';
import type { PersonRole } from '../../../domain/race/person';
import type { Instant } from '../../../domain/race/race';
import { IS_INTERNATIONAL } from '../races/international';
import type { RaceName } from '../races/race-window';

export interface DirectoryQuery {
  /** Of advertised starts; the end is exclusive. */
  readonly from: Instant;
  readonly until: Instant;
}

export interface DirectoryRow extends RaceName {
  readonly role: PersonRole;
  readonly person: string;
  /** Runners in these days, without scratched ones. */
  readonly rides: number;
}

const MOST = 20_000;

const of = (role: PersonRole, column: string): string => `
  SELECT '${role}' AS role, person, rides, l.* FROM (
    SELECT u.${column} AS person, r.category, count(*)::integer AS rides, (array_agg(r.race_id ORDER BY r.start_time DESC, r.race_id))[1] AS race_id
      FROM races r JOIN race_runners u USING (race_id)
     WHERE r.start_time >= $1 AND r.start_time < $2 AND u.${column} IS NOT NULL AND NOT u.scratched AND (${IS_INTERNATIONAL}) IS NOT TRUE
     GROUP BY u.${column}, r.category) p
  JOIN LATERAL (SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time FROM races r WHERE r.race_id = p.race_id) l ON true`;

const DIRECTORY = {
  name: 'people-directory',
  text: `(${of('rider', 'jockey')} LIMIT ${MOST}) UNION ALL (${of('trainer', 'trainer')} LIMIT ${MOST})`,
};

export async function readDirectory(pool: Pool, { from, until }: DirectoryQuery): Promise<readonly DirectoryRow[]> {
  return (await pool.query<DirectoryRow>({ ...DIRECTORY, values: [from, until] })).rows;
}
