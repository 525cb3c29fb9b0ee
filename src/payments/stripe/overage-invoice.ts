// The invoice of one account's overage in one month (D39). Each step is repeated safely: what Stripe has already is
// found by its metadata, and two processes at the same step send the same idempotency key. Stripe forgets keys after a
// day; the metadata stay.
import { type OverageItem, PaymentsProblem } from '../payments';
import { called, type StripeClient } from './client';
import { isTaxed, requireInclusive, type TaxChoice, taxOf } from './tax';

const MOST = 100;

export async function invoiceOverage(stripe: StripeClient, item: OverageItem, tax: TaxChoice): Promise<string> {
  const { customerId: customer, accountId, period, cents, description } = item;
  const metadata = { account_id: accountId, overage_period: period };
  const name = `${accountId}:${period}`;
  const isOurs = (one: { metadata: Record<string, string> | null }) => one.metadata?.overage_period === period;

  const invoices = await called(stripe.invoices.list({ customer, limit: MOST, created: { gte: startOf(period) } }));
  const card = await cardOf(stripe, customer);
  const invoice =
    invoices.data.find(isOurs) ??
    (await called(
      stripe.invoices.create(
        // Stripe must not finalise it by itself while it has no item.
        {
          customer,
          metadata,
          description,
          currency: 'aud',
          auto_advance: false,
          collection_method: 'charge_automatically',
          pending_invoice_items_behavior: 'exclude',
          // A coupon is of the plan.
          discounts: '',
          ...(card !== null && { default_payment_method: card }),
        },
        { idempotencyKey: `overage-invoice:${name}` },
      ),
    ));

  const one = { customer, invoice: invoice.id!, metadata };
  const items = await called(stripe.invoiceItems.list({ customer, invoice: invoice.id!, limit: MOST }));
  const line =
    items.data.find(isOurs) ??
    (await called(
      stripe.invoiceItems.create(
        // A$ of overage are stated with GST, as those of plans.
        { ...one, amount: cents, currency: 'aud', description, tax_behavior: 'inclusive' },
        { idempotencyKey: `overage-item:${name}` },
      ),
    ));
  if (line.amount !== cents)
    throw new PaymentsProblem(`the overage of ${name} is ${cents} cents, and Stripe has invoiced ${line.amount}`);
  if (invoice.status !== 'draft') return line.id;
  await addInvoiceTax(stripe, invoice, tax);
  const { total } = await called(stripe.invoices.retrieve(invoice.id!));
  if (total !== cents) throw new PaymentsProblem(`the overage of ${name} is ${cents} cents, and with tax ${total}`);
  await called(
    stripe.invoices.finalizeInvoice(invoice.id!, { auto_advance: true }, { idempotencyKey: `overage-final:${name}` }),
  );
  return line.id;
}

/** `void`: the operator took it back. One that is written off (`uncollectible`) is still owed. */
const SETTLED = new Set<string | null>(['paid', 'void']);

export async function isSettled(stripe: StripeClient, itemId: string): Promise<boolean> {
  const { invoice } = await called(stripe.invoiceItems.retrieve(itemId, { expand: ['invoice'] }));
  if (invoice === null || typeof invoice === 'string') throw new PaymentsProblem(`the item ${itemId} has no invoice`);
  return SETTLED.has(invoice.status);
}

type Invoice = Awaited<ReturnType<StripeClient['invoices']['list']>>['data'][number];

/** Adds tax to a draft, because a process with another setting may have made it. */
async function addInvoiceTax(stripe: StripeClient, invoice: Invoice, tax: TaxChoice): Promise<void> {
  if (isTaxed(tax, invoice)) return;
  await requireInclusive(stripe, tax);
  await called(stripe.invoices.update(invoice.id!, taxOf(tax)));
}

/**
 * The card stands at the subscription that was bought with it: an invoice of its own would not find it. Null: the
 * customer's own, if there is one. Stripe refuses an invoice with a card that was removed since.
 */
async function cardOf(stripe: StripeClient, customer: string): Promise<string | null> {
  const [bought, attached] = await Promise.all([
    called(stripe.subscriptions.list({ customer, status: 'all', limit: MOST })),
    called(stripe.customers.listPaymentMethods(customer, { limit: MOST })),
  ]);
  const ids = new Set(attached.data.map(({ id }) => id));
  const ended = ({ status }: { status: string }) => Number(status === 'canceled');
  const cards = bought.data
    .toSorted((a, b) => ended(a) - ended(b))
    .map(({ default_payment_method: card }) => (typeof card === 'string' ? card : card?.id));
  return cards.find((card) => card !== undefined && ids.has(card)) ?? null;
}

/** Of a month, epoch seconds: a closed account is invoiced before its month ends. */
const startOf = (period: string): number => Date.parse(`${period}T00:00:00Z`) / 1000;
