// Waits until other sessions are blocked by a lock of this one: only then are their statements running.
import type { Pool, PoolClient } from 'pg';
import { PATIENT_MS } from '../patient';

/** `sessions`: how many, of which one may wait behind the other. */
export async function untilBlocked(pool: Pool, holder: PoolClient, sessions = 1): Promise<void> {
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  const blocked = `
    WITH RECURSIVE waiting AS (
      SELECT pid, pg_blocking_pids(pid) AS holders FROM pg_stat_activity WHERE datname = current_database()
    ), behind (pid) AS (
      SELECT $1::int UNION SELECT w.pid FROM waiting w JOIN behind b ON b.pid = ANY (w.holders)
    ) SELECT FROM behind WHERE pid <> $1`;
  for (const until = Date.now() + PATIENT_MS; Date.now() < until; )
    if ((await pool.query(blocked, [rows[0].pid])).rowCount! >= sessions) return;
  throw new Error('too few other sessions wait for this one');
}
