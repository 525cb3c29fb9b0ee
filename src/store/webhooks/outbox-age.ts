// How far behind webhooks are, for the alert: read from the database, so every worker reports the same; without an
// answer the gauge is missing.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

// An endpoint that is slow or failing, or has four or more earlier posts, delays only itself, and is left out. A price
// move is as old as its delivery.
const READ = `
  SELECT greatest(0, extract(epoch FROM $1::timestamptz - least(
    (SELECT written_at FROM events WHERE fanned_at IS NULL ORDER BY written LIMIT 1),
    (SELECT min(q.due_at) FROM webhook_queue q JOIN webhooks w USING (webhook_id)
      WHERE q.leased_until IS NULL AND q.rank = 1 AND q.attempt_count = 0 AND q.due_at <= $1
        AND w.failure_count = 0 AND NOT w.lagging AND coalesce(w.slow_until <= $1, true) AND w.disabled_at IS NULL AND w.deleted_at IS NULL AND NOT w.paused
        AND (SELECT count(*) FROM webhook_leases l WHERE l.webhook_id = w.webhook_id AND l.leased_until > now()) < 4))))::float8 AS seconds`;

/** Seconds, 0 when nothing waits. `now`: wall. Throws if the database does not answer. */
export async function readOutboxAge(pool: Pool, now: Instant): Promise<number> {
  const { rows } = await pool.query<{ seconds: number | null }>(READ, [now]);
  return rows[0]!.seconds ?? 0;
}

const meter = metrics.getMeter('racing-odds/webhooks');

/** `wallMs`: epoch milliseconds. */
export function observeOutboxAge(pool: Pool, wallMs: () => number): void {
  meter
    .createObservableGauge('racing.webhooks.oldest', {
      unit: 's',
      description: 'Age of the oldest first attempt that is still to be made at an endpoint that takes posts',
    })
    .addCallback(async (gauge) => {
      const seconds = await readOutboxAge(pool, new Date(wallMs()).toISOString()).catch(() => null);
      if (seconds !== null) gauge.observe(seconds);
    });
}
