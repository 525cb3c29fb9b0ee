// The account's webhooks for its page, and the last deliveries of one: the rows that the API lists, in plain values.

import type { Session } from '../../../accounts/visitor';
import { mayUse } from '../../../plans/rights';
import type { StoredWebhook, WebhookStore } from '../../../store/webhooks/webhooks';
import type { StoredDelivery } from '../../../store/webhooks/webhooks-deliveries';
import type { DeliveryRow, WebhookCard, Webhooks } from '../../../web/account/webhooks';
import { presentWebhook } from '../../operations/webhooks/present-webhooks';

export type WebhookReads = Pick<WebhookStore, 'list' | 'deliveries'>;

const SHOWN = 20;

/**
 * `issuedAt`: of the account's key. `wanted`: an id of any text; without one of the account's, the only webhook is
 * open.
 */
export async function webhookCards(
  reads: WebhookReads,
  { accountId, plan }: Session,
  issuedAt: string,
  wanted: string | null,
): Promise<Webhooks> {
  const isEntitled = mayUse('webhooks', plan, issuedAt);
  const stored = await reads.list(accountId);
  const only = stored.length === 1 ? stored[0]!.webhookId : null;
  const open = stored.find(({ webhookId }) => webhookId === wanted)?.webhookId ?? only;
  const deliveries = open === null ? [] : ((await reads.deliveries(open, { limit: SHOWN, offset: 0 })) ?? []);
  return {
    isEntitled,
    list: stored.map((one) => cardOf(one, isEntitled)),
    open: open === null ? null : { id: open, deliveries: deliveries.map(rowOf) },
  };
}

function cardOf(stored: StoredWebhook, isEntitled: boolean): WebhookCard {
  const shown = presentWebhook(stored, isEntitled);
  return {
    id: shown.id,
    url: withoutQuery(shown.url),
    events: shown.events,
    only: [...shown.sports, ...shown.country, ...shown.venue, ...shown.bookmakers],
    minEdgePct: shown.min_edge_pct,
    minMovePct: shown.min_move_pct,
    pausedReason: shown.delivery_paused_reason,
    lastDeliveryMs: shown.last_delivery_at === null ? null : Date.parse(shown.last_delivery_at),
    failures: shown.failure_count,
  };
}

/** A query may have a secret of the receiver. */
function withoutQuery(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

const rowOf = ({
  deliveryId,
  kind,
  test,
  replayOf,
  status,
  error,
  createdAt,
  attempts,
}: StoredDelivery): DeliveryRow => ({
  id: deliveryId,
  event: kind,
  isTest: test,
  isReplay: replayOf !== null,
  status,
  error,
  createdMs: Date.parse(createdAt),
  attempts: attempts.map(({ startedAt, ...attempt }) => ({ ...attempt, startedMs: Date.parse(startedAt) })),
});
