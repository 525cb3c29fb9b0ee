// Whether the database answers, and has our tables.
import type { Pool, QueryConfig } from 'pg';

/** Rejects with the reason when it does not answer within this wall time. */
export async function askDatabase(pool: Pool, withinMs: number): Promise<void> {
  // A driver's option that its types leave out.
  const query: QueryConfig & { query_timeout: number } = {
    text: 'SELECT 1 FROM races LIMIT 1',
    query_timeout: withinMs,
  };
  await pool.query(query);
}
