// Counts of the archive that all races share.
import type { Pool } from 'pg';

/**
 * For a transaction that archives several races: as each of them does (`add_archived_day`), but before its first.
 * Archivers of one race wait until it ends.
 */
export async function holdCounts(pool: Pool): Promise<void> {
  await pool.query('SELECT pg_advisory_xact_lock(7205231261)');
}
