// Mails owners about the payments of their accounts: a payment that failed, another plan, overage that begins or ends.
// Levels: any process that finds one that was not mailed writes its mail, and only one does. What is over before it is
// found is not mailed.
import { periodAt } from '../../plans/credits';
import { planNamed } from '../../plans/plans';
import type { PaymentNoticeStore } from '../../store/accounts/notices/payment-notices';
import { overageBegun, overageEnded, paymentFailed, planChanged, planEnded } from '../mail/payment-texts';
import { mailTo, type Text } from '../mail/texts';

export interface PaymentNoticeDeps {
  readonly store: PaymentNoticeStore;
  readonly baseUrl: string;
  /** A mail was written. */
  mailWritten(): void;
}

/** Overage that begins in the last minutes of a month is found in the next one. */
const DAY_MS = 86_400_000;

export async function mailPayments({ store, baseUrl, mailWritten }: PaymentNoticeDeps, nowMs: number): Promise<void> {
  const addressed = (email: string | null, text: Text | null) =>
    email === null || text === null ? null : mailTo(email, text, nowMs);
  const unpaid = await store.unpaid();
  for (const one of unpaid) await store.mailed('unpaid', one, addressed(one.email, paymentFailed(baseUrl, one)));
  const changes = await store.planChanges();
  for (const one of changes) await store.planMailed(one, addressed(one.email, planText(baseUrl, one)));
  const periods = [...new Set([nowMs - DAY_MS, nowMs].map((ms) => periodAt(ms).id))];
  const begun = await store.overageBegun(periods);
  for (const one of begun) await store.mailed('overage_begun', one, addressed(one.email, overageBegun(baseUrl, one)));
  const ended = await store.overageEnded();
  for (const one of ended) await store.mailed('overage_ended', one, addressed(one.email, overageEnded(baseUrl, one)));
  if ([unpaid, changes, begun, ended].some(({ length }) => length > 0)) mailWritten();
}

type PlanChange = Awaited<ReturnType<PaymentNoticeStore['planChanges']>>[number];

/** Null: another name of the same plan. */
function planText(baseUrl: string, change: PlanChange): Text | null {
  const [before, after] = [planNamed(change.before), planNamed(change.after)];
  if (!before || !after || before === after) return null;
  return after.id === 'free' ? planEnded(baseUrl, before, change) : planChanged(baseUrl, before, after, change);
}
