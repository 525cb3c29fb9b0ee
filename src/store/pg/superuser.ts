// Whether the login of a pool is a superuser, whom no right stops.
import type { Pool } from 'pg';

export async function isSuperuser(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rolsuper: boolean }>(
    'SELECT bool_or(rolsuper) AS rolsuper FROM pg_roles WHERE rolname IN (session_user, current_user)',
  );
  return rows[0]!.rolsuper;
}
