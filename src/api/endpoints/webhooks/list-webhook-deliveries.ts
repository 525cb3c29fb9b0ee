// GET /v1/webhooks/{webhook_id}/deliveries (B 2.10, B 4.14, D8). Free.
import { endpoint, flat } from '../../endpoint';
import { presentDelivery } from '../../present/webhooks';
import { limit, offset } from '../../schemas/parameters';
import { WebhookDeliveries } from '../../schemas/webhooks/delivery';
import { exampleDelivery } from '../../schemas/webhooks/examples';
import { webhookId } from '../../schemas/webhooks/webhook';

export const listWebhookDeliveries = endpoint({
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  operationId: 'list_webhook_deliveries',
  tag: 'Webhooks',
  summary: 'What was posted to a webhook',
  description:
    'The deliveries of a webhook, test calls and replays included, for 30 days; those of `odds.change` for 3 days. Bodies of responses are not stored.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  params: { webhook_id: webhookId },
  query: { limit: limit(50, 200), offset },
  errors: ['not_found'],
  ok: { description: 'A page of deliveries.', schema: WebhookDeliveries, example: [exampleDelivery] },
  async handler({ caller, params, query, services: { webhooks } }) {
    const deliveries = await webhooks.deliveries(caller!.accountId, params.webhook_id, query);
    return { body: deliveries.map(presentDelivery) };
  },
});
