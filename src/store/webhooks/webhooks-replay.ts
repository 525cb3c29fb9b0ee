// Repeated deliveries (D57): new rows of the same events, so the same ids and bodies. Those of a range are due one
// after the other, so that a receiver is not flooded.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { DELIVERY, OF_EVENT, type StoredDelivery } from './webhooks-deliveries';
import { makeMissed } from './webhooks-missed';

/**
 * `gone`: its event is no longer stored. `open`: it is still being delivered. `stale`: a price move, or a test, which
 * is never sent again.
 */
export type Replayed = { readonly kind: 'missing' | 'gone' | 'open' | 'stale' } | ReplayedDelivery;

interface ReplayedDelivery {
  readonly kind: 'replayed';
  readonly delivery: StoredDelivery;
}

export interface RangeOrder {
  readonly accountId: string;
  readonly webhookId: string;
  /** When the deliveries were created; `to` is exclusive. */
  readonly from: Instant;
  readonly to: Instant;
  /** Empty: all. */
  readonly events: readonly string[];
  readonly statuses: readonly string[];
  /** With the hash of the request; null: the order is not repeatable. */
  readonly once: { readonly key: string; readonly request: string } | null;
  readonly most: number;
  readonly perSecond: number;
  readonly at: Instant;
}

/**
 * `other`: the key was sent with another order. `full`: more than `most`, including those of earlier replays that still
 * wait.
 */
export type RangeReplayed = { readonly kind: 'replayed'; readonly count: number } | { readonly kind: 'other' | 'full' };

const ORIGINAL = `
  SELECT d.status, d.kind, d.test, e.written_at > $3::timestamptz - interval '30 days' IS TRUE AS stored FROM webhook_deliveries d LEFT JOIN events e ON ${OF_EVENT}
   WHERE d.delivery_id = $2 AND d.webhook_id = $1`;

const REPLAY = `
  WITH d AS (
    INSERT INTO webhook_deliveries (webhook_id, event_id, event_at, kind, race_id, replay_of, created_at, due_at)
    SELECT d.webhook_id, d.event_id, e.written_at, d.kind, d.race_id, COALESCE(d.replay_of, d.delivery_id), $3, $3
      FROM webhook_deliveries d JOIN events e ON ${OF_EVENT}
     WHERE d.delivery_id = $2 AND d.webhook_id = $1
    RETURNING *
  ) SELECT ${DELIVERY} FROM d JOIN events e ON ${OF_EVENT}`;

export async function replayOne(pool: Pool, webhookId: string, deliveryId: string, at: Instant): Promise<Replayed> {
  const { rows } = await pool.query<{ status: string; kind: string; test: boolean; stored: boolean }>(ORIGINAL, [
    webhookId,
    deliveryId,
    at,
  ]);
  const [original] = rows;
  if (!original) return { kind: 'missing' };
  if (original.test || original.kind === 'odds.change') return { kind: 'stale' };
  if (original.status === 'pending' || original.status === 'retrying') return { kind: 'open' };
  if (!original.stored) return { kind: 'gone' };
  const { rows: made } = await pool.query<StoredDelivery>(REPLAY, [webhookId, deliveryId, at]);
  return made[0] ? { kind: 'replayed', delivery: made[0] } : { kind: 'gone' };
}

/** Orders of one account wait for each other: the second must see the first. */
const BEGIN = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 64))';
const BEFORE = `
  SELECT replayed, webhook_id = $3 AND request = $4 AS same FROM webhook_replays WHERE account_id = $1 AND idempotency_key = $2`;
const WAITING = `
  SELECT count(*) AS count, max(q.due_at) FILTER (WHERE q.rank < 3) AS "lastDue" FROM webhook_queue q JOIN webhook_deliveries d USING (delivery_id, created_at)
   WHERE q.webhook_id = $1 AND d.replay_of IS NOT NULL`;

/** As many as there is room for, and one more, which means that there are too many. */
const RANGE = `
  WITH chosen AS (
    SELECT d.*, e.written_at FROM webhook_deliveries d JOIN events e ON ${OF_EVENT} AND e.written_at > $7::timestamptz - interval '30 days'
     WHERE d.webhook_id = $1 AND d.created_at >= $2 AND d.created_at < $3 AND d.replay_of IS NULL AND NOT d.test
       AND d.kind <> 'odds.change' AND (cardinality($4::text[]) = 0 OR d.kind = ANY ($4)) AND d.status = ANY ($5)
     ORDER BY d.created_at, d.written LIMIT $6
  )
  INSERT INTO webhook_deliveries (webhook_id, event_id, event_at, kind, race_id, replay_of, created_at, due_at)
  SELECT webhook_id, event_id, written_at, kind, race_id, delivery_id, $7,
         $8::timestamptz + (row_number() OVER (ORDER BY created_at, written) - 1) * interval '1 second' / $9::integer
    FROM chosen`;

const KEEP = `
  INSERT INTO webhook_replays (account_id, idempotency_key, webhook_id, request, replayed, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;

export async function replayedBefore(
  client: Pick<Pool, 'query'>,
  { accountId, webhookId, once }: RangeOrder,
): Promise<RangeReplayed | null> {
  if (!once) return null;
  const values = [accountId, once.key, webhookId, once.request];
  const { rows } = await client.query<{ replayed: number; same: boolean }>(BEFORE, values);
  if (!rows[0]) return null;
  return rows[0].same ? { kind: 'replayed', count: rows[0].replayed } : { kind: 'other' };
}

/** In a caller's transaction, which is rolled back if it throws. */
export async function replayRange(client: ClientBase, order: RangeOrder): Promise<RangeReplayed> {
  const { accountId, webhookId, from, to, events, statuses, once, most, perSecond, at } = order;
  await client.query(BEGIN, [accountId]);
  const before = await replayedBefore(client, order);
  if (before) return before;
  const { rows } = await client.query<{ count: number; lastDue: Instant | null }>(WAITING, [webhookId]);
  const { count: waiting, lastDue } = rows[0]!;
  const room = Math.max(0, most - waiting);
  const first = lastDue !== null && lastDue > at ? lastDue : at;
  await client.query('SAVEPOINT before_range');
  if (statuses.includes('cancelled')) await makeMissed(client, { webhookId, from, to, events, most: room + 1, at });
  const values = [webhookId, from, to, events, statuses, room + 1, at, first, perSecond];
  const count = (await client.query(RANGE, values)).rowCount ?? 0;
  if (count > room) {
    await client.query('ROLLBACK TO SAVEPOINT before_range');
    return { kind: 'full' };
  }
  if (once) await client.query(KEEP, [accountId, once.key, webhookId, once.request, count, at]);
  return { kind: 'replayed', count };
}
