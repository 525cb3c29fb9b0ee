// Notices of accounts that have used 80 or 100 percent of the month's credits; an owner may switch the mails off. A
// level: any process that finds one that was not noticed writes the mail and the event, and only one does.
import { accountEvent } from '../../domain/events/account-event';
import { periodAt } from '../../plans/credits';
import { namesOf, PLANS, planNamed } from '../../plans/plans';
import type { CreditNoticeStore } from '../../store/accounts/notices/credit-notices';
import { creditsUsed } from '../mail/payment-texts';
import { stopUrl } from '../mail/stop-links';
import { mailTo } from '../mail/texts';

export interface CreditNoticeDeps {
  readonly store: CreditNoticeStore;
  readonly baseUrl: string;
  /** Signs the link that stops these mails. */
  linkSecret(): Promise<Buffer>;
  /** A mail was written. */
  mailWritten(): void;
}

const ALLOWANCES: ReadonlyMap<string, number> = new Map(
  namesOf(PLANS).map((name) => [name, planNamed(name)!.monthlyCredits]),
);

export async function mailCreditLevels(
  { store, baseUrl, linkSecret, mailWritten }: CreditNoticeDeps,
  nowMs: number,
): Promise<void> {
  const month = periodAt(nowMs);
  const reached = await store.reached(month.id, ALLOWANCES);
  if (reached.length === 0) return;
  const next = new Date(month.endMs).toISOString();
  const secret = await linkSecret();
  for (const one of reached) {
    const { accountId, email, percent, plan, used, included, overage, lastAt } = one;
    const mail =
      email === null
        ? null
        : mailTo(
            email,
            creditsUsed(baseUrl, one, { next, stopUrl: stopUrl('credits', accountId, { baseUrl, secret }) }),
            nowMs,
          );
    const event = accountEvent('account.credits_used', lastAt, {
      ...{ threshold_pct: percent, month: month.id.slice(0, 7), plan: planNamed(plan)!.id },
      ...{ credits_used: used, credits_included: included, overage, resets_at: next },
    });
    await store.mailed(one, { mail, event });
  }
  mailWritten();
}
