// GET /v1/webhooks (B 4.14; shapes 5). Free.

import { mayUse } from '../../../plans/rights';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { presentWebhook } from './present-webhooks';
import { exampleWebhook, Webhooks } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const listWebhooks = endpoint<{ webhooks: WebhookService }>()({
  method: 'get',
  path: '/v1/webhooks',
  operationId: 'list_webhooks',
  tag: 'Webhooks',
  summary: 'The webhooks of the account',
  description:
    'Every webhook of the account, without its secret. After a downgrade they stay, and `delivery_entitled` is false: nothing is posted until the ' +
    'plan includes it again.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  ok: { description: 'The webhooks.', schema: Webhooks, example: [exampleWebhook] },
  async handler({ caller, services: { webhooks } }) {
    const { accountId, plan, issuedAt } = caller!;
    const isEntitled = mayUse('webhooks', plan, issuedAt);
    return { body: (await webhooks.list(accountId)).map((one) => presentWebhook(one, isEntitled)) };
  },
});
