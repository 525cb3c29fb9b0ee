// Stripe's API, the part that the service calls: what each request does to the world, and what it returns.
import { nested, type Params, param, texts } from './form';
import { INVOICE_ROUTES } from './invoices';
import { type Handle, list, plain, type Route, required } from './requests';
import { endNow } from './subscriptions';
import { judgeCheckout, TAX_ROUTES, taxMembers } from './tax';
import { TEST_MODE_ROUTES } from './test-mode';
import { invalid, missing, type StripeObject, type StripeWorld } from './world';

const priceOf = (world: StripeWorld, params: Params): StripeObject => {
  const product = world.find('product', required(params, 'product'), 'product');
  const key = param(params, 'lookup_key') ?? null;
  const [taken] = key ? world.all('price', (one) => one.lookup_key === key) : [];
  if (taken && param(params, 'transfer_lookup_key') !== 'true')
    throw invalid(`A price (\`${taken.id}\`) already uses that lookup key.`, 'lookup_key');
  if (taken) taken.lookup_key = null;
  return world.add('price', 'price', {
    product: product.id,
    active: true,
    currency: required(params, 'currency'),
    lookup_key: key,
    type: 'recurring',
    unit_amount: Number(required(params, 'unit_amount')),
    tax_behavior: param(params, 'tax_behavior') ?? 'unspecified',
    recurring: { interval: required(params, 'recurring.interval'), interval_count: 1 },
    metadata: texts(params, 'metadata'),
  });
};

/** As long as Stripe's own. */
const SESSION_PREFIX = `cs_test_${'a'.repeat(51)}`;

const checkoutOf = (world: StripeWorld, params: Params): StripeObject => {
  const customer = world.find('customer', required(params, 'customer'), 'customer').id;
  const price = world.find('price', required(params, 'line_items.0.price'), 'line_items[0][price]').id;
  if (required(params, 'mode') !== 'subscription') throw invalid('Invalid mode.', 'mode');
  judgeCheckout(world, customer, params);
  const ofSubscription = nested(params, 'subscription_data');
  const tax = taxMembers(world, { ...ofSubscription, automatic_tax: nested(params, 'automatic_tax') });
  const session = world.add('checkout.session', SESSION_PREFIX, {
    customer,
    price,
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    subscription: null,
    client_reference_id: param(params, 'client_reference_id') ?? null,
    success_url: required(params, 'success_url'),
    expires_at: world.seconds + 86_400,
    subscription_data: texts(ofSubscription, 'metadata'),
    anchor: texts(ofSubscription, 'billing_cycle_anchor_config'),
    tax,
    tax_id_collection: { enabled: param(params, 'tax_id_collection.enabled') === 'true' },
  });
  session.url = `${world.pages.checkout}/c/pay/${session.id}`;
  return session;
};

const portalOf = (world: StripeWorld, params: Params): StripeObject => {
  const customer = world.find('customer', required(params, 'customer'), 'customer').id;
  const configuration = world.find('billing_portal.configuration', required(params, 'configuration'), 'configuration');
  const flow = 'flow_data' in params ? plain(params.flow_data!) : null;
  if (flow?.type === 'subscription_update_confirm') {
    const { subscription, items } = flow.subscription_update_confirm;
    const now = world.find('subscription', subscription, 'flow_data[subscription_update_confirm][subscription]');
    if (now.cancel_at_period_end || now.schedule)
      throw invalid('This subscription cannot be updated because of a scheduled change.');
    const offered = configuration.features.subscription_update.products.flatMap(({ prices }: StripeObject) => prices);
    if (!offered.includes(items[0].price))
      throw invalid('The price is not part of the portal configuration.', 'flow_data');
  }
  const session = world.add('billing_portal.session', 'bps', {
    customer,
    flow,
    return_url: param(params, 'return_url') ?? null,
  });
  session.url = `${world.pages.portal}/p/session/${session.id}`;
  return session;
};

const updated =
  (object: string): Handle =>
  (world, params, id) =>
    Object.assign(world.find(object, id), plain(params));

