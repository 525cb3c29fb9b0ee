// POST /v1/webhooks/{webhook_id}/replay (D57): an addition to B 4.14. Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { WebhookReplay, WebhookReplayRequest } from './delivery-schema';
import { webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const replayWebhook = endpoint<{ webhooks: WebhookService }>()({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/replay',
  operationId: 'replay_webhook',
  tag: 'Webhooks',
  summary: 'Deliver the events of a time range again',
  description:
    'Queues new deliveries of those that were queued within the range and have ended, in their order, 20 a second and after live events. With `cancelled` among ' +
    'the statuses, what the webhook missed while it was disabled is replayed too: every event of that time that its filters of now want. Test calls, replays ' +
    'and `odds.change` are left out. At most 24 hours and 10,000 deliveries, those of earlier replays that still wait included (409). Under an ' +
    '`Idempotency-Key` the same request is made once and answered the same for 24 hours.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  idempotencyKey: true,
  gate: planGate('webhooks'),
  params: { webhook_id: webhookId },
  body: WebhookReplayRequest,
  errors: ['not_found'],
  ok: {
    status: 202,
    description: 'How many deliveries are made again.',
    schema: WebhookReplay,
    example: { webhook_id: 'wh_3f9a1c07b2d4', replayed: 128 },
  },
  async handler({ caller, params: { webhook_id: id }, body, idempotencyKey, services: { webhooks } }) {
    const { from, to, events = [], statuses = ['delivered', 'failed', 'cancelled'] } = body;
    const range = { from, to, events, statuses };
    const replayed = await webhooks.replayRange(caller!, id, range, idempotencyKey);
    return { body: { webhook_id: id, replayed } };
  },
});
