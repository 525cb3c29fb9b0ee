// Mails owners whose accounts have used 80 or 100 percent of the month's credits, unless they switched these mails off.
// A level: any process that finds one that was not mailed writes its mail, and only one does.
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
  for (const one of reached)
    await store.mailed(one, one.email === null ? null : mailTo(one.email, creditsUsed(baseUrl, one, next), nowMs));
  if (reached.length > 0) mailWritten();
}
