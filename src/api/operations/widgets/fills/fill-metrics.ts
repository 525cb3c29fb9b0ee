// Counts what customers' sites get from widgets: fills by how they were served, and refusals by reason.
import { metrics } from '@opentelemetry/api';
import type { WidgetContent, WidgetRefusal } from '../../../../web/widgets/source';

/**
 * `charged`: by this request. `cached`: an earlier fill. `free`: there was no price to show. `delayed`: the last
 * prices, over a share or limit.
 */
export type Served =
  | { readonly type: WidgetContent['type']; readonly outcome: 'charged' | 'cached' | 'free' | 'delayed' }
  | { readonly reason: WidgetRefusal['kind'] };

const meter = metrics.getMeter('racing-odds/api');
const fills = meter.createCounter('racing.widgets.fills', {
  description: 'Fills of widgets that were shown, by what they show and how they were served',
});
const refusals = meter.createCounter('racing.widgets.refused', {
  description: 'Fills of widgets that were refused, by reason',
});

export function recordFill(served: Served): void {
  if ('reason' in served) refusals.add(1, { reason: served.reason });
  else fills.add(1, { type: served.type, outcome: served.outcome });
}
