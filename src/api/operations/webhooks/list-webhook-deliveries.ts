// GET /v1/webhooks/{webhook_id}/deliveries (B 2.10, B 4.14, D8). Free.

import { Type } from '@sinclair/typebox';
import { EVENT_KINDS, type EventKind } from '../../../domain/events/event';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { oneMore, pageAddress } from '../../kernel/http/response/next-page';
import { limit, list, offset } from '../../wire/parameters';
import { mustBe, readableInstant } from '../../wire/vocabulary';
import { DELIVERY_STATUSES, DeliveryStatus, deliveryId, exampleDelivery, WebhookDeliveries } from './delivery-schema';
import { presentDelivery } from './present-webhooks';
import { EventType, webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const listWebhookDeliveries = endpoint<{ baseUrl: string; webhooks: WebhookService }>()({
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  operationId: 'list_webhook_deliveries',
  tag: 'Webhooks',
  summary: 'What was posted to a webhook',
  description:
    'The deliveries of a webhook, test calls and replays included, for 30 days; those of `odds.change` for 3 days. Bodies of responses are not stored. The header ' +
    '`Link` has the next page: it begins behind the last delivery of this one, so that new ones shift nothing.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  params: { webhook_id: webhookId },
  query: {
    limit: limit(50, 200),
    offset: { ...offset, description: 'Number of rows to skip. New deliveries shift them: prefer `before`.' },
    status: list<(typeof DELIVERY_STATUSES)[number]>(
      { enum: DELIVERY_STATUSES, 'x-shown-as': DeliveryStatus },
      { description: 'Only deliveries of these statuses, comma-separated. Default: all.' },
    ),
    event: list<EventKind>(
      { enum: EVENT_KINDS, 'x-shown-as': EventType },
      { description: 'Only these kinds of events, comma-separated. Default: all.' },
    ),
    from: Type.Optional(readableInstant('Deliveries that were queued from then on.')),
    to: Type.Optional(readableInstant('Deliveries that were queued before then.')),
    before: Type.Optional(
      mustBe('the `id` of a delivery', {
        ...deliveryId,
        description: 'Only deliveries behind the one with this `id` in the list.',
      }),
    ),
  },
  paged: true,
  errors: ['not_found', 'plan_required'],
  ok: { description: 'A page of deliveries.', schema: WebhookDeliveries, example: [exampleDelivery] },
  async handler({ caller, params, query, services: { webhooks, baseUrl } }) {
    const { status: statuses, event: events, ...page } = oneMore(query);
    const wanted = { ...page, ...(statuses && { statuses }), ...(events && { events }) };
    const found = await webhooks.deliveries(caller!, params.webhook_id, wanted);
    const rows = found.slice(0, query.limit);
    const address = `${baseUrl}/v1/webhooks/${params.webhook_id}/deliveries`;
    // After the last delivery of this page, so that new ones shift nothing.
    const before = rows.at(-1)?.deliveryId;
    return {
      next: found.length > rows.length ? pageAddress(address, query, { offset: undefined, before }) : null,
      body: rows.map(presentDelivery),
    };
  },
});
