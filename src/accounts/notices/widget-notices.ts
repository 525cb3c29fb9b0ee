// Mails the owners of widgets that have used 80 % of their month's fills. A level: any process that finds one not
// mailed writes its mail, and only one does.
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
    const text = TEXTS.widgetNearLimit(baseUrl, one.widgetId, one.fills, one.maxFillsPerMonth);
    await store.mailed(one, period, one.email === null ? null : mailTo(one.email, text, nowMs));
  }
  if (near.length > 0) mailWritten();
}
