// Whether the login of a pool is a superuser, whom no right stops, or may become one by `SET ROLE`.
import type { Pool } from 'pg';

export async function isSuperuser(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rolsuper: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolsuper AND pg_has_role(session_user, oid, 'MEMBER')) AS rolsuper`,
  );
  return rows[0]!.rolsuper;
}
