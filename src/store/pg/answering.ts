// Whether the database answers. It reads no table: a locked one would make every process unready at the same moment.
import type { Pool, QueryConfig } from 'pg';

/** Rejects with the reason when it does not answer within this wall time. */
export async function askDatabase(pool: Pool, withinMs: number): Promise<void> {
  // A driver's option that its types leave out.
  const query: QueryConfig & { query_timeout: number } = {
    text: 'SELECT 1',
    query_timeout: withinMs,
  };
  await pool.query(query);
}
