// Periodic repairs: leases of dead workers, price moves that became too old, webhooks that have failed for days, and
// the list of deliveries without a workflow.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface Late {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly kind: string;
}

export interface Tidied {
  /** Deliveries whose worker is gone. */
  readonly freed: number;
  /** Price moves older than a minute. */
  readonly expired: number;
}

export async function tidy(pool: Pool, now: Instant): Promise<Tidied> {
  const freed = await pool.query({ ...FREED, values: [now] });
  const expired = await pool.query({ ...EXPIRED, values: [now] });
  return { freed: freed.rowCount ?? 0, expired: expired.rowCount ?? 0 };
}

/**
 * At once; attempts in flight settle their own deliveries. `url`: unless it has changed by now. Resolves to whether it
 * was disabled.
 */
export async function disable(
  pool: Pool,
  webhookId: string,
  reason: 'gone' | 'failing',
  now: Instant,
  url: string | null = null,
): Promise<boolean> {
  const { rowCount } = await pool.query({ ...DISABLED, values: [webhookId, reason, now, url] });
  await pool.query({ ...CANCELLED, values: [webhookId, now] });
  return (rowCount ?? 0) > 0;
}

/** Webhooks that delivered nothing for five days and failed on each of them. */
export async function failing(pool: Pool, now: Instant): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>({ ...FAILING, values: [now] });
  return rows.map(({ id }) => id);
}

/** Due for two minutes without an attempt in progress: their workflows did not start, or were lost. Oldest first. */
export const late = async (pool: Pool, now: Instant, most: number): Promise<readonly Late[]> =>
  (await pool.query<Late>({ ...LATE, values: [now, most] })).rows;

/** The hours in which a webhook failed. */
export async function forgetFailures(pool: Pool, now: Instant): Promise<void> {
  await pool.query({ ...HOURS, values: [now] });
}

// A test has one attempt: an interrupted one is not repeated. Rows that another transaction ends at this moment are
// left to it. Leases use the database's clock.
const FREED = {
  name: 'webhook-freed',
  text: `
  WITH dead AS MATERIALIZED (
    SELECT delivery_id, attempt FROM webhook_leases WHERE leased_until < now() FOR UPDATE SKIP LOCKED
  ), freed AS MATERIALIZED (
    SELECT delivery_id, attempt_count, created_at FROM webhook_queue
     WHERE delivery_id IN (SELECT delivery_id FROM dead) AND leased_until < now() FOR UPDATE SKIP LOCKED
  ), ended AS (
    DELETE FROM webhook_leases a USING dead d WHERE a.delivery_id = d.delivery_id AND a.attempt = d.attempt
       AND (d.delivery_id IN (SELECT delivery_id FROM freed)
            OR NOT EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = d.delivery_id AND q.attempt_count = d.attempt))
  )
  UPDATE webhook_deliveries d SET attempt_count = f.attempt_count, status = CASE WHEN test THEN 'failed' ELSE status END,
         settled_at = CASE WHEN test THEN $1::timestamptz END, error = CASE WHEN test THEN 'The attempt was cut off.' ELSE error END
    FROM freed f WHERE d.delivery_id = f.delivery_id AND d.created_at = f.created_at`,
};
const EXPIRED = {
  name: 'webhook-expired',
  text: `
  UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $1, error = coalesce(d.error, 'Older than 60 seconds.')
    FROM (
     SELECT delivery_id, created_at FROM webhook_queue
      WHERE kind = 'odds.change' AND rank = 1 AND leased_until IS NULL
        AND created_at < $1::timestamptz - interval '60 seconds' FOR UPDATE SKIP LOCKED) q
   WHERE d.delivery_id = q.delivery_id AND d.created_at = q.created_at`,
};
const DISABLED = {
  name: 'webhook-disabled',
  text: `
  UPDATE webhooks SET disabled_at = $3, disabled_reason = $2, gone_since = NULL
   WHERE webhook_id = $1 AND disabled_at IS NULL AND deleted_at IS NULL AND url = coalesce($4, url)`,
};
// Does not apply to a webhook that was left unchanged.
const CANCELLED = {
  name: 'webhook-cancelled',
  text: `
  UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $2, error = coalesce(d.error, 'The webhook is disabled.')
    FROM (
     SELECT delivery_id, created_at FROM webhook_queue WHERE webhook_id = $1 AND rank > 0 AND leased_until IS NULL
       AND EXISTS (SELECT FROM webhooks w WHERE w.webhook_id = $1 AND w.disabled_at IS NOT NULL) FOR UPDATE SKIP LOCKED) q
   WHERE d.delivery_id = q.delivery_id AND d.created_at = q.created_at`,
};
const FAILING = {
  name: 'webhook-failing',
  text: `
  SELECT w.webhook_id AS id FROM webhooks w
   WHERE w.disabled_at IS NULL AND w.deleted_at IS NULL AND greatest(w.last_delivery_at, w.created_at, w.enabled_at, w.url_since) <= $1::timestamptz - interval '5 days'
     AND (SELECT count(DISTINCT floor(extract(epoch FROM $1 - f.hour) / 86400)) FROM webhook_failures f
           WHERE f.webhook_id = w.webhook_id AND f.hour > $1::timestamptz - interval '5 days') = 5`,
};
// By the expression of its index.
const LATE = {
  name: 'webhook-late',
  text: `
  SELECT delivery_id AS "deliveryId", webhook_id AS "webhookId", kind FROM webhook_queue
   WHERE rank = 3 AND greatest(due_at, looks_at) < $1::timestamptz - interval '2 minutes' AND (leased_until IS NULL OR leased_until < now())
   ORDER BY greatest(due_at, looks_at) LIMIT $2`,
};
const HOURS = {
  name: 'webhook-hours',
  text: `DELETE FROM webhook_failures WHERE hour < $1::timestamptz - interval '6 days'`,
};
