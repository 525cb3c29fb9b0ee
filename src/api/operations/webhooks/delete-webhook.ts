// DELETE /v1/webhooks/{webhook_id} (B 4.14; shapes 5). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { WebhookDeleted, webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const deleteWebhook = endpoint<{ webhooks: WebhookService }>()({
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'delete_webhook',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook with its secret and cancels what is still to be delivered; an attempt that is under way ends. Its deliveries can no longer be read.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  params: { webhook_id: webhookId },
  errors: ['not_found', 'plan_required'],
  ok: {
    description: 'The webhook is deleted.',
    schema: WebhookDeleted,
    example: { deleted: true, id: 'wh_3f9a1c07b2d4' },
  },
  async handler({ caller, params: { webhook_id: id }, services: { webhooks } }) {
    await webhooks.remove(caller!, id);
    return { body: { deleted: true, id } };
  },
});
