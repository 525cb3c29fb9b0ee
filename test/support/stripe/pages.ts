// What people do on Stripe's pages: pay, confirm, cancel, renew. A page is opened by its address.
import { changeLater, changeNow, subscribe } from './subscriptions';
import { invalid, type StripeObject, type StripeWorld } from './world';

export interface People {
  /** Pays on a checkout page. */
  pay(url: string): StripeObject;
  /** Confirms the change that a portal page shows. */
  confirm(url: string): void;
  /** In the portal, for a subscription: another price, by the portal's rules; a cancellation; taking it back. */
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
    pay(url) {
      const session = pageAt('checkout.session', url);
      if (session.status !== 'open') throw invalid('This checkout session is not open.');
      if (!world.cardsPay) throw invalid('Your card was declined.', undefined, 'card_declined');
      const price = world.find('price', session.price);
      const subscription = subscribe(world, session.customer, price, session.subscription_data);
      Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id });
      world.emit('checkout.session.completed', session);
      return subscription;
    },
    confirm(url) {
      const { flow } = pageAt('billing_portal.session', url);
      const { subscription, items } = flow.subscription_update_confirm;
      changeByRules(world, world.find('subscription', subscription), world.find('price', items[0].price));
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
