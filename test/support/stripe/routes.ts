// Stripe's API, the part that the service calls: what each request does to the world, and what it returns.
import { nested, type Params, param, texts } from './form';
import { endNow } from './subscriptions';
import { invalid, missing, type StripeObject, type StripeWorld } from './world';

type Handle = (world: StripeWorld, params: Params, id: string) => StripeObject;

const required = (params: Params, name: string): string => {
  const value = param(params, name);
  if (value === undefined) throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
};

/** One page, newest first; the service never asks for a second. */
function list(world: StripeWorld, params: Params, object: string, where: (one: StripeObject) => boolean = () => true) {
  const limit = Number(param(params, 'limit') ?? 10);
  if (limit < 1 || limit > 100) throw invalid('This value must be between 1 and 100.', 'limit');
  const since = Number(param(params, 'created.gte') ?? 0);
  const customer = param(params, 'customer');
  // Also of a customer that was deleted.
  if (customer && !world.objects.has(customer)) throw missing('customer', customer, 'customer');
  const isWanted = (one: StripeObject) =>
    (!customer || one.customer === customer) && one.created >= since && where(one);
  const found = world.all(object, isWanted);
  return { object: 'list', url: '/v1', has_more: found.length > limit, data: found.slice(0, limit) };
}

/** Nested parameters as an object: lists have numbers for names. */
function plain(value: Params | string): StripeObject {
  if (typeof value === 'string') return value === 'true' ? true : value === 'false' ? false : value;
  const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const);
  return entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))
    ? entries.map(([, each]) => each)
    : Object.fromEntries(entries);
}

const priceOf = (world: StripeWorld, params: Params): StripeObject => {
  const product = world.find('product', required(params, 'product'), 'product');
  const key = param(params, 'lookup_key') ?? null;
  const [taken] = key ? world.all('price', (one) => one.lookup_key === key) : [];
  if (taken && param(params, 'transfer_lookup_key') !== 'true')
    throw invalid(`A price (\`${taken.id}\`) already uses that lookup key.`, 'lookup_key');
  if (taken) taken.lookup_key = null;
  return world.add('price', 'price', {
    ...{
      product: product.id,
      active: true,
      currency: required(params, 'currency'),
      lookup_key: key,
      type: 'recurring',
    },
    unit_amount: Number(required(params, 'unit_amount')),
    recurring: { interval: required(params, 'recurring.interval'), interval_count: 1 },
    metadata: texts(params, 'metadata'),
  });
};

const checkoutOf = (world: StripeWorld, params: Params): StripeObject => {
  const customer = world.find('customer', required(params, 'customer'), 'customer').id;
  const price = world.find('price', required(params, 'line_items.0.price'), 'line_items[0][price]').id;
  if (required(params, 'mode') !== 'subscription') throw invalid('Invalid mode.', 'mode');
  const session = world.add('checkout.session', 'cs_test', {
    ...{ customer, price, mode: 'subscription', status: 'open', payment_status: 'unpaid', subscription: null },
    ...{
      client_reference_id: param(params, 'client_reference_id') ?? null,
      success_url: required(params, 'success_url'),
    },
    ...{
      expires_at: world.seconds + 86_400,
      subscription_data: texts(nested(params, 'subscription_data'), 'metadata'),
    },
  });
  session.url = `https://checkout.stripe.com/c/pay/${session.id}`;
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
  session.url = `https://billing.stripe.com/p/session/${session.id}`;
  return session;
};

const updated =
  (object: string): Handle =>
  (world, params, id) =>
    Object.assign(world.find(object, id), plain(params));

/** Method, path with one id at most, and what it does. */
export const ROUTES: readonly (readonly [string, RegExp, Handle])[] = [
  [
    'POST',
    /^\/v1\/customers$/,
    (world, params) => {
      const customer = world.add('customer', 'cus', {
        email: param(params, 'email') ?? null,
        balance: 0,
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
  [
    'GET',
    /^\/v1\/subscriptions$/,
    (world, params) => list(world, params, 'subscription', ({ status }) => status !== 'canceled'),
  ],
  [
    'POST',
    /^\/v1\/subscriptions\/(\w+)$/,
    (world, params, id) => {
      const subscription = world.find('subscription', id);
      if (subscription.status === 'canceled') throw missing('subscription', id);
      if (subscription.schedule)
        throw invalid(`The subscription is managed by the subscription schedule \`${subscription.schedule}\`.`);
      subscription.cancel_at_period_end = required(params, 'cancel_at_period_end') === 'true';
      world.emit('customer.subscription.updated', subscription);
      return subscription;
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
      return world.add('invoice', 'in', {
        ...{ customer, status: 'draft', currency: 'aud', total: 0, amount_due: 0, amount_paid: 0, subscription: null },
        ...{ metadata: texts(params, 'metadata'), lines: { object: 'list', data: [] } },
      });
    },
  ],
  [
    'POST',
    /^\/v1\/invoices\/(\w+)\/finalize$/,
    (world, _, id) => {
      const invoice = world.find('invoice', id);
      if (invoice.status !== 'draft') throw invalid('This invoice is already finalized.');
      const total = world.all('invoiceitem', (one) => one.invoice === id).reduce((sum, { amount }) => sum + amount, 0);
      Object.assign(invoice, {
        total,
        amount_due: total,
        amount_paid: world.cardsPay ? total : 0,
        status: world.cardsPay ? 'paid' : 'open',
      });
      world.emit(world.cardsPay ? 'invoice.paid' : 'invoice.payment_failed', invoice);
      return invoice;
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
    'POST',
    /^\/v1\/invoiceitems$/,
    (world, params) => {
      const invoice = world.find('invoice', required(params, 'invoice'), 'invoice');
      if (invoice.status !== 'draft') throw invalid('You cannot add lines to a finalized invoice.', 'invoice');
      return world.add('invoiceitem', 'ii', {
        ...{
          customer: required(params, 'customer'),
          invoice: invoice.id,
          amount: Number(required(params, 'amount')),
          currency: 'aud',
        },
        ...{ description: param(params, 'description') ?? null, metadata: texts(params, 'metadata') },
      });
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
      return list(world, params, 'price', (one) => one.active && (keys.length === 0 || keys.includes(one.lookup_key)));
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
