// GET /v1/widgets/{widget_id} (A 4.13). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { exampleWidget } from './example';
import { presentWidget } from './present-widgets';
import { Widget, widgetId } from './widget-schema';
import type { WidgetService } from './widgets';

export const getWidget = endpoint<{ baseUrl: string; widgets: WidgetService }>()({
  method: 'get',
  path: '/v1/widgets/{widget_id}',
  operationId: 'get_widget',
  tag: 'Widgets',
  summary: 'Get a widget',
  description:
    'A widget of the account with its settings, the markup to paste, and how often it was filled in the last 60 minutes.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  gate: planGate('widgets'),
  params: { widget_id: widgetId },
  errors: ['not_found'],
  ok: { description: 'The widget.', schema: Widget, example: exampleWidget },
  async handler({ caller, params, services: { widgets, baseUrl } }) {
    return { body: presentWidget(await widgets.find(caller!.accountId, params.widget_id), true, baseUrl) };
  },
});
