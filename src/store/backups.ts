// The last good backup of this database and the archive of its log, as gauges for alerts. By the database's own clock:
// a backup belongs to no race day. A database without a recorded backup, or without an archive, has no such gauge.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

export interface Backup {
  readonly label: string;
  /** `full`, `diff` or `incr`. */
  readonly kind: string;
  readonly endedAt: Instant;
}

const SAVE = `
  INSERT INTO backups (label, kind, ended_at) VALUES ($1, $2, $3) ON CONFLICT (label) DO NOTHING`;

/** False: it was recorded before. */
export async function saveBackup(pool: Pool, { label, kind, endedAt }: Backup): Promise<boolean> {
  return (await pool.query(SAVE, [label, kind, endedAt])).rowCount === 1;
}

/** The cluster that a backup was taken of: its identifier, as text because it has 64 bits, and the database's clock. */
export async function readCluster(pool: Pool): Promise<{ systemId: string; now: Instant }> {
  const { rows } = await pool.query<{ systemId: string; now: Instant }>(
    `SELECT system_identifier::text AS "systemId", clock_timestamp() AS now FROM pg_control_system()`,
  );
  return rows[0]!;
}

export interface BackupAges {
  /** Seconds since the last good backup ended; null if none is recorded. */
  readonly backup: number | null;
  /**
   * Seconds since PostgreSQL last archived a WAL segment, or since it started to count if it has archived none; null if
   * it archives none.
   */
  readonly log: number | null;
}

const AGES = `
  SELECT (SELECT extract(epoch FROM clock_timestamp() - max(ended_at))::float8 FROM backups) AS backup,
         (SELECT extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8 FROM pg_stat_archiver
           WHERE current_setting('archive_mode') <> 'off') AS log`;

/** Throws if the database does not answer. */
export const readBackupAges = async (pool: Pool): Promise<BackupAges> => (await pool.query<BackupAges>(AGES)).rows[0]!;

export function observeBackups(pool: Pool): void {
  const meter = metrics.getMeter('racing-odds/store');
  const backup = meter.createObservableGauge('racing.backup.age', {
    unit: 's',
    description: 'Time since the last good backup ended that ops backup-done recorded',
  });
  const log = meter.createObservableGauge('racing.backup.log_age', {
    unit: 's',
    description: 'Time since PostgreSQL last archived a part of its log',
  });
  meter.addBatchObservableCallback(
    async (gauges) => {
      const ages = await readBackupAges(pool).catch(() => null);
      if (ages?.backup != null) gauges.observe(backup, ages.backup);
      if (ages?.log != null) gauges.observe(log, ages.log);
    },
    [backup, log],
  );
}
