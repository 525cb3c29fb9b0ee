// Webhooks and deliveries in the names of the API (B 2.10, shapes 5).
import type { EventKind } from '../../../domain/events/event';
import type { StoredWebhook } from '../../../store/webhooks/webhooks';
import type { StoredDelivery } from '../../../store/webhooks/webhooks-deliveries';
import type { FilterChange } from '../events/filters';
import type { WebhookDeliveryWire } from './delivery-schema';
import type { WebhookWire } from './webhook-schema';

export const isActive = ({ paused, disabledReason }: StoredWebhook): boolean => !paused && disabledReason === null;

/** `secret`: only if the webhook, or its secret, was just created. */
export function presentWebhook(webhook: StoredWebhook, isEntitled: boolean, secret: string | null = null): WebhookWire {
  const { disabledReason, paused } = webhook;
  return {
    id: webhook.webhookId,
    url: webhook.url,
    events: webhook.events as EventKind[],
    sports: webhook.sports as WebhookWire['sports'],
    country: [...webhook.countries],
    venue: [...webhook.venues],
    min_edge_pct: webhook.minEdgePct,
    is_active: isActive(webhook),
    paused,
    created_at: webhook.createdAt,
    last_delivery_at: webhook.lastDeliveryAt,
    failure_count: webhook.failureCount,
    secret,
    previous_secret_until: webhook.previousUntil,
    delivery_entitled: isEntitled,
    delivery_paused_reason: isEntitled ? (disabledReason ?? (paused ? 'paused' : null)) : 'plan',
    bookmakers: [...webhook.bookmakers],
    min_move_pct: webhook.minMovePct,
  };
}

interface SentFilters {
  readonly events?: readonly string[];
  readonly sports?: readonly string[] | null;
  readonly country?: readonly string[] | null;
  readonly venue?: readonly string[] | null;
  readonly min_edge_pct?: number | null;
  readonly bookmakers?: readonly string[] | null;
  readonly min_move_pct?: number | null;
}

/** The filters named in a request, by their stored names; null clears one. */
export const wantedFilters = (sent: SentFilters): FilterChange => ({
  events: sent.events,
  sports: sent.sports === null ? [] : sent.sports,
  countries: sent.country === null ? [] : sent.country,
  venues: sent.venue === null ? [] : sent.venue,
  minEdgePct: sent.min_edge_pct,
  bookmakers: sent.bookmakers === null ? [] : sent.bookmakers,
  minMovePct: sent.min_move_pct,
});

export const presentDelivery = (delivery: StoredDelivery): WebhookDeliveryWire => ({
  id: delivery.deliveryId,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  event_type: delivery.kind as EventKind,
  payload: delivery.body === null ? null : (JSON.parse(delivery.body) as Record<string, unknown>),
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  status_code: delivery.statusCode,
  error: delivery.error,
  created_at: delivery.createdAt,
  delivered_at: delivery.deliveredAt,
  attempts: delivery.attempts.map(({ attempt, startedAt, durationMs, statusCode, error }) => ({
    attempt,
    started_at: startedAt,
    duration_ms: durationMs,
    status_code: statusCode,
    error,
  })),
  replay_of: delivery.replayOf,
  test: delivery.test,
});
