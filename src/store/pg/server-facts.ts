// Facts about the database and the current login: `ops doctor` reports them, and processes check their login.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface ServerFacts {
  readonly login: string;
  readonly isOwner: boolean;
  /** Of racing_worker and racing_api. */
  readonly groups: readonly string[];
  readonly archives: boolean;
  readonly lastArchivedAt: Instant | null;
  readonly lastFailedAt: Instant | null;
  /** Of the database's clock. */
  readonly now: Instant;
}

const FACTS = `
  SELECT session_user AS login,
         EXISTS (SELECT FROM pg_database d WHERE d.datname = current_database() AND pg_get_userbyid(d.datdba) = session_user) AS "isOwner",
         ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname IN ('racing_worker', 'racing_api')
                  AND pg_has_role(session_user, oid, 'MEMBER') ORDER BY 1) AS groups,
         current_setting('archive_mode') <> 'off' AS archives, a.last_archived_time AS "lastArchivedAt",
         a.last_failed_time AS "lastFailedAt", clock_timestamp() AS now
    FROM pg_stat_archiver a`;

export const readServerFacts = async (pool: Pool): Promise<ServerFacts> =>
  (await pool.query<ServerFacts>(FACTS)).rows[0]!;

/** Whether the login of a pool is a superuser, which no right restricts, or may become one by `SET ROLE`. */
export async function isSuperuser(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rolsuper: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolsuper AND pg_has_role(session_user, oid, 'MEMBER')) AS rolsuper`,
  );
  return rows[0]!.rolsuper;
}
