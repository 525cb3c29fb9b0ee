// What Stripe has and what the account shows after a step, printed, and compared with what is expected. The service's
// own passes read Stripe, as they do within the hour without any event.
import { overagePass } from '../../../accounts/billing/overage-pass';
import { reconcile } from '../../../accounts/billing/pass';
import { unpaidOveragePass } from '../../../accounts/billing/unpaid-overage';
import { mailCreditLevels } from '../../../accounts/notices/credit-notices';
import { mailPayments } from '../../../accounts/notices/payment-notices';
import { called, type StripeClient } from '../../../payments/stripe/client';
import type { PlanId } from '../../../plans/plans';
import { type Customer, customerIdOf, keyOfCustomer, minuteOf, payerOf } from './acts';
import type { Stage } from './stage';

export interface ExpectedLook {
  /** Of the subscription, at Stripe. */
  readonly status: 'active' | 'past_due' | 'canceled';
  readonly plan: PlanId;
  /** Issued or paid since the last look; null: none. `within`: so many cents, by Stripe's rounding. */
  readonly invoice: { readonly cents: number; readonly status: 'paid' | 'open'; readonly within?: number } | null;
  /** Credits that the month still has, without overage; absent: not compared. */
  readonly included?: number;
  /** Subjects of the mails since the last look. */
  readonly mails: readonly string[];
}

type Invoice = Awaited<ReturnType<StripeClient['invoices']['list']>>['data'][number];

/** Does now what the API does within the hour. Rejects with whatever it would log. */
export async function doPasses({ deps, stores, clock, warnings }: Stage): Promise<void> {
  const { baseUrl } = deps;
  const { failed, untaxed } = await reconcile(deps);
  const overage = await overagePass(deps);
  await unpaidOveragePass(deps);
  const mailWritten = () => {};
  await mailPayments({ store: stores.paymentNotices, baseUrl, mailWritten }, clock.wallMs());
  const { linkSecret } = stores.billedAccounts;
  await mailCreditLevels({ store: stores.creditNotices, baseUrl, linkSecret, mailWritten }, clock.wallMs());
  const wrong = [...warnings.splice(0), ...untaxed.map(({ reason }) => `GST is not as STRIPE_TAX has it: ${reason}`)];
  if (wrong.length > 0 || failed + overage.failed > 0) throw new Error(wrong.join('; '));
}

/** Prints both sides. Rejects with every difference from what is expected. */
export async function look(stage: Stage, customer: Customer, expected: ExpectedLook): Promise<void> {
  await doPasses(stage);
  const { status, paidUntil, invoices } = await atStripe(stage, customer);
  const account = await shown(stage, customer);
  const { say } = stage;
  const issued = invoices.map((one) => `; invoice of ${aud(one.total)} ${one.status}, GST ${aud(gstOf(one))}`);
  say(`  Stripe   ${status}, period until ${minuteOf(paidUntil * 1000)}${issued.join('')}`);
  const unpaid =
    account.unpaidSince === null ? 'nothing unpaid' : `unpaid since ${minuteOf(Date.parse(account.unpaidSince))}`;
  const mails = account.mails.length > 0 ? `; mailed: ${account.mails.join(', ')}` : '';
  say(`  account  ${account.plan.title}, ${unpaid}, ${credits(account)} credits left${mails}`);
  const found = [
    differs('the subscription at Stripe is', status, expected.status),
    differs('the plan of the account is', account.plan.id, expected.plan),
    differs('mails are', account.mails.join(', ') || 'none', expected.mails.toSorted().join(', ') || 'none'),
    expected.included === undefined ? null : differs('credits left are', account.included, expected.included),
    ...invoiceFaults(stage, invoices, expected.invoice),
    unpaidFault(account.unpaidSince, invoices, expected.status),
  ].filter((one) => one !== null);
  if (found.length > 0) throw new Error(found.join('; '));
}

const differs = <T>(what: string, found: T, expected: T): string | null =>
  found === expected ? null : `${what} ${found}, expected ${expected}`;

const aud = (cents: number): string => `A$${(cents / 100).toFixed(2)}`;
const gstOf = ({ total_taxes }: Invoice): number => (total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
const credits = ({ included, overage }: { included: number; overage: number }): string =>
  `${included.toLocaleString('en-AU')}${overage > 0 ? ` and ${overage.toLocaleString('en-AU')} of overage` : ''}`;

/** Invoices that are new or have another status since the last look, oldest first. */
async function atStripe(stage: Stage, customer: Customer) {
  const { stripe } = stage;
  const of = { customer: await customerIdOf(stage, customer), limit: 100 };
  const [subscription] = (await called(stripe.subscriptions.list({ ...of, status: 'all' }))).data;
  if (!subscription) throw new Error('Stripe has no subscription of the customer');
  const all = (await called(stripe.invoices.list(of))).data.filter(({ status }) => status !== 'draft');
  const invoices = all.filter(({ id, status }) => !customer.seen.has(`${id} ${status}`)).toReversed();
  for (const { id, status } of invoices) customer.seen.add(`${id} ${status}`);
  return { status: subscription.status as string, paidUntil: subscription.items.data[0]!.current_period_end, invoices };
}

async function shown(stage: Stage, customer: Customer) {
  const { billing, reader, stores, clock } = stage;
  const payer = await payerOf(stage, customer);
  const { unpaid } = await billing.standing(payer);
  const use = await reader.read({ ...(await keyOfCustomer(stage, customer)), plan: payer.plan });
  const [used, left] = [use.used - use.usage.overage, use.remaining ?? 0];
  const included = (use.included ?? 0) - used;
  const nowAt = new Date(clock.wallMs()).toISOString();
  // As the sender does, which sends them.
  const mails = await stores.mails.claim(nowAt, nowAt, 100);
  for (const { mailId } of mails) await stores.mails.sent(mailId, nowAt);
  return {
    ...payer,
    unpaidSince: unpaid?.since ?? null,
    included,
    overage: left - included,
    mails: mails.map(({ subject }) => subject).toSorted(),
  };
}

function invoiceFaults({ tax }: Stage, invoices: readonly Invoice[], expected: ExpectedLook['invoice']): string[] {
  const [invoice] = invoices;
  if (invoices.length !== (expected ? 1 : 0))
    return [`there are ${invoices.length} invoices, expected ${expected ? 1 : 0}`];
  if (!invoice || !expected) return [];
  const { cents, status, within = 0 } = expected;
  const faults = [differs('the invoice is', invoice.status as string, status)];
  if (Math.abs(invoice.total - cents) > within)
    faults.push(`the invoice is of ${aud(invoice.total)}, expected ${aud(cents)}`);
  // A cent for the rounding of each line.
  const gst = tax.kind === 'none' ? 0 : invoice.total / 11;
  if (Math.abs(gstOf(invoice) - gst) > Math.max(1, invoice.lines.data.length))
    faults.push(`GST is ${aud(gstOf(invoice))}, expected ${aud(gst)}`);
  return faults.filter((one) => one !== null);
}

/** Since the invoice that failed. */
function unpaidFault(since: string | null, invoices: readonly Invoice[], status: string): string | null {
  const failed = status === 'past_due' ? invoices.find((one) => one.status === 'open') : undefined;
  return differs('unpaid since', since, failed ? new Date(failed.created * 1000).toISOString() : null);
}
