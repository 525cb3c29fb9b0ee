// Deliveries as the owner of a webhook sees them, and the row of a test call, which a worker attempts once.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

export interface DeliveryPage {
  readonly limit: number;
  readonly offset: number;
  /** Absent or empty: all. */
  readonly statuses?: readonly string[];
  readonly events?: readonly string[];
  /** Of their creation; `to` is exclusive. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Those after this delivery, so that new ones shift no page. */
  readonly before?: string | undefined;
}

interface StoredAttempt {
  readonly attempt: number;
  readonly startedAt: Instant;
  /** Null: it is in progress or was interrupted. */
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: string | null;
}

export interface StoredDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly kind: string;
  readonly test: boolean;
  readonly replayOf: string | null;
  /** As sent. Null: it is no longer stored. */
  readonly body: string | null;
  readonly status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';
  readonly attemptCount: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly createdAt: Instant;
  readonly deliveredAt: Instant | null;
  /** The first one first. */
  readonly attempts: readonly StoredAttempt[];
}

export type TestOutcome = Pick<StoredDelivery, 'status' | 'statusCode' | 'error'>;

// The clocks of the database and of a worker may differ.
const ATTEMPTS = `a.delivery_id = d.delivery_id AND a.started_at >= d.created_at - interval '1 day'`;

/** The event of a delivery is in one day, except for those from before there were days. */
export const OF_EVENT = `e.event_id = d.event_id AND e.written_at >= coalesce(d.event_at, '-infinity') AND e.written_at <= coalesce(d.event_at, 'infinity')`;

export const DELIVERY = `d.delivery_id AS "deliveryId", d.webhook_id AS "webhookId", d.event_id AS "eventId", d.kind, d.test,
  d.replay_of AS "replayOf", COALESCE(d.body, e.body) AS body, d.status,
  greatest(d.attempt_count, (SELECT max(a.attempt) FROM webhook_attempts a WHERE ${ATTEMPTS})) AS "attemptCount",
  d.status_code AS "statusCode", d.error, d.created_at AS "createdAt", d.delivered_at AS "deliveredAt",
  (SELECT coalesce(json_agg(json_build_object('attempt', a.attempt, 'startedAt', to_char(a.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                              'durationMs', a.duration_ms, 'statusCode', a.status_code, 'error', a.error) ORDER BY a.attempt), '[]')
     FROM webhook_attempts a WHERE ${ATTEMPTS}) AS attempts`;

/** The page is chosen before its bodies are read. */
const PAGE = {
  name: 'webhook-deliveries-page',
  text: `
  SELECT ${DELIVERY}
    FROM (SELECT * FROM webhook_deliveries
           WHERE webhook_id = $1 AND (cardinality($4::text[]) = 0 OR status = ANY ($4)) AND (cardinality($5::text[]) = 0 OR kind = ANY ($5))
             AND created_at >= coalesce($6::timestamptz, '-infinity') AND created_at < coalesce($7::timestamptz, 'infinity')
             AND created_at <= coalesce($8::timestamptz, 'infinity') AND ($8::timestamptz IS NULL OR created_at < $8 OR delivery_id > $9)
           ORDER BY created_at DESC, delivery_id LIMIT $2 OFFSET $3) d
    LEFT JOIN events e ON ${OF_EVENT} ORDER BY d.created_at DESC, d.delivery_id`,
};
/** As text: our instants have milliseconds. */
const BEFORE = {
  name: 'webhook-deliveries-before',
  text: 'SELECT created_at::text AS at FROM webhook_deliveries WHERE webhook_id = $1 AND delivery_id = $2',
};

const INSERT_TEST = `
  INSERT INTO webhook_deliveries (webhook_id, event_id, kind, test, body, created_at, due_at)
  VALUES ($1, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'odds.change', true, $2, $3, $3) RETURNING delivery_id AS "deliveryId"`;

const OUTCOME = 'status, status_code AS "statusCode", error';
const TEST = { name: 'webhook-test', text: `SELECT ${OUTCOME} FROM webhook_deliveries WHERE delivery_id = $1` };
/** Locks the queue first, like everything that ends deliveries. */
const CANCEL_TEST = `
  UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = $3, error = $2
    FROM (SELECT delivery_id, created_at FROM webhook_queue WHERE delivery_id = $1 FOR UPDATE) q
   WHERE d.delivery_id = q.delivery_id AND d.created_at = q.created_at`;

/** Null: the webhook has no delivery `before`. */
export async function readDeliveries(
  pool: Pool,
  webhookId: string,
  { limit, offset, statuses = [], events = [], from, to, before }: DeliveryPage,
): Promise<readonly StoredDelivery[] | null> {
  const at = before === undefined ? null : await createdAt(pool, webhookId, before);
  if (before !== undefined && at === null) return null;
  const values = [webhookId, limit, offset, statuses, events, from ?? null, to ?? null, at, before ?? null];
  return (await pool.query<StoredDelivery>({ ...PAGE, values })).rows;
}

async function createdAt(pool: Pool, webhookId: string, deliveryId: string): Promise<string | null> {
  const { rows } = await pool.query<{ at: string }>({ ...BEFORE, values: [webhookId, deliveryId] });
  return rows[0]?.at ?? null;
}

export async function insertTest(pool: Pool, webhookId: string, body: string, at: Instant): Promise<string> {
  const { rows } = await pool.query<{ deliveryId: string }>(INSERT_TEST, [webhookId, body, at]);
  return rows[0]!.deliveryId;
}

export async function readTest(pool: Pool, deliveryId: string): Promise<TestOutcome> {
  return (await pool.query<TestOutcome>({ ...TEST, values: [deliveryId] })).rows[0]!;
}

export async function cancelTest(pool: Pool, deliveryId: string, error: string, at: Instant): Promise<TestOutcome> {
  await pool.query(CANCEL_TEST, [deliveryId, error, at]);
  return readTest(pool, deliveryId);
}
