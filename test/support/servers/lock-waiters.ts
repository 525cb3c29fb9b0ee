// Waits until another session is blocked by a lock of this one: only then is its statement under way.
import type { Pool, PoolClient } from 'pg';
import { PATIENT_MS } from '../patient';

export async function untilBlocked(pool: Pool, holder: PoolClient): Promise<void> {
  const { rows } = await holder.query('SELECT pg_backend_pid() AS pid');
  for (const until = Date.now() + PATIENT_MS; Date.now() < until; ) {
    const blocked = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    if ((await pool.query(blocked, [rows[0].pid])).rowCount! > 0) return;
  }
  throw new Error('no other session waits for this one');
}
