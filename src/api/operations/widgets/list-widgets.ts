// GET /v1/widgets (A 4.13). Free.

import { LIMITS } from '../../../plans/limits';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { planGate } from '../../kernel/endpoint/plan-gate';
import { exampleWidget } from './example';
import { presentWidget } from './present-widgets';
import { WidgetList } from './widget-schema';
import type { WidgetService } from './widgets';

export const listWidgets = endpoint<{ baseUrl: string; widgets: WidgetService }>()({
  method: 'get',
  path: '/v1/widgets',
  operationId: 'list_widgets',
  tag: 'Widgets',
  summary: 'The widgets of the account',
  description:
    'Every widget of the account with its settings, the markup to paste, and how often it was filled in the last 60 minutes.',
  auth: 'primary_key',
  cost: flat(0),
  ofAccount: true,
  gate: planGate('widgets'),
  ok: { description: 'The widgets.', schema: WidgetList, example: { limit: 10, widgets: [exampleWidget] } },
  async handler({ caller, services: { widgets, baseUrl } }) {
    const { accountId, plan } = caller!;
    const list = await widgets.list(accountId);
    return { body: { limit: LIMITS[plan.id].widgets, widgets: list.map((one) => presentWidget(one, true, baseUrl)) } };
  },
});
