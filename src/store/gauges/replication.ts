// How far a standby is behind, and how much WAL a slot keeps on the primary's disk. Any login may read both.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';

// A new slot may be ahead of the written WAL. The service writes every second, so a standby whose last transaction is
// old is behind, whether it replays or has lost its primary.
const READ = `
  SELECT
    CASE WHEN pg_is_in_recovery() THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END::float8
      AS behind,
    (SELECT max(greatest(0, pg_wal_lsn_diff(
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)))
      FROM pg_replication_slots)::float8 AS kept`;

export interface Replication {
  /** Seconds. Null: this server is the primary. */
  readonly behind: number | null;
  /** Bytes. Null: there is no slot. */
  readonly kept: number | null;
}

/** Rejects if the database does not answer. */
export async function readReplication(pool: Pool): Promise<Replication> {
  const { rows } = await pool.query<Replication>(READ);
  return rows[0]!;
}

export function observeReplication(pool: Pool): void {
  const meter = metrics.getMeter('racing-odds/store');
  const behind = meter.createObservableGauge('racing.database.behind', {
    unit: 's',
    description: 'Age of the last transaction that the standby of this process has replayed',
  });
  const kept = meter.createObservableGauge('racing.database.wal_kept', {
    unit: 'By',
    description: 'WAL that the replication slot furthest behind keeps on the disk',
  });
  meter.addBatchObservableCallback(
    async (gauges) => {
      const now = await readReplication(pool).catch(() => null);
      if (now?.behind != null) gauges.observe(behind, now.behind);
      if (now?.kept != null) gauges.observe(kept, now.kept);
    },
    [behind, kept],
  );
}
