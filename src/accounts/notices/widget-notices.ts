// Notices of widgets that have used 80 % of their month's fills. A level: any process that finds one not noticed writes
// the mail and the event, and only one does.
import { accountEvent } from '../../domain/events/account-event';
import { periodAt } from '../../plans/credits';
import type { WidgetMonthStore } from '../../store/widgets/month-notices';
import { mailTo, TEXTS } from '../mail/texts';

export interface WidgetNoticeDeps {
  readonly store: WidgetMonthStore;
  readonly baseUrl: string;
  /** A mail was written. */
  mailWritten(): void;
}

export async function mailNearMonthLimits(
  { store, baseUrl, mailWritten }: WidgetNoticeDeps,
  nowMs: number,
): Promise<void> {
  const period = periodAt(nowMs).id;
  const near = await store.near(period);
  for (const one of near) {
    const { widgetId, fills, maxFillsPerMonth, email } = one;
    const text = TEXTS.widgetNearLimit(baseUrl, widgetId, fills, maxFillsPerMonth);
    const mail = email === null ? null : mailTo(email, text, nowMs);
    const facts = { month: period.slice(0, 7), widget_id: widgetId, fills, max_fills_per_month: maxFillsPerMonth };
    const event = accountEvent('account.widget_near_limit', new Date(nowMs).toISOString(), facts);
    await store.mailed(one, period, { mail, event });
  }
  if (near.length > 0) mailWritten();
}
