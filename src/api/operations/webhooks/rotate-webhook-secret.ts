// POST /v1/webhooks/{webhook_id}/secret/rotate (D28, D58): an addition to B 4.14. Free.

import { Type } from '@sinclair/typebox';
import { mayUse } from '../../../plans/rights';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { presentWebhook } from './present-webhooks';
import { EXAMPLE_SECRET, exampleWebhook, Webhook, webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const rotateWebhookSecret = endpoint<{ webhooks: WebhookService }>()({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/secret/rotate',
  operationId: 'rotate_webhook_secret',
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook',
  description:
    'Makes a new secret and shows it once. For 24 hours the secret before it signs too: `webhook-signature` has both signatures, and ' +
    '`X-Webhook-Signature` is that of the previous one. With `immediate=true` it ends at once. At most one previous secret signs.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  params: { webhook_id: webhookId },
  query: { immediate: Type.Boolean({ default: false, description: 'Ends the present secret at once.' }) },
  errors: ['not_found', 'plan_required'],
  ok: {
    description: 'The webhook, with its new secret.',
    schema: Webhook,
    example: { ...exampleWebhook, secret: EXAMPLE_SECRET, previous_secret_until: '2026-11-22T03:00:00.000Z' },
  },
  async handler({ caller, params, query: { immediate }, services: { webhooks } }) {
    const { plan, issuedAt } = caller!;
    const [webhook, secret] = await webhooks.rotateSecret(caller!, params.webhook_id, immediate);
    return { body: presentWebhook(webhook, mayUse('webhooks', plan, issuedAt), secret) };
  },
});
