// What a connection pool is doing, as gauges read when somebody looks (OpenTelemetry's database conventions).
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';

const meter = metrics.getMeter('racing-odds/store');

/** `name` tells the pools of one process apart. */
export function observePool(pool: Pool, name: string): void {
  const labels = { 'db.client.connection.pool.name': name };
  meter
    .createObservableGauge('db.client.connection.count', { description: 'Connections by state' })
    .addCallback((seen) => {
      seen.observe(pool.totalCount - pool.idleCount, { ...labels, 'db.client.connection.state': 'used' });
      seen.observe(pool.idleCount, { ...labels, 'db.client.connection.state': 'idle' });
    });
  meter
    .createObservableGauge('db.client.connection.pending_requests', { description: 'Queries waiting for a connection' })
    .addCallback((seen) => seen.observe(pool.waitingCount, labels));
}
