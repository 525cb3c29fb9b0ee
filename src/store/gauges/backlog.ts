// Gauges of the service's backlog, and of how much it stores: figures for alerts, read from the database with the
// metrics. For the whole database, so every process reports the same; without an answer the gauges are missing.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

// A race is late without a final result three hours after its start, or after it was first listed: an installation that
// starts in the evening seeks the day's results in batches. After two days it is a case for an operator's own query.
const READ = `
  SELECT
    (SELECT count(*)::int FROM races r LEFT JOIN race_results o USING (race_id)
     WHERE r.start_time BETWEEN $1::timestamptz - interval '2 days' AND $1::timestamptz - interval '3 hours'
       AND r.first_seen_at <= $1::timestamptz - interval '3 hours' AND r.status = 'open' AND coalesce(o.status, 'interim') = 'interim') AS results,
    (SELECT count(*)::int FROM race_results WHERE field_status = 'overdue'
       AND updated_at > $1::timestamptz - interval '30 days') AS fields,
    (SELECT count(*)::int FROM registry_doors WHERE state = 'walled') AS walled,
    pg_database_size(current_database())::float8 AS bytes`;

export interface Backlog {
  /** Races without a final result. */
  readonly results: number;
  /** Races whose full field is overdue. */
  readonly fields: number;
  /** Registries that refuse us. */
  readonly walled: number;
  readonly bytes: number;
}

/** `nowIso` in race time. Throws if the database does not answer. */
export async function readBacklog(pool: Pool, nowIso: Instant): Promise<Backlog> {
  const { rows } = await pool.query<Backlog>(READ, [nowIso]);
  return rows[0]!;
}

const meter = metrics.getMeter('racing-odds/store');

/** `now`: race time, epoch milliseconds. */
export function observeBacklog(pool: Pool, now: () => number): void {
  const results = meter.createObservableGauge('racing.results.overdue', {
    description:
      'Races of the last two days without a final result three hours after their start, or after they were first listed',
  });
  const fields = meter.createObservableGauge('racing.fields.overdue', {
    description: 'Races whose registry has not published the full field by the expected time',
  });
  const walled = meter.createObservableGauge('racing.registries.walled', {
    description: 'Registries that refuse us: nothing but a probe is read there',
  });
  const size = meter.createObservableGauge('racing.database.size', { unit: 'By', description: 'Size of the database' });
  meter.addBatchObservableCallback(
    async (gauges) => {
      const row = await readBacklog(pool, new Date(now()).toISOString()).catch(() => null);
      if (row === null) return;
      gauges.observe(results, row.results);
      gauges.observe(fields, row.fields);
      gauges.observe(walled, row.walled);
      gauges.observe(size, row.bytes);
    },
    [results, fields, walled, size],
  );
}
