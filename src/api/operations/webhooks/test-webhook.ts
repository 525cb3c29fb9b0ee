// POST /v1/webhooks/{webhook_id}/test (B 2.10, B 4.14, B 6). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { WebhookTest } from './delivery-schema';
import { isActive } from './present-webhooks';
import { webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const testWebhook = endpoint<{ webhooks: WebhookService }>()({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  operationId: 'test_webhook',
  tag: 'Webhooks',
  summary: 'Post a test to a webhook',
  description:
    'Posts one `odds.change` with `test` true, signed like every event, also to a webhook that is paused or disabled, and responds with the result ' +
    'within 20 seconds. There is one attempt. 10 test calls a minute for each account.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('webhooks'),
  params: { webhook_id: webhookId },
  errors: ['not_found'],
  ok: {
    description: 'The result of the attempt.',
    schema: WebhookTest,
    example: {
      delivered: true,
      status_code: 200,
      error: null,
      delivery_id: 'dl_0b8f4f0f2d0c4c3f9b1a6b0f6f1c2d3e',
      webhook_active: true,
    },
  },
  async handler({ caller, params, services: { webhooks } }) {
    const { webhook, deliveryId, outcome } = await webhooks.test(caller!, params.webhook_id);
    const { status, statusCode, error } = outcome;
    const result = { delivered: status === 'delivered', status_code: statusCode, error };
    return { body: { ...result, delivery_id: deliveryId, webhook_active: isActive(webhook) } };
  },
});
