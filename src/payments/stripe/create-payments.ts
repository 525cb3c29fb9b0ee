// Payments over Stripe: binds each call to the connection, and adds nothing.
import type { Payments } from '../payments';
import { called, createStripe, notSetUp, type StripeSettings } from './client';
import { endAll } from './end-all';
import { readEvent, setUpEvents } from './events';
import { invoiceOverage, isSettled } from './overage-invoice';
import { checkout, checkoutBy, confirmChange, portal } from './pages';
import { pricesWithTaxOnTop } from './prices';
import { setUp } from './set-up';
import { addTax, cancelAtPeriodEnd, endDuplicate, hasCustomer, hasPaid, subscriptionsOf } from './subscriptions';
import type { TaxChoice } from './tax';

export interface StripePayments extends StripeSettings {
  /** Null: no event is accepted. */
  readonly webhookSecret: string | null;
  readonly tax: TaxChoice;
  /** Where Stripe's pages lead back to, with `checkout` or `from=billing`. */
  readonly returnUrl: string;
}

export function createPayments(settings: StripePayments): Payments {
  const { webhookSecret, tax, returnUrl } = settings;
  const stripe = createStripe(settings);
  const backUrl = `${returnUrl}?from=billing`;
  return {
    async createCustomer({ accountId, email, replaces }) {
      const { id } = await called(
        stripe.customers.create(
          { metadata: { account_id: accountId }, ...(email !== null && { email }) },
          { idempotencyKey: `customer:${accountId}:${replaces ?? 'first'}` },
        ),
      );
      return id;
    },
    async nameCustomer(customerId, email) {
      await called(stripe.customers.update(customerId, { email }));
    },
    hasCustomer: (customerId) => hasCustomer(stripe, customerId),
    subscriptions: (customerId) => subscriptionsOf(stripe, customerId, tax),
    checkout: (order) => checkout(stripe, order, { returnUrl, tax }),
    checkoutBy: (id) => checkoutBy(stripe, id),
    confirmChange: (order) => confirmChange(stripe, order, backUrl),
    portal: (customerId) => portal(stripe, customerId, backUrl),
    cancelAtPeriodEnd: (subscription) => cancelAtPeriodEnd(stripe, subscription),
    endDuplicate: (subscription) => endDuplicate(stripe, subscription),
    endAll: (customerId) => endAll(stripe, customerId),
    addTax: (subscription) => addTax(stripe, subscription, tax),
    pricesWithTaxOnTop: () => pricesWithTaxOnTop(stripe, tax),
    hasPaid: (customerId) => hasPaid(stripe, customerId),
    invoiceOverage: (item) => invoiceOverage(stripe, item, tax),
    isSettled: (itemId) => isSettled(stripe, itemId),
    readEvent(body, signature, nowMs) {
      if (webhookSecret === null) throw notSetUp('STRIPE_WEBHOOK_SECRET is not set, and Stripe sends events');
      return readEvent(body, signature, webhookSecret, nowMs);
    },
    setUp: () => setUp(stripe, returnUrl, tax),
    setUpEvents: (url) => setUpEvents(stripe, url),
  };
}
