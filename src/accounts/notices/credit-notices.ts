// Notices of accounts that have used 80 or 100 percent of the month's credits; an owner may switch the mails off. A
// level: any process that finds one that was not noticed writes the mail and the event, and only one does.
import { accountEvent } from '../../domain/events/account-event';
import { periodAt } from '../../plans/credits';
import { namesOf, PLANS, planNamed } from '../../plans/plans';
import type { CreditNoticeStore } from '../../store/accounts/notices/credit-notices';
import { creditsUsed } from '../mail/payment-texts';
import { mailTo } from '../mail/texts';

export interface CreditNoticeDeps {
  readonly store: CreditNoticeStore;
  readonly baseUrl: string;
  /** A mail was written. */
  mailWritten(): void;
}

const ALLOWANCES: ReadonlyMap<string, number> = new Map(
  namesOf(PLANS).map((name) => [name, planNamed(name)!.monthlyCredits]),
);

export async function mailCreditLevels(
  { store, baseUrl, mailWritten }: CreditNoticeDeps,
  nowMs: number,
): Promise<void> {
  const month = periodAt(nowMs);
  const reached = await store.reached(month.id, ALLOWANCES);
  const next = new Date(month.endMs).toISOString();
  for (const one of reached) {
    const { email, percent, plan, used, included, overage, lastAt } = one;
    const mail = email === null ? null : mailTo(email, creditsUsed(baseUrl, one, next), nowMs);
    const event = accountEvent('account.credits_used', lastAt, {
      ...{ threshold_pct: percent, month: month.id.slice(0, 7), plan: planNamed(plan)!.id },
      ...{ credits_used: used, credits_included: included, overage, resets_at: next },
    });
    await store.mailed(one, { mail, event });
  }
  if (reached.length > 0) mailWritten();
}
