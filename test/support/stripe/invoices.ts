// Invoices and how they are paid: with the card of the invoice, otherwise of its subscription, otherwise of the
// customer, as Stripe's API documents `default_payment_method`. A card that was removed, or declines, leaves the
// invoice open.
import { param, texts } from './form';
import { list, type Route, required } from './requests';
import { changeTax, taxed, taxMembers } from './tax';
import { invalid, missing, type StripeObject, type StripeWorld } from './world';

function cardFor(world: StripeWorld, { default_payment_method, subscription, customer }: StripeObject): string | null {
  const ofSubscription = subscription && world.find('subscription', subscription).default_payment_method;
  return (
    default_payment_method ?? ofSubscription ?? world.find('customer', customer).invoice_settings.default_payment_method
  );
}

/** Tries to pay an issued invoice. Stripe keeps a failed charge too. */
export function collect(world: StripeWorld, invoice: StripeObject): void {
  const { customer, amount_due: amount } = invoice;
  const card = cardFor(world, invoice);
  const isAttached = card !== null && world.objects.get(card)?.customer === customer;
  const isPaid = amount === 0 || (isAttached && world.pays(card));
  if (amount > 0 && isAttached) {
    const isDisputed = isPaid && world.disputing.has(card);
    const charge = world.add('charge', 'ch', {
      customer,
      amount,
      amount_captured: isPaid ? amount : 0,
      amount_refunded: 0,
      payment_method: card,
      paid: isPaid,
      status: isPaid ? 'succeeded' : 'failed',
      refunded: false,
      disputed: isDisputed,
    });
    if (isDisputed) {
      const about = { charge: charge.id, amount, currency: 'aud', reason: 'fraudulent', status: 'needs_response' };
      world.emit('charge.dispute.created', world.add('dispute', 'dp', about));
    }
  }
  Object.assign(invoice, { status: isPaid ? 'paid' : 'open', amount_paid: isPaid ? amount : 0 });
  world.emit(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
}

/** Of a subscription: it is active again with its newest invoice. */
export function payInvoice(world: StripeWorld, invoice: StripeObject): void {
  collect(world, invoice);
  const [newest] = world.all(
    'invoice',
    (one) => one.subscription !== null && one.subscription === invoice.subscription,
  );
  if (newest !== invoice || invoice.status !== 'paid') return;
  const subscription = world.find('subscription', invoice.subscription);
  subscription.status = 'active';
  world.emit('customer.subscription.updated', subscription);
}

const draftTotals = (world: StripeWorld, invoice: StripeObject) => {
  const items = world.all('invoiceitem', (one) => one.invoice === invoice.id);
  return taxed(
    world,
    invoice,
    items.reduce((sum, { amount }) => sum + amount, 0),
  );
};

export const INVOICE_ROUTES: readonly Route[] = [
  [
    'GET',
    /^\/v1\/invoices$/,
    (world, params) => {
      const status = param(params, 'status');
      return list(world, params, 'invoice', (one) => !status || one.status === status);
    },
  ],
  [
    'POST',
    /^\/v1\/invoices$/,
    (world, params) => {
      const customer = world.find('customer', required(params, 'customer'), 'customer').id;
      const card = param(params, 'default_payment_method') ?? null;
      if (card !== null && world.objects.get(card)?.customer !== customer)
        throw missing('PaymentMethod', card, 'default_payment_method');
      return world.add('invoice', 'in', {
        customer,
        status: 'draft',
        currency: 'aud',
        total: 0,
        amount_due: 0,
        amount_paid: 0,
        subscription: null,
        default_payment_method: card,
        metadata: texts(params, 'metadata'),
        ...taxMembers(world, params),
        lines: { object: 'list', data: [] },
      });
    },
  ],
  [
    'GET',
    /^\/v1\/invoices\/(\w+)$/,
    (world, _, id) => {
      const invoice = world.find('invoice', id);
      return invoice.status === 'draft' ? { ...invoice, ...draftTotals(world, invoice) } : invoice;
    },
  ],
  [
    'POST',
    /^\/v1\/invoices\/(\w+)$/,
    (world, params, id) => {
      const invoice = world.find('invoice', id);
      if (invoice.status !== 'draft') throw invalid('You cannot change a finalized invoice.');
      changeTax(world, invoice, params);
      const advances = param(params, 'auto_advance');
      if (advances !== undefined) invoice.auto_advance = advances === 'true';
      return invoice;
    },
  ],
  [
    'POST',
    /^\/v1\/invoices\/(\w+)\/finalize$/,
    (world, _, id) => {
      const invoice = world.find('invoice', id);
      if (invoice.status !== 'draft') throw invalid('This invoice is already finalized.');
      Object.assign(invoice, draftTotals(world, invoice));
      invoice.amount_due = invoice.total;
      collect(world, invoice);
      return invoice;
    },
  ],
  [
    'POST',
    /^\/v1\/invoices\/(\w+)\/void$/,
    (world, _, id) => {
      const invoice = world.find('invoice', id);
      if (invoice.status !== 'open') throw invalid('You can only void open invoices.');
      return Object.assign(invoice, { status: 'void' });
    },
  ],
  [
    'GET',
    /^\/v1\/invoiceitems$/,
    (world, params) => {
      const invoice = param(params, 'invoice');
      return list(world, params, 'invoiceitem', (one) => !invoice || one.invoice === invoice);
    },
  ],
  [
    'GET',
    /^\/v1\/invoiceitems\/(\w+)$/,
    (world, params, id) => {
      const item = world.find('invoiceitem', id);
      return param(params, 'expand.0') === 'invoice' ? { ...item, invoice: world.find('invoice', item.invoice) } : item;
    },
  ],
  [
    'POST',
    /^\/v1\/invoiceitems$/,
    (world, params) => {
      const invoice = world.find('invoice', required(params, 'invoice'), 'invoice');
      if (invoice.status !== 'draft') throw invalid('You cannot add lines to a finalized invoice.', 'invoice');
      return world.add('invoiceitem', 'ii', {
        customer: required(params, 'customer'),
        invoice: invoice.id,
        amount: Number(required(params, 'amount')),
        currency: 'aud',
        description: param(params, 'description') ?? null,
        tax_behavior: param(params, 'tax_behavior') ?? 'unspecified',
        metadata: texts(params, 'metadata'),
      });
    },
  ],
];
