// GET /v1/webhooks/events (D65): an addition to B 4.14. Free.

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { limit, list } from '../../wire/parameters';
import { mustBe } from '../../wire/vocabulary';
import { EventPage, exampleEventPage, LISTED_KINDS } from './event-page-schema';
import { webhookId } from './webhook-schema';
import type { WebhookService } from './webhooks';

export const listWebhookEvents = endpoint<{ webhooks: WebhookService }>()({
  method: 'get',
  path: '/v1/webhooks/events',
  operationId: 'list_webhook_events',
  tag: 'Webhooks',
  summary: 'Events of the last 30 days',
  description:
    'The events that your webhooks want, as they are posted, oldest first, whether they were delivered or not: to catch up after an outage, to compare, or to begin ' +
    'before a webhook was created. An event is listed if at least one of your webhooks wants it by its filters of now, paused and disabled webhooks ' +
    'included; without a webhook, all are but those of your account. Events of your account are listed for the primary key alone. `odds.change` and test calls are not listed. Read on with `next` of the last response as `after`: no event is skipped, and ' +
    'none is listed twice. A cursor that is older than 30 days, or that cannot be read, is a free 422 that names the oldest instant.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  gate: planGate('webhooks'),
  query: {
    after: Type.Optional(
      mustBe(
        '`next` of an earlier response, or an instant with its UTC offset',
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            '`next` of the response before; or an instant with its UTC offset, to begin with what was recorded from then on. Default: the oldest event that is stored.',
          examples: ['MS40MTgyNy4xNzk1MjMwMTk4MTA0'],
        }),
      ),
    ),
    limit: limit(100, 1000),
    events: list<(typeof LISTED_KINDS)[number]>(
      { enum: LISTED_KINDS },
      { description: 'Of them only these kinds, comma-separated. Default: all.' },
    ),
    webhook_id: Type.Optional(
      mustBe('the `id` of a webhook', { ...webhookId, description: 'Only what this webhook wants.' }),
    ),
  },
  errors: ['not_found'],
  ok: { description: 'A page of events.', schema: EventPage, example: exampleEventPage },
  async handler({ caller, query, services: { webhooks } }) {
    const { after, limit, events = [], webhook_id: webhookId = null } = query;
    const page = await webhooks.events(caller!, { after, limit, events, webhookId });
    const { bodies, next, more } = page;
    return {
      body: { events: bodies.map((body) => JSON.parse(body) as Record<string, unknown>), next, has_more: more },
    };
  },
});
