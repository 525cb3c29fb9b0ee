// POST /v1/widgets (A 4.13). Free.
import { planGate } from '../../access/plan-gate';
import { endpoint, flat } from '../../endpoint';
import { presentWidget } from '../../present/widgets';
import { exampleWidget } from '../../schemas/widgets/example';
import { FILL_CREDITS, FILLED_FOR_SECONDS, Widget, WidgetCreate } from '../../schemas/widgets/widget';
import { settingsOf } from '../../services/widgets/settings';

export const createWidget = endpoint({
  method: 'post',
  path: '/v1/widgets',
  operationId: 'create_widget',
  tag: 'Widgets',
  summary: 'Create a widget',
  description:
    'Creates a table of best racing prices for pages of your own sites, with your links to bookmakers: paste `embed_html`, or have a script fetch `fill_url`. ' +
    `A fill reads the prices and costs the account ${FILL_CREDITS} credits; for ${FILLED_FOR_SECONDS} seconds all readers of the same widget and race share it for free. ` +
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
    example: { ...exampleWidget, fills_last_hour: 0, last_filled_at: null },
  },
  async handler({ caller, body, idempotencyKey, services: { widgets, baseUrl } }) {
    return { body: presentWidget(await widgets.create(caller!, settingsOf(body), idempotencyKey), true, baseUrl) };
  },
});
