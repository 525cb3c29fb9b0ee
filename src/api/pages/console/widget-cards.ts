// The account's widgets for its page, in plain values.

import type { Session } from '../../../accounts/visitor';
import { LIMITS } from '../../../plans/limits';
import { mayUse } from '../../../plans/rights';
import type { WidgetStore } from '../../../store/widgets/widgets';
import type { Widgets } from '../../../web/account/widgets';
import { presentWidget } from '../../operations/widgets/present-widgets';

export interface WidgetReads {
  readonly widgets: Pick<WidgetStore, 'list'>;
  readonly baseUrl: string;
}

/** `issuedAt`: of the account's key. */
export async function widgetCards(
  { widgets, baseUrl }: WidgetReads,
  { accountId, plan }: Session,
  issuedAt: string,
  nowMs: number,
): Promise<Widgets> {
  const isEntitled = mayUse('widgets', plan, issuedAt);
  const stored = await widgets.list(accountId, new Date(nowMs).toISOString());
  return {
    isEntitled,
    most: LIMITS[plan.id].widgets,
    list: stored.map((one) => {
      const shown = presentWidget(one, isEntitled, baseUrl);
      return {
        id: shown.id,
        name: shown.name,
        origins: shown.allowed_origins,
        markup: shown.embed_html,
        isPaused: shown.paused,
        fillsLastHour: shown.fills_last_hour,
        maxFillsPerHour: shown.max_fills_per_hour,
        fillsThisMonth: shown.fills_this_month,
        maxFillsPerMonth: shown.max_fills_per_month,
        lastFilledMs: shown.last_filled_at === null ? null : Date.parse(shown.last_filled_at),
      };
    }),
  };
}
