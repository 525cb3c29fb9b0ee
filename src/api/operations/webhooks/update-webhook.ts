// PATCH /v1/webhooks/{webhook_id}: an addition to B 4.14. Free.

import { mayUse } from '../../../plans/rights';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { presentWebhook, wantedFilters } from './present-webhooks';
import { exampleWebhook, Webhook, WebhookChange, webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const updateWebhook = endpoint<{ webhooks: WebhookService }>()({
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'update_webhook',
  tag: 'Webhooks',
  summary: 'Change or pause a webhook',
  description:
    'Changes the URL or the filters of a webhook, or pauses it; what is not sent stays, and a filter that is null filters nothing. Filters count for events from ' +
    'then on. Events of a pause are listed as cancelled deliveries, but for `odds.change`, and can be replayed. `paused` false also enables a webhook ' +
    'that was disabled; what it missed can be replayed too.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  params: { webhook_id: webhookId },
  body: WebhookChange,
  errors: ['not_found', 'plan_required'],
  ok: { description: 'The webhook as it is now.', schema: Webhook, example: exampleWebhook },
  async handler({ caller, params, body, services: { webhooks } }) {
    const { plan, issuedAt } = caller!;
    const { url, paused, ...filters } = body;
    const webhook = await webhooks.change(caller!, params.webhook_id, wantedFilters(filters), { url, paused });
    return { body: presentWebhook(webhook, mayUse('webhooks', plan, issuedAt)) };
  },
});
