// Counts of the archive that all races share.
import type { Pool } from 'pg';

/**
 * For a transaction that archives several races: each takes rows of these counts in order, and two such transactions
 * would deadlock. Archivers of one race wait until it ends.
 */
export async function holdCounts(pool: Pool): Promise<void> {
  await pool.query(
    'LOCK TABLE archived_day_counts, archived_day_marks, archived_days, archived_totals IN SHARE ROW EXCLUSIVE MODE',
  );
}
