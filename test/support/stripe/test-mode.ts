// What only Stripe's test mode has: test clocks, by which everything in this world goes, and cards that behave as their
// names say. And what people do on Stripe's pages, as requests: to buy, to change, to pay an invoice.
import { type Params, param, texts } from './form';
import { payInvoice } from './invoices';
import { list, type Route, required } from './requests';
import { changeNow, passTo, subscribe } from './subscriptions';
import { changeTax, taxMembers } from './tax';
import { declined, invalid, missing, type StripeObject, type StripeWorld } from './world';

const LIVE = ['active', 'past_due'];
const DAY = 86_400;
const AHEAD = { month: 62 * DAY, year: 731 * DAY };

/** Two intervals of the shortest subscription; two years if there is none. */
function furthest(world: StripeWorld): number {
  const intervals = world
    .all('subscription', ({ status }) => LIVE.includes(status))
    .map(({ items }) => items.data[0].price.recurring.interval as keyof typeof AHEAD);
  return AHEAD[intervals.includes('month') ? 'month' : 'year'];
}

function advance(world: StripeWorld, params: Params, id: string): StripeObject {
  const clock = world.find('test_helpers.test_clock', id);
  const to = Number(required(params, 'frozen_time'));
  if (clock.status !== 'ready') throw invalid('You cannot advance a test clock that is advancing.');
  if (to <= clock.frozen_time) throw invalid('The frozen_time must be after the present one.', 'frozen_time');
  if (to > clock.frozen_time + furthest(world))
    throw invalid('You can only advance a test clock by two intervals of its shortest subscription.', 'frozen_time');
  passTo(world, to * 1000);
  const { frozen_time } = clock;
  Object.assign(clock, { frozen_time: to, status: 'advancing' });
  return { ...clock, frozen_time };
}

/** It is ready at the second look. */
function look(world: StripeWorld, id: string): StripeObject {
  const clock = world.find('test_helpers.test_clock', id);
  const seen = { ...clock };
  clock.status = 'ready';
  return seen;
}

/** With its customers, and what they buy. */
function remove(world: StripeWorld, id: string): StripeObject {
  const clock = world.find('test_helpers.test_clock', id);
  for (const customer of world.all('customer', ({ test_clock }) => test_clock === id)) {
    customer.deleted = true;
    for (const one of world.all('subscription', (each) => each.customer === customer.id)) one.status = 'canceled';
  }
  clock.deleted = true;
  return { id, object: clock.object, deleted: true };
}

/** Names of Stripe's documentation. */
const TEST_CARDS: Readonly<Record<string, (world: StripeWorld, card: string) => void>> = {
  pm_card_visa: () => {},
  pm_card_chargeCustomerFail: (world, card) => void world.declining.add(card),
  pm_card_createDispute: (world, card) => void world.disputing.add(card),
};

function attach(world: StripeWorld, params: Params, name: string): StripeObject {
  const behave = TEST_CARDS[name];
  if (!behave) throw missing('PaymentMethod', name, 'payment_method');
  const { id } = world.find('customer', required(params, 'customer'), 'customer');
  const card = world.addCard(id);
  behave(world, card.id);
  return card;
}

function buy(world: StripeWorld, params: Params): StripeObject {
  const { id } = world.find('customer', required(params, 'customer'), 'customer');
  const price = world.find('price', required(params, 'items.0.price'), 'items[0][price]');
  const card = required(params, 'default_payment_method');
  if (required(params, 'payment_behavior') !== 'error_if_incomplete') throw invalid('Not of this server.');
  if (world.objects.get(card)?.customer !== id) throw missing('PaymentMethod', card, 'default_payment_method');
  if (!world.pays(card)) throw declined();
  return subscribe(world, id, price, {
    metadata: texts(params, 'metadata'),
    card,
    tax: taxMembers(world, params),
    anchor: texts(params, 'billing_cycle_anchor_config'),
  });
}

function change(world: StripeWorld, params: Params, id: string): StripeObject {
  const subscription = world.find('subscription', id);
  if (subscription.status === 'canceled') throw missing('subscription', id);
  if (subscription.schedule)
    throw invalid(`The subscription is managed by the subscription schedule \`${subscription.schedule}\`.`);
  changeTax(world, subscription, params);
  const cancels = param(params, 'cancel_at_period_end');
  if (cancels !== undefined) subscription.cancel_at_period_end = cancels === 'true';
  const card = param(params, 'default_payment_method');
  if (card !== undefined) subscription.default_payment_method = world.find('payment_method', card).id;
  if ('items' in params) {
    if (required(params, 'proration_behavior') !== 'always_invoice') throw invalid('Not of this server.');
    changeNow(world, subscription, world.find('price', required(params, 'items.0.price'), 'items[0][price]'));
  }
  world.emit('customer.subscription.updated', subscription);
  return subscription;
}

export const TEST_MODE_ROUTES: readonly Route[] = [
  [
    'POST',
    /^\/v1\/test_helpers\/test_clocks$/,
    (world, params) => {
      const frozen_time = Number(required(params, 'frozen_time'));
      world.nowMs = frozen_time * 1000;
      return world.add('test_helpers.test_clock', 'clock', {
        frozen_time,
        name: param(params, 'name') ?? null,
        status: 'ready',
      });
    },
  ],
  [
    'GET',
    /^\/v1\/test_helpers\/test_clocks$/,
    (world, params) => list(world, params, 'test_helpers.test_clock', ({ deleted }) => !deleted),
  ],
  ['GET', /^\/v1\/test_helpers\/test_clocks\/(\w+)$/, (world, _, id) => look(world, id)],
  ['DELETE', /^\/v1\/test_helpers\/test_clocks\/(\w+)$/, (world, _, id) => remove(world, id)],
  ['POST', /^\/v1\/test_helpers\/test_clocks\/(\w+)\/advance$/, advance],
  ['POST', /^\/v1\/payment_methods\/(\w+)\/attach$/, attach],
  ['POST', /^\/v1\/subscriptions$/, buy],
  ['POST', /^\/v1\/subscriptions\/(\w+)$/, change],
  [
    'POST',
    /^\/v1\/invoices\/(\w+)\/pay$/,
    (world, _, id) => {
      const invoice = world.find('invoice', id);
      if (invoice.status !== 'open') throw invalid('Invoice is not open.');
      payInvoice(world, invoice);
      if (invoice.status !== 'paid') throw declined();
      return invoice;
    },
  ],
  [
    'GET',
    /^\/v1\/disputes$/,
    (world, params) => list(world, params, 'dispute', ({ charge }) => charge === param(params, 'charge')),
  ],
];
