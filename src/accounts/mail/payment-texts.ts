// Mails about the payments of an account: what happened and when (UTC), what follows, and where the owner changes it.
import { hasOverage, monthlyCredits, overagePrice } from '../../plans/overage';
import { type Plan, planNamed, UNPAID_DAYS } from '../../plans/plans';
import { PAGES } from '../pages';
import { paragraphs, type Text, timeOf } from './texts';

const DAY_MS = 86_400_000;
const account = (baseUrl: string): string => `${baseUrl}${PAGES.account}`;
const number = (count: number): string => count.toLocaleString('en-AU');
const titleOf = (plan: string): string => planNamed(plan)?.title ?? plan;
const monthOf = (period: string): string => period.slice(0, 7);

/** `since`: when the invoice was issued that is not paid. */
export const unpaidPlanEnds = (since: string): string =>
  new Date(Date.parse(since) + UNPAID_DAYS * DAY_MS).toISOString();

/** `fact`: since when the invoice is open. */
export function paymentFailed(baseUrl: string, { plan, fact }: { plan: string; fact: string }): Text {
  const endsAt = unpaidPlanEnds(fact);
  return {
    subject: 'A payment failed',
    body: paragraphs(
      `An invoice of your ${titleOf(plan)} plan, issued on ${timeOf(fact)}, is not paid. The payment provider tries your card again.`,
      `The plan goes on until ${timeOf(endsAt)}, and ends then if the invoice is not paid. Pay it, or change the card, in the billing portal, which the page of your account opens:`,
      account(baseUrl),
    ),
  };
}

export function planChanged(baseUrl: string, before: Plan, after: Plan, { at }: { at: string }): Text {
  return {
    subject: `Your plan is now ${after.title}`,
    body: paragraphs(
      `Your account changed from the ${before.title} plan to the ${after.title} plan on ${timeOf(at)}.`,
      `It has ${number(after.monthlyCredits)} credits a month and ${number(after.requestsPerMinute)} requests a minute. Your keys stay. The page of your account shows what is paid for and when it ends:`,
      account(baseUrl),
    ),
  };
}

/** `lapsedSince`: since when the plan is not paid; null: it ended for another reason. */
export function planEnded(
  baseUrl: string,
  before: Plan,
  { at, lapsedSince }: { at: string; lapsedSince: string | null },
): Text {
  const why =
    lapsedSince === null
      ? `Your ${before.title} plan ended on ${timeOf(at)}.`
      : `Your ${before.title} plan ended on ${timeOf(at)}, because an invoice that was issued on ${timeOf(lapsedSince)} is not paid. The plan is still invoiced: pay to have it back, or cancel it.`;
  return {
    subject: `Your ${before.title} plan has ended`,
    body: paragraphs(
      why,
      'Your account is on the Free plan. Your keys work with the limits of that plan. Choose a plan on the page of your account:',
      account(baseUrl),
    ),
  };
}

/** `fact`: the first day of the month. */
export function overageBegun(
  baseUrl: string,
  { plan: name, credits, fact, lastAt }: { plan: string; credits: number; fact: string; lastAt: string },
): Text {
  const plan = planNamed(name);
  const price = plan && overagePrice(plan);
  const cost = price === null ? '' : ` 1,000 credits cost A$${price.toFixed(2)}.`;
  const ceiling = plan && hasOverage(plan) ? monthlyCredits({ plan, overage: true }).overage : null;
  const most = ceiling === null ? '' : ` At most ${number(ceiling)} credits a month are used so; then calls stop.`;
  return {
    subject: 'Overage has begun this month',
    body: paragraphs(
      `By ${timeOf(lastAt)} your account had used ${number(credits)} credits beyond its allowance in ${monthOf(fact)} (UTC). They are invoiced after the month.${cost}${most}`,
      'The page of your account shows the sum, and switches overage off: then calls stop at once, until the next month.',
      account(baseUrl),
    ),
  };
}

/** `fact`: when it was switched off. */
export function overageEnded(
  baseUrl: string,
  { month, fact, invoicedAt }: { month: string; fact: string; invoicedAt: string | null },
): Text {
  const why =
    invoicedAt === null
      ? `the overage of ${month} could not be invoiced`
      : `the invoice of the overage of ${month}, issued on ${timeOf(invoicedAt)}, is not paid`;
  return {
    subject: 'Overage is switched off',
    body: paragraphs(
      `Overage of your account was switched off on ${timeOf(fact)}, because ${why}. Calls stop when the credits of the month are used. Your plan stays.`,
      invoicedAt === null
        ? 'Check the card and the details of the invoice in the billing portal. Overage can be switched on again once the invoice is paid. Both are on the page of your account:'
        : 'Pay the invoice in the billing portal, then switch overage on again. Both are on the page of your account:',
      account(baseUrl),
    ),
  };
}

interface CreditsUsed {
  readonly plan: string;
  readonly overage: boolean;
  readonly percent: 80 | 100;
  readonly used: number;
  readonly included: number;
  readonly lastAt: string;
}

/** `next`: when the next month begins. `stopUrl`: stops these mails. */
export function creditsUsed(
  baseUrl: string,
  { plan, overage, percent, used, included, lastAt }: CreditsUsed,
  { next, stopUrl }: { readonly next: string; readonly stopUrl: string },
): Text {
  const isBilled = overage && hasOverage(planNamed(plan)!);
  const then = isBilled ? 'further calls are invoiced as overage' : 'calls that cost credits are refused (402)';
  return {
    subject: percent === 100 ? 'The credits of this month are used' : '80 % of the credits of this month are used',
    body: paragraphs(
      `By ${timeOf(lastAt)} your account had used ${number(used)} of the ${number(included)} credits of this month (UTC).`,
      `${percent === 100 ? 'From now on' : 'Once they are used,'} ${then}. New credits come on ${timeOf(next)}. The page of your account shows what used them, and larger plans:`,
      account(baseUrl),
      `You can switch these mails off there, under Email, or without signing in:\n${stopUrl}`,
    ),
    list: 'credits',
  };
}
