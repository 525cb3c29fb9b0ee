// Subscriptions as Stripe bills them: periods, prorated changes, changes at the end of a period, cards that fail.
import { collect } from './invoices';
import { taxed } from './tax';
import { declined, type StripeObject, type StripeWorld } from './world';

interface Line {
  readonly amount: number;
  readonly description: string;
}

const nextPeriod = (seconds: number, interval: 'month' | 'year', count = 1): number => {
  const at = new Date(seconds * 1000);
  if (interval === 'year') at.setUTCFullYear(at.getUTCFullYear() + count);
  else at.setUTCMonth(at.getUTCMonth() + count);
  return at.getTime() / 1000;
};

/** `billing_cycle_anchor_config`, as texts. */
type Anchor = Readonly<Record<string, string>>;

/** The next occurrence of the anchor; without one, an interval from now. */
function firstEnd(world: StripeWorld, interval: 'month' | 'year', anchor: Anchor): number {
  if (!('day_of_month' in anchor)) return nextPeriod(world.seconds, interval);
  const now = new Date(world.nowMs);
  const [day, hour, minute, second] = ['day_of_month', 'hour', 'minute', 'second'].map((name) => Number(anchor[name]));
  const month = 'month' in anchor ? Number(anchor.month) - 1 : now.getUTCMonth();
  const first = Date.UTC(now.getUTCFullYear(), month, day, hour, minute, second) / 1000;
  return first > world.seconds ? first : nextPeriod(first, 'month' in anchor ? 'year' : 'month');
}

/** The part of a whole interval that is left until the period ends. */
function leftOf(world: StripeWorld, { current_period_end: end, price }: StripeObject): number {
  return (end - world.seconds) / (end - nextPeriod(end, price.recurring.interval, -1));
}

/** Less is not collected: it goes to the balance, and so to the next invoice. */
const LEAST_CENTS = 50;

/** Issues an invoice and collects it. */
function bill(world: StripeWorld, customer: string, lines: readonly Line[], subscription: string | null): StripeObject {
  const { automatic_tax, default_tax_rates } = subscription ? world.find('subscription', subscription) : NO_TAX;
  const tax = { customer, automatic_tax, default_tax_rates };
  const totals = taxed(
    world,
    tax,
    lines.reduce((sum, { amount }) => sum + amount, 0),
  );
  const { total } = totals;
  const owner = world.find('customer', customer);
  const owed = total + owner.balance;
  const due = owed < LEAST_CENTS ? 0 : owed;
  owner.balance = owed - due;
  const invoice = world.add('invoice', 'in', {
    subscription,
    currency: 'aud',
    ...tax,
    ...totals,
    amount_due: due,
    default_payment_method: null,
    auto_advance: true,
    lines: { object: 'list', data: lines },
  });
  collect(world, invoice);
  return invoice;
}

const NO_TAX = { automatic_tax: { enabled: false }, default_tax_rates: [] };

interface Terms {
  readonly metadata?: object;
  readonly card?: string | null;
  readonly tax?: StripeObject;
  readonly anchor?: Anchor;
}

export function subscribe(
  world: StripeWorld,
  customer: string,
  price: StripeObject,
  { metadata = {}, card = null, tax = NO_TAX, anchor = {} }: Terms = {},
): StripeObject {
  const item = itemOf(world, price, anchor);
  const subscription = world.add('subscription', 'sub', {
    customer,
    metadata,
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    schedule: null,
    default_payment_method: card,
    ...tax,
    items: { object: 'list', data: [item] },
  });
  const amount = Math.round(price.unit_amount * leftOf(world, item));
  bill(world, customer, [{ amount, description: 'subscription' }], subscription.id);
  world.emit('customer.subscription.created', subscription);
  return subscription;
}

function itemOf(world: StripeWorld, price: StripeObject, anchor: Anchor): StripeObject {
  const end = firstEnd(world, price.recurring.interval, anchor);
  return world.add('subscription_item', 'si', {
    price,
    quantity: 1,
    current_period_start: world.seconds,
    current_period_end: end,
  });
}

/** Immediately, with the rest of the old price as credit; an unpaid invoice leaves everything unchanged. */
export function changeNow(world: StripeWorld, subscription: StripeObject, price: StripeObject): StripeObject {
  const [item] = subscription.items.data;
  const left = leftOf(world, item);
  const isSameInterval = item.price.recurring.interval === price.recurring.interval;
  if (!world.pays(subscription.default_payment_method)) throw declined();
  const invoice = bill(
    world,
    subscription.customer,
    [
      { amount: -Math.round(item.price.unit_amount * left), description: 'unused time' },
      {
        amount: isSameInterval ? Math.round(price.unit_amount * left) : price.unit_amount,
        description: 'remaining time',
      },
    ],
    subscription.id,
  );
  if (!isSameInterval)
    Object.assign(item, {
      current_period_start: world.seconds,
      current_period_end: nextPeriod(world.seconds, price.recurring.interval),
    });
  item.price = price;
  world.emit('customer.subscription.updated', subscription);
  return invoice;
}

/** From the next period on, by a schedule. */
export function changeLater(world: StripeWorld, subscription: StripeObject, price: StripeObject): void {
  const schedule = world.add('subscription_schedule', 'sub_sched', {
    subscription: subscription.id,
    status: 'active',
    price,
  });
  subscription.schedule = schedule.id;
  world.emit('customer.subscription.updated', subscription);
}

export function endNow(world: StripeWorld, subscription: StripeObject, prorate: boolean): void {
  const [item] = subscription.items.data;
  Object.assign(subscription, { status: 'canceled', canceled_at: world.seconds });
  const left = Math.round(item.price.unit_amount * leftOf(world, item));
  if (prorate) bill(world, subscription.customer, [{ amount: -left, description: 'unused time' }], subscription.id);
  world.emit('customer.subscription.deleted', subscription);
}

const LIVE = ['active', 'past_due'];

/** Moves the clock; every period that ends by then is renewed, changed or ended, in order. */
export function passTo(world: StripeWorld, toMs: number): void {
  for (;;) {
    const live = world.all('subscription', ({ status }) => LIVE.includes(status));
    const next = live.sort((a, b) => endOf(a) - endOf(b))[0];
    if (!next || endOf(next) * 1000 > toMs) break;
    world.nowMs = endOf(next) * 1000;
    turn(world, next);
  }
  world.nowMs = toMs;
}

const endOf = ({ items }: StripeObject): number => items.data[0].current_period_end;

function turn(world: StripeWorld, subscription: StripeObject): void {
  if (subscription.cancel_at_period_end) {
    endNow(world, subscription, false);
    return;
  }
  const [item] = subscription.items.data;
  if (subscription.schedule) {
    const schedule = world.find('subscription_schedule', subscription.schedule);
    item.price = schedule.price;
    schedule.status = 'released';
    subscription.schedule = null;
  }
  const start = item.current_period_end;
  Object.assign(item, {
    current_period_start: start,
    current_period_end: nextPeriod(start, item.price.recurring.interval),
  });
  const invoice = bill(
    world,
    subscription.customer,
    [{ amount: item.price.unit_amount, description: 'subscription' }],
    subscription.id,
  );
  subscription.status = invoice.status === 'paid' ? 'active' : 'past_due';
  world.emit('customer.subscription.updated', subscription);
}
