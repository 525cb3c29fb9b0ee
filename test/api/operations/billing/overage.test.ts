// Overage: switched by its owner, invoiced once at the month's turn, whatever fails in between. Stripe is our own
// stateful server.
import { setTimeout as delay } from 'node:timers/promises';
import { overagePass } from '../../../../src/accounts/billing/overage-pass';
import { type Customer, openShop, type Shop } from '../../../support/stripe/shop';
import { endNow } from '../../../support/stripe/subscriptions';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const AFTER = Date.parse('2026-12-02T01:00:00Z');

const overageOf = async (of: Customer) => (await shop.api.get('/v1/billing/overage', of.key)).body;
const choose = (of: Customer, enabled: boolean) => shop.post(of, '/v1/billing/overage', { enabled });

/** Charges beyond the allowance, as calls do: `allowance` 0 stands for one that is used up. */
async function use({ accountId }: Customer, cost: number, plan: string, at = '2026-11-21T03:00:00Z') {
  const period = `${at.slice(0, 7)}-01`;
  const { pool } = shop.db;
  await pool.query(
    `INSERT INTO credit_balances (account_id, period, used, overage) VALUES ($1, $2, $3, $3)
    ON CONFLICT (account_id, period) DO UPDATE SET used = credit_balances.used + $3, overage = credit_balances.overage + $3`,
    [accountId, period, cost],
  );
  await pool.query(
    `INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, overage, overage_plan, charge_id)
    VALUES ($1, $2, $3, 'charge', gen_random_uuid(), '/v1/x', $4, $4, $5, gen_random_uuid())`,
    [period, at, accountId, cost, plan],
  );
}

const itemsOf = ({ accountId }: Customer) =>
  shop.stripe.world.all('invoiceitem', ({ metadata }) => metadata.account_id === accountId).map(({ amount }) => amount);
const databaseAt = (ms: number) => ({ ...shop.deps.overageInvoices, nowMs: async () => ms });
const invoicesOf = ({ accountId }: Customer) =>
  shop.stripe.world
    .all('invoice', ({ metadata }) => metadata.account_id === accountId)
    .map(({ status, total }) => [status, total]);

/** Subscribed, with overage on. */
async function spender(plan: string): Promise<Customer> {
  const one = await shop.customer();
  await shop.subscribe(one, plan);
  while ((await shop.api.get('/v1/usage', one.key)).body.plan !== plan) await delay(10);
  expect((await choose(one, true)).status).toBe(200);
  return one;
}

const later = async <T>(work: () => Promise<T>, ms = AFTER): Promise<T> => {
  const { world } = shop.stripe;
  const before = world.nowMs;
  world.nowMs = ms;
  try {
    return await work();
  } finally {
    world.nowMs = before;
  }
};

test('its owner switches it, and sees what this month would be invoiced', async () => {
  const anna = await spender('business');
  expect(await overageOf(anna)).toEqual({
    enabled: true,
    plan: 'business',
    credits_per_month: 300_000,
    ceiling: 450_000,
    rate_per_1000_credits: 0.33,
    currency: 'AUD',
    period_start: '2026-11-01T00:00:00.000Z',
    overage_credits: 0,
    invoice_now: 0,
  });
  await use(anna, 12_000, 'business');
  expect(await overageOf(anna)).toMatchObject({ overage_credits: 12_000, invoice_now: 3.96 });
  expect((await choose(anna, false)).body).toMatchObject({ enabled: false, ceiling: 300_000, overage_credits: 12_000 });
});

test('it is for two plans, and for subscribers', async () => {
  const ben = await shop.customer('plus');
  expect(await overageOf(ben)).toMatchObject({ status: 403, required_plan: 'business' });
  expect((await choose(ben, true)).body).toMatchObject({ status: 403 });
  const cleo = await shop.customer('business');
  expect((await choose(cleo, true)).body).toMatchObject({ status: 409, code: 'conflict' });
});

