// Ends what a customer has at Stripe: nothing of it is charged afterwards, and nothing is refunded. Each step may be
// repeated.
import { called, foundBy, type StripeClient } from './client';

const MOST = 100;

/** Resolves to the subscriptions that it ended. */
export async function endAll(stripe: StripeClient, customer: string): Promise<readonly EndedSubscription[]> {
  // Pages first: none of them can be paid once the subscriptions are listed.
  const pages = await foundBy(stripe.checkout.sessions.list({ customer, status: 'open', limit: MOST }));
  for (const { id } of pages?.data ?? []) await called(stripe.checkout.sessions.expire(id));
  const { data } = await called(stripe.subscriptions.list({ customer, limit: MOST }));
  for (const { id, schedule } of data) {
    const planned = typeof schedule === 'string' ? schedule : schedule?.id;
    if (planned !== undefined) await called(stripe.subscriptionSchedules.release(planned));
    await stopInvoices(stripe, id);
    await foundBy(stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false }));
  }
  return data.map(({ id, created }) => ({ id, created }));
}

interface EndedSubscription {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
}

/** Before the subscription ends, by which they are found. */
async function stopInvoices(stripe: StripeClient, subscription: string): Promise<void> {
  const { data } = await called(stripe.invoices.list({ subscription, limit: MOST }));
  for (const { id, status } of data) {
    if (status === 'open') await called(stripe.invoices.voidInvoice(id!));
    // Of the next period, which Stripe issues within the hour.
    if (status === 'draft') await called(stripe.invoices.update(id!, { auto_advance: false }));
  }
}