export const ROUTES: readonly Route[] = [
  ...INVOICE_ROUTES,
  ...TAX_ROUTES,
  ...TEST_MODE_ROUTES,
  [
    'POST',
    /^\/v1\/customers$/,
    (world, params) => {
      const customer = world.add('customer', 'cus', {
        email: param(params, 'email') ?? null,
        address: 'address' in params ? plain(params.address!) : null,
        test_clock: param(params, 'test_clock') ?? null,
        tax_ids: [],
        balance: 0,
        invoice_settings: { default_payment_method: null },
        metadata: texts(params, 'metadata'),
      });
      world.emit('customer.created', customer);
      return customer;
    },
  ],
  [
    'GET',
    /^\/v1\/customers\/(\w+)$/,
    (world, _, id) => {
      const one = world.objects.get(id);
      if (one?.object !== 'customer') throw missing('customer', id);
      return one.deleted ? { id, object: 'customer', deleted: true } : one;
    },
  ],
  ['POST', /^\/v1\/customers\/(\w+)$/, updated('customer')],
  [
    'GET',
    /^\/v1\/customers\/(\w+)\/payment_methods$/,
    (world, params, id) => list(world, { ...params, customer: id }, 'payment_method'),
  ],
  ['GET', /^\/v1\/charges$/, (world, params) => list(world, params, 'charge')],
  [
    'GET',
    /^\/v1\/subscriptions$/,
    (world, params) => {
      const all = param(params, 'status') === 'all';
      return list(world, params, 'subscription', ({ status }) => all || status !== 'canceled');
    },
  ],
  [
    'DELETE',
    /^\/v1\/subscriptions\/(\w+)$/,
    (world, params, id) => {
      const subscription = world.find('subscription', id);
      if (subscription.status === 'canceled') throw missing('subscription', id);
      endNow(world, subscription, param(params, 'prorate') === 'true');
      return subscription;
    },
  ],
  [
    'POST',
    /^\/v1\/subscription_schedules\/(\w+)\/release$/,
    (world, _, id) => {
      const schedule = world.find('subscription_schedule', id);
      schedule.status = 'released';
      world.find('subscription', schedule.subscription).schedule = null;
      return schedule;
    },
  ],
  ['GET', /^\/v1\/products\/(\w+)$/, (world, _, id) => world.find('product', id)],
  [
    'POST',
    /^\/v1\/products$/,
    (world, params) =>
      world.add('product', 'prod', { name: required(params, 'name'), active: true }, param(params, 'id')),
  ],
  ['POST', /^\/v1\/products\/(\w+)$/, updated('product')],
  [
    'GET',
    /^\/v1\/prices$/,
    (world, params) => {
      const keys = Object.values(texts(params, 'lookup_keys'));
      const product = param(params, 'product');
      if (product) world.find('product', product, 'product');
      const isWanted = (one: StripeObject) =>
        one.active && (keys.length === 0 || keys.includes(one.lookup_key)) && (!product || one.product === product);
      return list(world, params, 'price', isWanted);
    },
  ],
  ['POST', /^\/v1\/prices$/, priceOf],
  [
    'GET',
    /^\/v1\/billing_portal\/configurations$/,
    (world, params) => list(world, params, 'billing_portal.configuration'),
  ],
  [
    'POST',
    /^\/v1\/billing_portal\/configurations$/,
    (world, params) => world.add('billing_portal.configuration', 'bpc', { active: true, ...plain(params) }),
  ],
  ['POST', /^\/v1\/billing_portal\/configurations\/(\w+)$/, updated('billing_portal.configuration')],
  ['POST', /^\/v1\/billing_portal\/sessions$/, portalOf],
  ['POST', /^\/v1\/checkout\/sessions$/, checkoutOf],
  [
    'GET',
    /^\/v1\/checkout\/sessions$/,
    (world, params) => list(world, params, 'checkout.session', ({ status }) => status === param(params, 'status')),
  ],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    (world, _, id) => {
      const session = world.find('checkout.session', id);
      if (session.status !== 'open') throw invalid('Only Checkout Sessions with a status of `open` can be expired.');
      return Object.assign(session, { status: 'expired', url: null });
    },
  ],
  ['GET', /^\/v1\/checkout\/sessions\/(\w+)$/, (world, _, id) => world.find('checkout.session', id)],
  ['GET', /^\/v1\/webhook_endpoints$/, (world, params) => list(world, params, 'webhook_endpoint')],
  [
    'POST',
    /^\/v1\/webhook_endpoints$/,
    (world, params) =>
      world.add('webhook_endpoint', 'we', {
        ...plain(params),
        status: 'enabled',
        secret: 'whsec_made_by_the_test_server',
      }),
  ],
  ['POST', /^\/v1\/webhook_endpoints\/(\w+)$/, updated('webhook_endpoint')],
];
