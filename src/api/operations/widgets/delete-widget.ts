// DELETE /v1/widgets/{widget_id} (A 4.13). Free.

import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { exampleWidget } from './example';
import { WidgetDeleted, widgetId } from './widget-schema';
import type { WidgetService } from './widgets';

export const deleteWidget = endpoint<{ widgets: WidgetService }>()({
  method: 'delete',
  path: '/v1/widgets/{widget_id}',
  operationId: 'delete_widget',
  tag: 'Widgets',
  summary: 'Delete a widget',
  description:
    'Deletes a widget: pages that embed it show nothing from then on. What its fills cost stays in the figures of the account.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: planGate('widgets'),
  params: { widget_id: widgetId },
  errors: ['not_found'],
  ok: {
    description: 'The widget is deleted.',
    schema: WidgetDeleted,
    example: { id: exampleWidget.id, deleted: true },
  },
  async handler({ caller, params: { widget_id: id }, services: { widgets } }) {
    await widgets.remove(caller!.accountId, id);
    return { body: { id, deleted: true } };
  },
});
