// The events that a webhook missed while it was disabled (D57): those that it wants by its filters and has no delivery
// of. A range replay first turns them into cancelled deliveries, as a pause leaves them, so that the same rules apply
// to both.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { EVENT_VENUES, OWN_VENUES, wants } from './wants';

export interface MissedOrder {
  readonly webhookId: string;
  /** When they were written, as a delivery's creation would have been; `to` is exclusive. */
  readonly from: Instant;
  readonly to: Instant;
  /** Empty: all. */
  readonly events: readonly string[];
  readonly most: number;
  readonly at: Instant;
}

// The minute: a fan-out that began before the webhook was disabled, or enabled, may end after it, and clocks of
// processes differ. An event that was delivered anyway has its row, from a process of the previous release from the
// time of the fan-out. Events about to be pruned are not replayed.
const MISSED = {
  name: 'webhook-missed',
  text: `
  WITH own AS MATERIALIZED (SELECT w.*, ${OWN_VENUES} AS own_venues FROM webhooks w WHERE w.webhook_id = $1)
  INSERT INTO webhook_deliveries (webhook_id, event_id, event_at, kind, race_id, written, sequence, created_at, due_at, status, error, settled_at)
  SELECT w.webhook_id, e.event_id, e.written_at, e.kind, e.race_id, e.written, e.sequence, e.written_at, e.written_at, 'cancelled', 'The webhook was disabled.', $6
    FROM own w
    JOIN events e ON e.position IS NOT NULL AND e.written_at >= $2 AND e.written_at < $3 AND (e.kind = 'odds.change') IS FALSE
     AND e.written_at > $6::timestamptz - interval '30 days'
   WHERE (cardinality($4::text[]) = 0 OR e.kind = ANY ($4))
     AND (e.account_id IS NULL OR e.account_id = w.account_id)
     AND EXISTS (SELECT FROM webhook_disablings d
                  WHERE d.webhook_id = w.webhook_id AND e.fanned_at > d.disabled_at - interval '1 minute'
                    AND (d.enabled_at IS NULL OR e.fanned_at < d.enabled_at + interval '1 minute'))
     AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.webhook_id AND d.event_id = e.event_id AND d.replay_of IS NULL
                        AND d.created_at IN (e.written_at, e.fanned_at))
     AND ${wants('w.own_venues', EVENT_VENUES)}
   ORDER BY e.written_at, e.written LIMIT $5
  ON CONFLICT DO NOTHING`,
};

/** Resolves to their number, at most `most`. In a caller's transaction. */
export async function makeMissed(client: ClientBase, order: MissedOrder): Promise<number> {
  const { webhookId, from, to, events, most, at } = order;
  const { rowCount } = await client.query({ ...MISSED, values: [webhookId, from, to, events, most, at] });
  return rowCount ?? 0;
}