test('it ends with the plan that has it, and with the subscription; then it is switched on anew', async () => {
  const eva = await spender('platform');
  const [subscription] = shop.stripe.world.all('subscription', () => true);
  const isOn = async () =>
    (await shop.db.pool.query('SELECT overage AS on FROM accounts WHERE account_id = $1', [eva.accountId])).rows[0].on;
  const onto = async (lookupKey: string) => {
    subscription.items.data[0].price = shop.stripe.world.all('price', ({ lookup_key }) => lookup_key === lookupKey)[0];
    shop.stripe.world.emit('customer.subscription.updated', subscription);
    await shop.deliver();
    return [await shop.planOf(eva), await isOn()];
  };
  expect(await onto('business_monthly')).toEqual(['business', true]);
  expect(await onto('plus_monthly')).toEqual(['plus', false]);
  expect(await onto('business_monthly')).toEqual(['business', false]);
  await shop.deps.overage.setOverage(eva.accountId, true);
  endNow(shop.stripe.world, subscription, false);
  await shop.deliver();
  expect([await shop.planOf(eva), await isOn()]).toEqual(['free', false]);
});

test('a month is invoiced once, when no part of a file is charged in it any more, by each plan’s own price', async () => {
  const dora = await spender('business');
  await use(dora, 10_000, 'business');
  // Of a file, charged a day later under the charge of its first part.
  await use(dora, 1_000, 'platform', '2026-11-30T23:59:59.999Z');
  await use(dora, 5_000, 'platform', '2026-12-01T00:00:00Z');
  await later(() => overagePass(shop.deps), AFTER - 1);
  expect(itemsOf(dora)).toEqual([]);
  // A process whose clock is a month ahead of the database's.
  await later(() => overagePass({ ...shop.deps, overageInvoices: databaseAt(AFTER - 1) }));
  expect(itemsOf(dora)).toEqual([]);
  await later(() => Promise.all([overagePass(shop.deps), overagePass(shop.deps)]));
  await later(() => overagePass(shop.deps));
  // 10,000 at 0.33 a thousand and 1,000 at 0.166: A$3.466.
  expect([itemsOf(dora), invoicesOf(dora)]).toEqual([[347], [['paid', 347]]]);
});

test.each([
  ['before the invoice', /^POST \/v1\/invoices$/, 'reset_before'],
  ['after the invoice was made', /^POST \/v1\/invoices$/, 'reset_after'],
  ['before the item', /^POST \/v1\/invoiceitems$/, 'reset_before'],
  ['after the item was made', /^POST \/v1\/invoiceitems$/, 'reset_after'],
  ['before it is finalised', /^POST \/v1\/invoices\/\w+\/finalize$/, 'reset_before'],
  ['after it was finalised', /^POST \/v1\/invoices\/\w+\/finalize$/, 'reset_after'],
] as const)('a process that ends %s leaves exactly one item', async (_, request, fault) => {
  const one = await spender('business');
  await use(one, 100_000, 'business');
  // The same as a lost reply. A day later Stripe has forgotten its keys.
  shop.stripe.fail(request, fault);
  await later(() => overagePass(shop.deps));
  shop.stripe.forgetKeys();
  await later(() => overagePass(shop.deps), AFTER + 86_400_000);
  await later(() => overagePass(shop.deps), AFTER + 86_400_000);
  expect([itemsOf(one), invoicesOf(one)]).toEqual([[3300], [['paid', 3300]]]);
});

test('a process that ends after the invoice, before it is recorded, leaves exactly one item', async () => {
  const emil = await spender('business');
  await use(emil, 100_000, 'business');
  const { overageInvoices } = shop.deps;
  const ends = { ...overageInvoices, invoiced: () => Promise.reject(new Error('the process ended')) };
  expect(await later(() => overagePass({ ...shop.deps, overageInvoices: ends }))).toMatchObject({ failed: 1 });
  // What was decided stays, whatever the ledger has since.
  await use(emil, 1_000, 'business');
  await later(() => overagePass(shop.deps));
  expect(itemsOf(emil)).toEqual([3300]);
});

