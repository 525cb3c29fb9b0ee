// Notices of the payments of an account: a payment that failed, another plan, overage that begins or ends. Levels: any
// process that finds one that was not noticed writes the mail and the event, and only one does. What is over before it
// is found is not noticed.
import { type AccountEvent, accountEvent } from '../../domain/events/account-event';
import { periodAt } from '../../plans/credits';
import { type Plan, planNamed } from '../../plans/plans';
import type { PaymentNoticeStore } from '../../store/accounts/notices/payment-notices';
import {
  overageBegun,
  overageEnded,
  paymentFailed,
  planChanged,
  planEnded,
  unpaidPlanEnds,
} from '../mail/payment-texts';
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
  const noticeOf = (email: string | null, text: Text, event: AccountEvent) => ({
    mail: email === null ? null : mailTo(email, text, nowMs),
    event,
  });
  const unpaid = await store.unpaid();
  for (const one of unpaid)
    await store.mailed('unpaid', one, noticeOf(one.email, paymentFailed(baseUrl, one), failedEvent(one)));
  const changes = await store.planChanges();
  for (const one of changes) {
    const plans = changedPlans(one);
    const event = plans && planEvent(plans, one);
    await store.planMailed(one, event && noticeOf(one.email, planText(baseUrl, plans, one), event));
  }
  const periods = [...new Set([nowMs - DAY_MS, nowMs].map((ms) => periodAt(ms).id))];
  const begun = await store.overageBegun(periods);
  for (const one of begun)
    await store.mailed('overage_begun', one, noticeOf(one.email, overageBegun(baseUrl, one), begunEvent(one)));
  const ended = await store.overageEnded();
  for (const one of ended)
    await store.mailed('overage_ended', one, noticeOf(one.email, overageEnded(baseUrl, one), endedEvent(one)));
  if ([unpaid, changes, begun, ended].some(({ length }) => length > 0)) mailWritten();
}

type Found<K extends Exclude<keyof PaymentNoticeStore, 'mailed' | 'planMailed'>> = Awaited<
  ReturnType<PaymentNoticeStore[K]>
>[number];
type Plans = readonly [before: Plan, after: Plan];

/** Null: another name of the same plan. */
function changedPlans({ before: from, after: to }: Found<'planChanges'>): Plans | null {
  const [before, after] = [planNamed(from), planNamed(to)];
  return !before || !after || before === after ? null : [before, after];
}

const planText = (baseUrl: string, [before, after]: Plans, change: Found<'planChanges'>): Text =>
  after.id === 'free' ? planEnded(baseUrl, before, change) : planChanged(baseUrl, before, after, change);

const planEvent = ([before, after]: Plans, { at, lapsedSince }: Found<'planChanges'>): AccountEvent =>
  accountEvent('account.plan_changed', at, { plan: after.id, previous_plan: before.id, unpaid_since: lapsedSince });

const idOf = (name: string): string => planNamed(name)?.id ?? name;

const failedEvent = ({ plan, fact }: Found<'unpaid'>): AccountEvent =>
  accountEvent('account.payment_failed', fact, {
    ...{ plan: idOf(plan), unpaid_since: fact, plan_ends_at: unpaidPlanEnds(fact) },
  });

const begunEvent = ({ plan, fact, credits, lastAt }: Found<'overageBegun'>): AccountEvent =>
  accountEvent('account.overage_begun', lastAt, {
    ...{ month: fact.slice(0, 7), plan: idOf(plan), overage_credits: credits },
  });

const endedEvent = ({ month, fact, invoicedAt }: Found<'overageEnded'>): AccountEvent =>
  accountEvent('account.overage_ended', fact, { unpaid_month: month, invoiced_at: invoicedAt });
