// A closed account is never charged again but for what it used beyond its plan, once; whatever it had at Stripe, and
// whatever fails on the way. Stripe is our own stateful server.
import fc from 'fast-check';
import { overagePass } from '../../../../src/accounts/billing/overage-pass';
import { billingPass, checkoutPass } from '../../../../src/accounts/billing/pass';
import { closeAccount } from '../../../../src/accounts/leaving/close-account';
import { createStores } from '../../../../src/store/create-stores';
import { runs } from '../../../support/property';
import { type Customer, openShop, type Shop } from '../../../support/stripe/shop';
import { passTo } from '../../../support/stripe/subscriptions';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const START_MS = Date.parse('2026-11-21T03:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const close = (accountId: string) => {
  const { closures } = createStores(shop.db.pool);
  return closeAccount({ closures, wallMs: shop.deps.wallMs, baseUrl: shop.deps.baseUrl }, accountId);
};
const customerOf = async ({ accountId }: Customer): Promise<string> =>
  (await shop.db.pool.query('SELECT customer_id AS id FROM billing_accounts WHERE account_id = $1', [accountId]))
    .rows[0]?.id;
const charged = (customer: string): number[] =>
  shop.stripe.world.all('charge', (one) => one.customer === customer && one.paid).map(({ amount }) => amount);

async function use({ accountId }: Customer): Promise<void> {
  const { pool } = shop.db;
  await pool.query(
    `INSERT INTO credit_balances (account_id, period, used, overage) VALUES ($1, '2026-11-01', 100000, 100000)`,
    [accountId],
  );
  await pool.query(
    `INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, overage, overage_plan, charge_id)
     VALUES ('2026-11-01', '2026-11-21T03:00:00Z', $1, 'charge', gen_random_uuid(), '/v1/x', 100000, 100000, 'business', gen_random_uuid())`,
    [accountId],
  );
}

/** Every few seconds where a page was opened within the hour, otherwise every minute. */
async function readDue(deps: Shop['deps']): Promise<void> {
  await checkoutPass(deps);
  await billingPass(deps);
}

/** What every API process does every minute, with events that arrive or not. */
async function passes(minutes: number, withEvents: boolean): Promise<void> {
  const { world } = shop.stripe;
  for (let i = 0; i < minutes; i++) {
    passTo(world, world.nowMs + MINUTE_MS);
    // What fails is taken up by the next pass, as in a process that is killed.
    await readDue(shop.deps).catch(() => undefined);
    await overagePass(shop.deps).catch(() => undefined);
    if (withEvents) await shop.deliver().catch(() => undefined);
    else world.events.length = 0;
  }
}

const STEPS = [
  /^GET \/v1\/checkout\/sessions$/,
  /^POST \/v1\/checkout\/sessions\/\w+\/expire$/,
  /^GET \/v1\/subscriptions$/,
  /^POST \/v1\/subscription_schedules\/\w+\/release$/,
  /^GET \/v1\/invoices$/,
  /^POST \/v1\/invoices\/\w+\/void$/,
  /^DELETE \/v1\/subscriptions\/\w+$/,
  /^POST \/v1\/invoices$/,
  /^POST \/v1\/invoiceitems$/,
  /^POST \/v1\/invoices\/\w+\/finalize$/,
] as const;

test('whatever it had at Stripe and whatever fails, it is charged its overage once, and nothing else', async () => {
  const had = fc.record({
    plan: fc.constantFrom('none', 'month', 'year'),
    isUnpaid: fc.boolean(),
    isPlanned: fc.boolean(),
    isCancelling: fc.boolean(),
    leavesPage: fc.boolean(),
    overage: fc.boolean(),
    withEvents: fc.boolean(),
  });
  const fault = fc.record({
    step: fc.constantFrom(...STEPS),
    how: fc.constantFrom('reset_before', 'reset_after', 'error_500'),
  });
  const property = fc.asyncProperty(had, fc.array(fault, { maxLength: 4 }), async (of, faults) => {
    const { world, people } = shop.stripe;
    world.nowMs = START_MS;
    world.cardsPay = true;
    const one = await shop.customer();
    const { plan } = of;
    if (plan !== 'none') {
      const id = await shop.subscribe(one, 'business', plan);
      if (of.isUnpaid) {
        world.cardsPay = false;
        passTo(world, START_MS);
        world.find('subscription', id).status = 'past_due';
        world.add('invoice', 'in', {
          ...{ customer: await customerOf(one), subscription: id, status: 'open', amount_due: 100, total: 100 },
          ...{ default_payment_method: null, lines: { object: 'list', data: [] } },
        });
        world.cardsPay = true;
      } else if (of.isPlanned) people.choose(id, 'plus_monthly');
      else if (of.isCancelling) people.cancel(id);
    }
    const page = of.leavesPage && plan === 'none' ? await shop.pageFor(one, 'plus') : null;
    if (of.overage && plan !== 'none') await use(one);
    await shop.deliver();
    const customer = await customerOf(one);
    const before = customer === undefined ? [] : charged(customer);

    await close(one.accountId);
    for (const { step, how } of faults) shop.stripe.fail(step, how);
    await passes(30, of.withEvents);
    shop.stripe.heal();
    if (page !== null) expect(() => people.pay(page)).toThrow();
    // A year later, with every renewal, retry and pass in between.
    for (let month = 0; month < 13; month++) {
      passTo(world, world.nowMs + 31 * DAY_MS);
      await passes(1, of.withEvents);
      for (const invoice of world.all('invoice', (each) => each.customer === customer && each.status === 'open'))
        people.payInvoice(invoice.id);
    }
    const after = customer === undefined ? [] : charged(customer);
    const expected = of.overage && plan !== 'none' ? [3300, ...before] : before;
    expect([of, after]).toEqual([of, expected]);
    expect(await shop.planOf(one)).toBe('free');
    expect((await shop.subscriptions(one)).filter(({ status }: { status: string }) => status !== 'canceled')).toEqual(
      [],
    );
  });
  await fc.assert(property, { numRuns: runs(200) });
});

