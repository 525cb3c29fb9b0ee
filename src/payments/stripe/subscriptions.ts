// A customer's subscriptions as a level: what Stripe has now, whatever its events announced and in which order.
import { PaymentsProblem, type Subscription } from '../payments';
import { called, foundBy, type StripeClient } from './client';
import { offerOfPrice } from './prices';
import { isTaxed, requireInclusive, type TaxChoice, taxOf, taxOnTop } from './tax';

type StripeSubscription = Awaited<ReturnType<StripeClient['subscriptions']['list']>>['data'][number];

/** `past_due`: Stripe still tries to collect; when it gives up, it ends the subscription (`canceled`, `unpaid`). */
const LIVE = new Set<string>(['active', 'trialing', 'past_due']);

const MOST = 100;

/**
 * Those that have not ended; a deleted customer has none. Rejects for a customer that Stripe never had: with the key of
 * another account every plan would end.
 */
export async function subscriptionsOf(
  stripe: StripeClient,
  customer: string,
  tax: TaxChoice,
): Promise<readonly Subscription[]> {
  const { data } = await called(stripe.subscriptions.list({ customer, limit: MOST }));
  const read = data.map(async (one) => {
    const unpaidSince = one.status === 'past_due' ? await unpaidSinceOf(stripe, one.id) : null;
    return subscriptionOf(one, unpaidSince, tax);
  });
  return (await Promise.all(read)).flat();
}

/**
 * Stripe goes on issuing invoices to a subscription that is past due, so the newest one does not date from the first
 * failure.
 */
async function unpaidSinceOf(stripe: StripeClient, subscription: string): Promise<number | null> {
  const { data } = await called(stripe.invoices.list({ subscription, limit: MOST }));
  const issued = data.filter(({ status }) => status !== 'draft' && status !== 'void');
  const paid = issued.findIndex(({ status }) => status === 'paid');
  return (paid < 0 ? issued : issued.slice(0, paid)).at(-1)?.created ?? null;
}

export async function hasCustomer(stripe: StripeClient, id: string): Promise<boolean> {
  const found = await foundBy(stripe.customers.retrieve(id));
  return found !== null && !found.deleted;
}

function subscriptionOf(from: StripeSubscription, unpaidSince: number | null, tax: TaxChoice): Subscription[] {
  const { id, status, items, schedule, created, cancel_at, cancel_at_period_end } = from;
  const item = items.data.find(({ price }) => offerOfPrice(price) !== null) ?? items.data[0];
  if (!item) return [];
  return [
    {
      id,
      itemId: item.id,
      created,
      paidUntil: item.current_period_end,
      offer: offerOfPrice(item.price),
      isLive: LIVE.has(status),
      unpaidSince,
      isCancelling: cancel_at_period_end || cancel_at !== null,
      plannedChange: typeof schedule === 'string' ? schedule : (schedule?.id ?? null),
      isTaxed: isTaxed(tax, from),
      taxOnTop: items.data.map(({ price }) => taxOnTop(tax, price)).find((reason) => reason !== null) ?? null,
    },
  ];
}

/**
 * A planned change (to a lower plan) is dropped: Stripe keeps the end of a subscription with a schedule in that
 * schedule.
 */
export async function cancelAtPeriodEnd(stripe: StripeClient, { id, plannedChange }: Subscription): Promise<void> {
  if (plannedChange !== null) await called(stripe.subscriptionSchedules.release(plannedChange));
  await called(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
}

export async function addTax(stripe: StripeClient, subscription: Subscription, tax: TaxChoice): Promise<void> {
  if (subscription.taxOnTop !== null) throw new PaymentsProblem(subscription.taxOnTop);
  if (subscription.isTaxed) return;
  await requireInclusive(stripe, tax);
  await called(stripe.subscriptions.update(subscription.id, taxOf(tax)));
}

/** What is left of it becomes a credit on the customer's next invoice. */
export async function endDuplicate(stripe: StripeClient, { id, unpaidSince }: Subscription): Promise<void> {
  const isPaid = unpaidSince === null;
  const ending = { prorate: isPaid, invoice_now: isPaid };
  const ended = stripe.subscriptions.cancel(id, ending, { idempotencyKey: `end:${id}` });
  await foundBy(ended);
}

export async function hasPaid(stripe: StripeClient, customer: string): Promise<boolean> {
  const found = await foundBy(stripe.charges.list({ customer, limit: MOST }));
  return found?.data.some(isKept) ?? false;
}

interface Charge {
  readonly paid: boolean;
  readonly disputed: boolean;
  readonly amount_captured: number;
  readonly amount_refunded: number;
}

/** An invoice stays paid when its charge is refunded. */
function isKept({ paid, disputed, amount_captured, amount_refunded }: Charge): boolean {
  return paid && !disputed && amount_captured > amount_refunded;
}
