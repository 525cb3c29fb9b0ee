// A gauge of what billing still owes, for an alert: read from the database as the metrics are. Of the whole database,
// so every process reports the same; without an answer the gauge is missing.
import { metrics } from '@opentelemetry/api';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

// Everything is due within the hour.
const READ = `
  SELECT (SELECT count(*)::int FROM billing_accounts WHERE read_at < $1::timestamptz - interval '2 hours' AND due_at < 'infinity')
       + (SELECT count(*)::int FROM overage_invoices WHERE invoiced_at IS NULL AND settled_at IS NULL AND decided_at < $1::timestamptz - interval '2 hours') AS overdue`;

export async function readBillingOverdue(pool: Pool, at: Instant): Promise<number> {
  return (await pool.query<{ overdue: number }>(READ, [at])).rows[0]!.overdue;
}

/** `wallMs` null: no payments are taken, so nothing is owed. */
export function observeBilling(pool: Pool, wallMs: (() => number) | null): void {
  metrics
    .getMeter('racing-odds/store')
    .createObservableGauge('racing.billing.overdue', {
      description:
        'Accounts not read from the payment provider for two hours, and months of overage not invoiced for as long',
    })
    .addCallback(async (gauge) => {
      const overdue = wallMs ? await readBillingOverdue(pool, new Date(wallMs()).toISOString()).catch(() => null) : 0;
      if (overdue !== null) gauge.observe(overdue);
    });
}
