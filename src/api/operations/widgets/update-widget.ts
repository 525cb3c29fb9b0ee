// PATCH /v1/widgets/{widget_id} (A 4.13). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { exampleWidget } from './example';
import { presentWidget } from './present-widgets';
import { Widget, WidgetChange, widgetId } from './widget-schema';
import type { WidgetService } from './widgets';

export const updateWidget = endpoint<{ baseUrl: string; widgets: WidgetService }>()({
  method: 'patch',
  path: '/v1/widgets/{widget_id}',
  operationId: 'update_widget',
  tag: 'Widgets',
  summary: 'Change or pause a widget, or replace its public id',
  description:
    'Changes the settings that are sent, each as a whole: `link_templates` and lists are replaced. Changes apply immediately; open pages show them at their next refresh, ' +
    'and are loaded again for another title, colour or list of sites. Changing which prices are read (`bookmakers`, `categories`, `country`, `num_races`, `sport_key`, `market`, `num_matches`) starts a new fill, which is charged.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('widgets'),
  params: { widget_id: widgetId },
  body: WidgetChange,
  errors: ['not_found', 'conflict'],
  ok: { description: 'The widget as it is now.', schema: Widget, example: exampleWidget },
  async handler({ caller, params, body: { replace_embed_id: replaces, ...sent }, services: { widgets, baseUrl } }) {
    const widget = await widgets.change(caller!.accountId, params.widget_id, sent, replaces);
    return { body: presentWidget(widget, true, baseUrl) };
  },
});