test('an invoice of overage that Stripe refuses delays no end of a subscription, and is tried again until it stands', async () => {
  const { world } = shop.stripe;
  world.nowMs = START_MS;
  const one = await shop.customer();
  const id = await shop.subscribe(one, 'business');
  await use(one);
  await close(one.accountId);
  world.nowMs += 4 * MINUTE_MS;
  await readDue(shop.deps);
  expect(world.find('subscription', id).status).toBe('canceled');
  // Until five minutes have passed, what is given back still counts.
  expect(await overagePass(shop.deps)).toEqual({ invoiced: 0, failed: 0 });
  world.nowMs += MINUTE_MS;
  shop.stripe.fail(/^POST \/v1\/invoices\/\w+\/finalize$/, 'error_500');
  expect(await overagePass(shop.deps)).toEqual({ invoiced: 0, failed: 1 });
  // Days later Stripe knows no key of the first try, and the draft is found by its metadata.
  world.nowMs += 2 * DAY_MS;
  shop.stripe.forgetKeys();
  expect(await overagePass(shop.deps)).toEqual({ invoiced: 1, failed: 0 });
  // The month's own turn finds it invoiced.
  world.nowMs = Date.parse('2026-12-03T00:00:00Z');
  expect(await overagePass(shop.deps)).toEqual({ invoiced: 0, failed: 0 });
  const customer = await customerOf(one);
  // Its plan was paid until 1 December.
  expect(charged(customer)).toEqual([3300, 3259]);
  expect(world.all('invoice', (each) => each.customer === customer && each.metadata.overage_period)).toHaveLength(1);
});

test('a page of payment that is being opened while the account is closed leads nowhere', async () => {
  const { world, people } = shop.stripe;
  world.nowMs = START_MS;
  const one = await shop.customer();
  let release = () => {};
  const made = new Promise<void>((done) => {
    release = done;
  });
  const linked = await shop.linkFor(one, 'plus');
  shop.stripe.holdReply(/^POST \/v1\/checkout\/sessions$/, made);
  const { pathname, search } = new URL(linked.body.url);
  const opening = fetch(shop.api.url + pathname + search, {
    redirect: 'manual',
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  const session = () => world.all('checkout.session', (each) => each.client_reference_id === one.accountId)[0];
  while (!session()) await new Promise((done) => setImmediate(done));
  const { url } = session();
  await close(one.accountId);
  release();
  expect((await opening).status).toBe(404);
  expect(() => people.pay(url)).toThrow();
  // The link is good for an hour, and the account is not.
  const again = await fetch(shop.api.url + pathname + search, {
    redirect: 'manual',
    headers: { 'X-Forwarded-For': '203.0.113.10' },
  });
  expect(again.status).toBe(404);
});

test('a reading that began before the account was closed gives no plan back, nor puts the end off', async () => {
  const { world } = shop.stripe;
  world.nowMs = START_MS;
  const one = await shop.customer();
  const id = await shop.subscribe(one, 'business');
  let release = () => {};
  const gate = new Promise<void>((done) => {
    release = done;
  });
  shop.stripe.holdReply(/^GET \/v1\/subscriptions$/, gate);
  const calls = shop.stripe.calls.length;
  world.emit('customer.subscription.updated', world.find('subscription', id));
  const reading = shop.deliver();
  while (!shop.stripe.calls.slice(calls).some(({ path }) => path === '/v1/subscriptions'))
    await new Promise((done) => setImmediate(done));
  await close(one.accountId);
  release();
  await reading;
  expect(await shop.planOf(one)).toBe('free');
  await readDue(shop.deps);
  expect(world.find('subscription', id).status).toBe('canceled');
});
