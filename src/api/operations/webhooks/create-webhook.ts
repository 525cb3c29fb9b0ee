// POST /v1/webhooks (B 4.14, D13, D28, D58, D60; shapes 5). Free.

import { LIMITS } from '../../../plans/limits';
import { PLANS } from '../../../plans/plans';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { presentWebhook, wantedFilters } from './present-webhooks';
import { EXAMPLE_SECRET, exampleWebhook, Webhook, WebhookCreate } from './webhook-schema';
import type { WebhookService } from './webhooks';

const allowed = PLANS.filter(({ id }) => LIMITS[id].webhooks > 0)
  .map(({ id, title }) => `${title} ${LIMITS[id].webhooks}`)
  .join(', ');

export const createWebhook = endpoint<{ webhooks: WebhookService }>()({
  method: 'post',
  path: '/v1/webhooks',
  operationId: 'create_webhook',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'Has events posted to your URL from now on, all or those that the filters leave. The response shows the `secret` that signs them, this once: verify ' +
    '`webhook-signature` with a library of Standard Webhooks. Any 2xx within 15 seconds accepts an event; whatever else, a redirect ' +
    'included, is a failure, and the event is posted again, up to nine times in three days, an `odds.change` for a minute only. ' +
    `Webhooks that an account may have: ${allowed}; one more is a 409. If the response was ` +
    'lost, delete the webhook that `GET /v1/webhooks` lists and create another. Events of the account (`account.…`) are named by its primary key alone: ' +
    'another key gets a 403, and no other key manages the webhook from then on.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('webhooks'),
  body: WebhookCreate,
  errors: ['conflict'],
  ok: {
    description: 'The webhook, with its secret.',
    schema: Webhook,
    example: { ...exampleWebhook, last_delivery_at: null, secret: EXAMPLE_SECRET },
  },
  async handler({ caller, body: { url, ...filters }, services: { webhooks } }) {
    const [webhook, secret] = await webhooks.create(caller!, url, wantedFilters(filters));
    return { body: presentWebhook(webhook, true, secret) };
  },
});
