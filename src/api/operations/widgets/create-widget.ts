// POST /v1/widgets (A 4.13). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { exampleWidget } from './example';
import { presentWidget } from './present-widgets';
import { FILL_CREDITS, FILLED_FOR_SECONDS, Widget, WidgetCreate } from './widget-schema';
import type { WidgetService } from './widgets';

export const createWidget = endpoint<{ baseUrl: string; widgets: WidgetService }>()({
  method: 'post',
  path: '/v1/widgets',
  operationId: 'create_widget',
  tag: 'Widgets',
  summary: 'Create a widget',
  description:
    'Creates a table of best prices for pages of your own sites, with your links to bookmakers: of the next races, or with `type` `sports` of the next matches of one sport in ' +
    'one market. Paste `embed_html`, or have a script fetch `fill_url`. ' +
    `A fill reads the prices and costs the account ${FILL_CREDITS.racing} credits, of a sports widget ${FILL_CREDITS.sports}; for ${FILLED_FOR_SECONDS} seconds all readers of the same ` +
    'widget and race or match share it for free. ' +
    'An account may have ten widgets; one more is a 409. Retries with the same `Idempotency-Key` return the existing widget.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  idempotencyKey: true,
  gate: planGate('widgets'),
  body: WidgetCreate,
  errors: ['conflict'],
  ok: {
    description: 'The widget.',
    schema: Widget,
    example: { ...exampleWidget, fills_last_hour: 0, fills_this_month: 0, last_filled_at: null },
  },
  async handler({ caller, body, idempotencyKey, services: { widgets, baseUrl } }) {
    return { body: presentWidget(await widgets.create(caller!, body, idempotencyKey), true, baseUrl) };
  },
});
