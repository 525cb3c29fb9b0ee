// The actions of people on Stripe's pages: pay, confirm, cancel, renew. A page is opened by its address.
import { payInvoice } from './invoices';
import { changeLater, changeNow, subscribe } from './subscriptions';
import { invalid, type StripeObject, type StripeWorld } from './world';

export interface People {
  /** Pays on a checkout page, as a business with its ABN or not. */
  pay(url: string, abn?: string): StripeObject;
  /** Confirms the change that a portal page shows. */
  confirm(url: string): void;
  /** Adds a card to a customer, which is its default from then on. */
  addCard(customer: string): string;
  /** Makes the card unable to pay. */
  removeCard(card: string): void;
  /** On the page of an open invoice. */
  payInvoice(invoice: string): void;
  /** The operator refunds what the customer has paid, all of it or this many cents of each charge. */
  refund(customer: string, cents?: number): void;
  /**
   * In the portal, for a subscription: changes to another price by the portal's rules, cancels, or takes the
   * cancellation back.
   */
  choose(subscription: string, lookupKey: string): void;
  cancel(subscription: string, isCancelling?: boolean): void;
}

export function people(world: StripeWorld): People {
  const pageAt = (object: string, url: string): StripeObject => {
    const [page] = world.all(object, (one) => one.url === url);
    if (!page) throw new Error(`Stripe has no page ${url}`);
    return page;
  };
  return {
    pay(url, abn) {
      const session = pageAt('checkout.session', url);
      if (session.status !== 'open') throw invalid('This checkout session is not open.');
      if (!world.cardsPay) throw invalid('Your card was declined.', undefined, 'card_declined');
      const price = world.find('price', session.price);
      const customer = world.find('customer', session.customer);
      customer.address = { country: 'AU' };
      if (abn && !session.tax_id_collection.enabled) throw new Error('The page does not ask for a tax id.');
      if (abn) customer.tax_ids.push({ type: 'au_abn', value: abn });
      // A checkout saves the card for the subscription, not as the customer's own.
      const card = world.addCard(session.customer).id;
      const { subscription_data: metadata, tax, anchor } = session;
      const subscription = subscribe(world, session.customer, price, { metadata, card, tax, anchor });
      Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id });
      world.emit('checkout.session.completed', session);
      return subscription;
    },
    confirm(url) {
      const { flow } = pageAt('billing_portal.session', url);
      const { subscription, items } = flow.subscription_update_confirm;
      changeByRules(world, world.find('subscription', subscription), world.find('price', items[0].price));
    },
    addCard(customer) {
      const { id } = world.addCard(customer);
      world.find('customer', customer).invoice_settings.default_payment_method = id;
      return id;
    },
    removeCard(card) {
      const { customer } = world.find('payment_method', card);
      world.find('payment_method', card).customer = null;
      const { invoice_settings: own } = world.find('customer', customer);
      for (const one of [own, ...world.all('subscription', isKeptBy(customer))])
        if (one.default_payment_method === card) one.default_payment_method = null;
    },
    payInvoice: (id) => payInvoice(world, world.find('invoice', id)),
    refund(customer, cents) {
      for (const charge of world.all('charge', (one) => one.customer === customer && one.paid)) {
        charge.amount_refunded = cents ?? charge.amount_captured;
        charge.refunded = charge.amount_refunded === charge.amount_captured;
        world.emit('charge.refunded', charge);
      }
    },
    choose(id, lookupKey) {
      const [price] = world.all('price', (one) => one.lookup_key === lookupKey);
      changeByRules(world, world.find('subscription', id), price);
    },
    cancel(id, isCancelling = true) {
      const subscription = world.find('subscription', id);
      subscription.cancel_at_period_end = isCancelling;
      world.emit('customer.subscription.updated', subscription);
    },
  };
}

/** An ended subscription keeps the id of its card. */
const isKeptBy =
  (customer: string) =>
  (one: StripeObject): boolean =>
    one.customer === customer && one.status !== 'canceled';

/** By `schedule_at_period_end` of the portal's configuration. */
function changeByRules(world: StripeWorld, subscription: StripeObject, price: StripeObject): void {
  const [configuration] = world.all('billing_portal.configuration');
  const conditions = configuration.features.subscription_update.schedule_at_period_end.conditions.map(
    ({ type }: StripeObject) => type,
  );
  const before = subscription.items.data[0].price;
  const isShorter = before.recurring.interval === 'year' && price.recurring.interval === 'month';
  const isLater =
    (conditions.includes('decreasing_item_amount') && price.unit_amount < before.unit_amount) ||
    (conditions.includes('shortening_interval') && isShorter);
  if (isLater) changeLater(world, subscription, price);
  else changeNow(world, subscription, price);
}
