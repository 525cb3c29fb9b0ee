// POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay (D57): an addition to B 4.14. Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { deliveryId, exampleDelivery, WebhookDelivery } from './delivery-schema';
import { presentDelivery } from './present-webhooks';
import { webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const replayWebhookDelivery = endpoint<{ webhooks: WebhookService }>()({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  operationId: 'replay_webhook_delivery',
  tag: 'Webhooks',
  summary: 'Deliver an event again',
  description:
    'Queues a new delivery of the same event: the same `webhook-id` and body, with a fresh timestamp and signature. Test calls and `odds.change` are ' +
    'not replayed (409), nor is a delivery that has not ended, and nothing to a webhook that is paused or disabled.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('webhooks'),
  params: { webhook_id: webhookId, delivery_id: deliveryId },
  errors: ['not_found', 'gone'],
  ok: {
    status: 202,
    description: 'The new delivery.',
    schema: WebhookDelivery,
    example: {
      ...exampleDelivery,
      id: 'dl_9c1d2e3f4a5b4c6d8e7f0a1b2c3d4e5f',
      replay_of: exampleDelivery.id,
      status: 'pending',
      attempt_count: 0,
      status_code: null,
      created_at: '2026-11-21T03:00:00.000Z',
      delivered_at: null,
    },
  },
  async handler({ caller, params, services: { webhooks } }) {
    const delivery = await webhooks.replay(caller!, params.webhook_id, params.delivery_id);
    return { body: presentDelivery(delivery) };
  },
});