describe('the card of the invoice', () => {
  /** A subscriber that owes A$33, and its card; the subscription ends. */
  async function leaver() {
    const one = await spender('business');
    const [subscription] = shop.stripe.world.all('subscription');
    await use(one, 100_000, 'business');
    endNow(shop.stripe.world, subscription, false);
    await shop.deliver();
    const invoice = () => shop.stripe.world.all('invoice', ({ metadata }) => metadata.account_id === one.accountId);
    const charges = () =>
      shop.stripe.world
        .all('charge', ({ customer, amount }) => customer === subscription.customer && amount === 3300)
        .map(({ payment_method, status }) => [payment_method, status]);
    return { one, ...subscription, card: subscription.default_payment_method as string, invoice, charges };
  }
  const invoiced = () => later(() => overagePass(shop.deps));

  test('is that of the subscription, also of one that has ended', async () => {
    const { card, invoice, charges } = await leaver();
    await invoiced();
    expect(invoice()).toMatchObject([{ status: 'paid', amount_paid: 3300, default_payment_method: card }]);
    expect(charges()).toEqual([[card, 'succeeded']]);
  });

  test('is the customer’s own if that one was removed', async () => {
    const { card, customer, charges, invoice } = await leaver();
    const own = shop.stripe.people.addCard(customer);
    shop.stripe.people.removeCard(card);
    expect(await invoiced()).toEqual({ invoiced: 1, failed: 0 });
    expect(invoice()).toMatchObject([{ status: 'paid', default_payment_method: null }]);
    expect(charges()).toEqual([[own, 'succeeded']]);
  });

  test('is none if the customer has none: one invoice stays open, until it is paid on its page', async () => {
    const { card, customer, charges, invoice } = await leaver();
    shop.stripe.people.removeCard(card);
    await invoiced();
    await invoiced();
    expect(invoice()).toMatchObject([{ status: 'open', amount_due: 3300, amount_paid: 0 }]);
    const own = shop.stripe.people.addCard(customer);
    shop.stripe.people.payInvoice(invoice()[0].id);
    expect([invoice()[0].status, charges()]).toEqual(['paid', [[own, 'succeeded']]]);
  });

  test('declines: the invoice stays open, is not issued again, and the account keeps what it has at first', async () => {
    const one = await spender('business');
    const [{ default_payment_method: card }] = shop.stripe.world.all('subscription');
    await use(one, 100_000, 'business');
    shop.stripe.world.declining.add(card);
    await invoiced();
    await shop.deliver();
    await invoiced();
    expect([itemsOf(one), invoicesOf(one)]).toEqual([[3300], [['open', 3300]]]);
    expect(await shop.planOf(one)).toBe('business');
    expect(await overageOf(one)).toMatchObject({ enabled: true });
  });
});

test('what a customer owes that was deleted at Stripe is invoiced to the next one of its account', async () => {
  const hugo = await spender('business');
  await use(hugo, 100_000, 'business');
  const { world } = shop.stripe;
  const [subscription] = world.all('subscription');
  endNow(world, subscription, false);
  world.find('customer', subscription.customer).deleted = true;
  await shop.deliver();
  expect(await later(() => overagePass(shop.deps))).toEqual({ invoiced: 0, failed: 1 });
  await shop.subscribe(hugo, 'hobby');
  expect(await later(() => overagePass(shop.deps))).toEqual({ invoiced: 1, failed: 0 });
  expect([itemsOf(hugo), invoicesOf(hugo)]).toEqual([[3300], [['paid', 3300]]]);
});

test('one account that cannot be invoiced keeps no other from it', async () => {
  const fred = await shop.customer('business');
  await use(fred, 1_000, 'business');
  const gina = await spender('business');
  await use(gina, 1_000, 'business');
  expect(await later(() => overagePass(shop.deps))).toEqual({ invoiced: 1, failed: 1 });
  expect(itemsOf(gina)).toEqual([33]);
  await shop.db.pool.query('DELETE FROM credit_balances WHERE account_id = $1', [fred.accountId]);
});
