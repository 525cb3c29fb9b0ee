// What happens between us and Stripe: events lost, repeated, forged and out of order, replies lost, a Stripe that is
// away; and referrals, which its events reward. Stripe is our own stateful server.
import { setTimeout as delay } from 'node:timers/promises';
import { createBilling } from '../../../../src/accounts/billing/billing';
import { keepBilling } from '../../../../src/accounts/billing/keep';
import { billingPass, reconcile } from '../../../../src/accounts/billing/pass';
import { readBillingOverdue } from '../../../../src/store/accounts/billing-overdue';
import { TEST_KEY, TEST_SECRET } from '../../../support/stripe/server';
import { type Customer, openShop, type Shop, stripePayments } from '../../../support/stripe/shop';
import { endNow, passTo } from '../../../support/stripe/subscriptions';
import { addTaxRate } from '../../../support/stripe/tax';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('repeated and reordered events end where Stripe is', async () => {
  const gina = await shop.customer();
  const subscription = shop.stripe.people.pay(await shop.pageFor(gina, 'standard'));
  shop.stripe.people.choose(subscription.id, 'business_monthly');
  await shop.deliver((events) => [...events.toReversed(), ...events, ...events]);
  expect(await shop.planOf(gina)).toBe('business');
  const before = shop.stripe.calls.length;
  const { rows } = await shop.db.pool.query('SELECT event_id AS id FROM payment_events LIMIT 1');
  const again = {
    ...rows[0],
    object: 'event',
    type: 'invoice.paid',
    data: { object: { customer: subscription.customer } },
  };
  expect((await shop.stripe.deliver(again, `${shop.api.url}/webhooks/stripe`)).status).toBe(200);
  expect(shop.stripe.calls.length).toBe(before);
});

test('an older reading that arrives late changes nothing', async () => {
  const hugo = await shop.customer();
  const id = await shop.subscribe(hugo, 'standard');
  let reply = () => {};
  shop.stripe.holdReply(/^GET \/v1\/subscriptions$/, new Promise<void>((done) => (reply = done)));
  const before = shop.stripe.calls.length;
  const slow = shop.post(hugo, '/v1/billing/cancel');
  // The held reply is of the time before the upgrade.
  while (shop.stripe.calls.length === before) await new Promise((done) => setImmediate(done));
  shop.stripe.people.choose(id, 'business_monthly');
  await shop.deliver();
  expect(await shop.planOf(hugo)).toBe('business');
  reply();
  expect((await slow).status).toBe(200);
  expect(await shop.planOf(hugo)).toBe('business');
});

test('an event before the response of its own request is right', async () => {
  const ivy = await shop.customer();
  const id = await shop.subscribe(ivy, 'plus');
  let reply = () => {};
  shop.stripe.holdReply(new RegExp(`^POST /v1/subscriptions/${id}$`), new Promise<void>((done) => (reply = done)));
  const cancelling = shop.post(ivy, '/v1/billing/cancel');
  while (shop.stripe.world.events.length === 0) await new Promise((done) => setImmediate(done));
  await shop.deliver();
  reply();
  expect((await cancelling).body).toMatchObject({ status: 'cancelled' });
  const { rows } = await shop.db.pool.query('SELECT is_cancelling FROM billing_accounts WHERE account_id = $1', [
    ivy.accountId,
  ]);
  expect(rows).toEqual([{ is_cancelling: true }]);
});

test('a lost event is made up for by the next pass, of one process only', async () => {
  const jack = await shop.customer();
  shop.stripe.people.pay(await shop.pageFor(jack, 'plus'));
  shop.stripe.world.events.length = 0;
  expect(await shop.planOf(jack)).toBe('free');
  shop.stripe.world.nowMs += HOUR_MS;
  const before = shop.stripe.calls.length;
  const reports = await Promise.all([billingPass(shop.deps), billingPass(shop.deps)]);
  expect(await shop.planOf(jack)).toBe('plus');
  const readings = shop.stripe.calls.slice(before).filter(({ path }) => path === '/v1/subscriptions');
  expect(new Set(readings.map(({ form }) => form)).size).toBe(readings.length);
  expect(reports.map(({ read }) => read).reduce((sum, read) => sum + read)).toBe(readings.length);
  expect(await billingPass(shop.deps)).toEqual({ read: 0, failed: 0 });
  shop.stripe.world.nowMs -= HOUR_MS;
});

test('two processes share slow readings: none is made twice', async () => {
  const { stripe } = shop;
  for (let i = 0; i < 10; i++) await shop.pageFor(await shop.customer(), 'plus');
  stripe.world.nowMs += HOUR_MS;
  const before = stripe.calls.length;
  const readings = () => stripe.calls.slice(before).filter(({ path }) => path === '/v1/subscriptions');
  const request = /^GET \/v1\/subscriptions$/;
  // Ten minutes are over before the eighth is read.
  const nowMs = stripe.world.nowMs;
  stripe.slow(request, 100_000);
  for (let i = 0; i < 7; i++) stripe.holdReply(request, Promise.resolve());
  let reply = () => {};
  stripe.holdReply(request, new Promise<void>((done) => (reply = done)));
  const first = billingPass(shop.deps);
  while (readings().length < 8) await new Promise((done) => setImmediate(done));
  const second = await billingPass(shop.deps);
  reply();
  const reports = [await first, second];
  stripe.slow(request, 0);
  expect(readings().length).toBeGreaterThanOrEqual(10);
  expect(new Set(readings().map(({ form }) => form)).size).toBe(readings().length);
  expect(reports).toEqual([
    { read: 8, failed: 0 },
    { read: readings().length - 8, failed: 0 },
  ]);
  stripe.world.nowMs = nowMs - HOUR_MS;
});

test('a process keeps passing by itself, and an account that cannot be read is due again', async () => {
  const lost = await shop.customer();
  shop.stripe.people.pay(await shop.pageFor(lost, 'plus'));
  shop.stripe.world.events.length = 0;
  shop.stripe.world.nowMs += HOUR_MS;
  const readable = shop.stripe.failAll('error_500');
  expect(await billingPass(shop.deps)).toMatchObject({ read: 0 });
  readable();
  expect(
    await readBillingOverdue(shop.db.pool, new Date(shop.stripe.world.nowMs + 3 * HOUR_MS).toISOString()),
  ).toBeGreaterThan(0);
  shop.stripe.world.nowMs += HOUR_MS / 6;
  const end = keepBilling(shop.deps, { everyMs: 1, checkoutsEveryMs: 1 });
  while ((await shop.planOf(lost)) !== 'plus') await delay(10);
  end();
  shop.stripe.world.nowMs -= HOUR_MS + HOUR_MS / 6;
});

test('a subscription with a planned change is listed without GST, and gets it once the change has happened', async () => {
  const { world, people } = shop.stripe;
  const mona = await shop.customer();
  const id = await shop.subscribe(mona, 'business');
  people.choose(id, 'plus_monthly');
  const rate = addTaxRate(world);
  const deps = { ...shop.deps, payments: stripePayments(shop.stripe, 0, { kind: 'rate', rate }) };
  const untaxed = async () => (await reconcile(deps)).untaxed.filter(({ subscription }) => subscription === id);
  const gst = () =>
    world.all('invoice', ({ subscription }) => subscription === id).map((one) => one.total_taxes.length);
  const reason = 'it gets GST after its planned change';
  expect(await untaxed()).toEqual([{ accountId: mona.accountId, subscription: id, reason }]);
  expect(shop.warnings).toContainEqual({
    accountId: mona.accountId,
    subscription: id,
    message: 'a subscription gets GST after its planned change',
  });
  const back = world.nowMs;
  passTo(world, back + 32 * DAY_MS);
  expect(await untaxed()).toEqual([]);
  passTo(world, back + 63 * DAY_MS);
  expect([await shop.planOf(mona), gst()]).toEqual(['plus', [1, 0, 0]]);
  world.events.length = 0;
  world.nowMs = back;
});

test('two windows that pay at once leave one subscription; the other one is credited', async () => {
  const kate = await shop.customer();
  const low = await shop.pageFor(kate, 'standard');
  const high = await shop.pageFor(kate, 'plus');
  shop.stripe.people.pay(low);
  shop.stripe.people.pay(high);
  await shop.deliver();
  expect(shop.subscriptions(kate).map(({ status, items }) => [status, items.data[0].price.lookup_key])).toEqual([
    ['active', 'plus_monthly'],
    ['canceled', 'standard_monthly'],
  ]);
  const [customer] = shop.stripe.world.all('customer', ({ metadata }) => metadata.account_id === kate.accountId);
  // What was paid of it until 1 December.
  expect(customer.balance).toBe(-955);
  expect(await shop.planOf(kate)).toBe('plus');
  expect(shop.warnings).toContainEqual(expect.objectContaining({ accountId: kate.accountId }));
});

test('forged, old and unreadable events are refused and change nothing', async () => {
  const rosa = await shop.customer();
  const { world } = shop.stripe;
  shop.stripe.people.pay(await shop.pageFor(rosa, 'plus'));
  const event = world.events.at(-1);
  world.events.length = 0;
  const to = `${shop.api.url}/webhooks/stripe`;
  const status = async (options: object) => (await shop.stripe.deliver(event, to, options)).status;
  expect(await status({ secret: 'whsec_of_another' })).toBe(400);
  expect(await status({ atMs: world.nowMs - 301_000 })).toBe(400);
  expect(await status({ payload: JSON.stringify({ ...event, type: 'invoice.paid ' }) })).toBe(400);
  expect((await fetch(to, { method: 'POST', body: '{}' })).status).toBe(400);
  expect((await fetch(to, { method: 'POST', body: 'x'.repeat(1_000_001) })).status).toBe(413);
  expect(await shop.planOf(rosa)).toBe('free');
  expect(await status({ atMs: world.nowMs - 299_000 })).toBe(200);
  expect(await shop.planOf(rosa)).toBe('plus');
});

test('while Stripe is away, calls are a 503 with Retry-After and an event is sent again; nothing is lost', async () => {
  const sven = await shop.customer();
  const page = await shop.pageFor(sven, 'plus');
  shop.stripe.people.pay(page);
  const back = shop.stripe.failAll('reset_before');
  const event = shop.stripe.world.events.at(-1);
  const refused = await shop.stripe.deliver(event, `${shop.api.url}/webhooks/stripe`);
  const refusal = await shop.post(sven, '/v1/billing/cancel');
  back();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(refusal.body).toMatchObject({ status: 503, code: 'unavailable' });
  expect(await shop.planOf(sven)).toBe('free');
  await shop.deliver();
  expect(await shop.planOf(sven)).toBe('plus');
});

test('a reply that is lost, and a failure, are repeated by the SDK under one key', async () => {
  const tara = await shop.customer();
  const { url } = (await shop.linkFor(tara, 'plus')).body;
  const { account, plan, interval, expires, signature } = Object.fromEntries(new URL(url).searchParams);
  const repeating = createBilling({ ...shop.deps, payments: stripePayments(shop.stripe, 1) });
  shop.stripe.fail(/^POST \/v1\/customers$/, 'reset_after');
  shop.stripe.fail(/^POST \/v1\/checkout\/sessions$/, 'error_500');
  const wish = {
    account: account!,
    plan: plan!,
    interval: interval as 'month',
    expires: Number(expires),
    signature: signature!,
  };
  expect((await repeating.openUpgrade(wish)).url).toMatch(/^https:/);
  expect(shop.stripe.world.all('customer', ({ metadata }) => metadata.account_id === tara.accountId)).toHaveLength(1);
  const made = shop.stripe.calls.filter(({ path }) => path === '/v1/customers').slice(-2);
  expect(new Set(made.map(({ key }) => key)).size).toBe(1);
});

test('a customer that was deleted at Stripe has no plan, and may buy again', async () => {
  const udo = await shop.customer();
  await shop.subscribe(udo, 'plus');
  const [customer] = shop.stripe.world.all('customer', ({ metadata }) => metadata.account_id === udo.accountId);
  for (const one of shop.subscriptions(udo)) one.status = 'canceled';
  customer.deleted = true;
  shop.stripe.world.emit('customer.deleted', customer);
  await shop.deliver();
  expect(await shop.planOf(udo)).toBe('free');
  await shop.subscribe(udo, 'hobby');
  expect(await shop.planOf(udo)).toBe('hobby');
});

test('a subscription that is cancelled and begun anew the same day gives its plan, whatever order its events have', async () => {
  const xena = await shop.customer();
  const { world, people } = shop.stripe;
  const first = world.find('subscription', await shop.subscribe(xena, 'plus'));
  endNow(world, first, true);
  // By the same link as before: its page was used.
  const second = people.pay(await shop.pageFor(xena, 'plus'));
  await shop.deliver((events) => events.toReversed());
  expect(await shop.planOf(xena)).toBe('plus');
  expect([first, second].map(({ status, customer }) => [status, customer])).toEqual([
    ['canceled', first.customer],
    ['active', first.customer],
  ]);
});

test('a link that is opened often, by scanners too, makes one customer and one page', async () => {
  const lena = await shop.customer();
  const { url } = (await shop.linkFor(lena, 'hobby')).body;
  const { pathname, search } = new URL(url);
  const open = (more = '') => shop.api.get(`${pathname}${search}${more}`, undefined, { Accept: 'text/html' });
  const json = async () => (await open('&redirect=false')).body.url;
  const pages = await Promise.all([json(), json(), json()]);
  expect(new Set(pages).size).toBe(1);
  expect(shop.stripe.world.all('customer', ({ metadata }) => metadata.account_id === lena.accountId)).toHaveLength(1);
});

test('a link whose pages are used, one after the other, leads to another one each time', async () => {
  const olga = await shop.customer();
  const { pathname, search } = new URL((await shop.linkFor(olga, 'hobby')).body.url);
  const pages = new Set<string>();
  for (let used = 1; used <= 5; used++) {
    const { status, body } = await shop.api.get(`${pathname}${search}&redirect=false`);
    expect(status).toBe(200);
    endNow(shop.stripe.world, shop.stripe.people.pay(body.url), false);
    await shop.deliver();
    expect(pages.add(body.url).size).toBe(used);
  }
});

test('a price of the dashboard gives the plan of its product; one of another product gives none, and is reported', async () => {
  const wim = await shop.customer();
  const { world } = shop.stripe;
  const subscription = world.find('subscription', await shop.subscribe(wim, 'standard'));
  const moved = async (product: string, interval_count = 1) => {
    const recurring = { interval: 'month', interval_count };
    subscription.items.data[0].price = world.add('price', 'price', { product, lookup_key: null, recurring });
    world.emit('customer.subscription.updated', subscription);
    await shop.deliver();
    return shop.planOf(wim);
  };
  expect(await moved('racing_odds_business')).toBe('business');
  expect(await moved('racing_odds_business', 3)).toBe('free');
  expect(await moved('racing_odds_plus')).toBe('plus');
  shop.warnings.length = 0;
  expect(await moved('prod_of_another_kind')).toBe('free');
  expect(shop.warnings).toEqual([expect.objectContaining({ accountId: wim.accountId, subscription: subscription.id })]);
});

test('with the key of another Stripe account no plan ends', async () => {
  const vito = await shop.customer();
  await shop.subscribe(vito, 'plus');
  const { objects } = shop.stripe.world;
  const kept = new Map(objects);
  objects.clear();
  const report = await reconcile(shop.deps);
  for (const [id, one] of kept) objects.set(id, one);
  expect([report.read, await shop.planOf(vito)]).toEqual([0, 'plus']);
});

test('no log line, problem or address has a secret', async () => {
  const seen = JSON.stringify([shop.api.logged, shop.warnings, shop.stripe.calls.map(({ path }) => path)]);
  expect(seen).not.toContain(TEST_KEY);
  expect(seen).not.toContain(TEST_SECRET);
  expect(
    shop.api.logged.filter(({ fields }) => !/does not answer/.test(String((fields as { err?: unknown }).err))),
  ).toEqual([]);
});

describe('a referral', () => {
  const referralOf = async (of: Customer) => (await shop.api.get('/v1/referral', of.key)).body;
  const grants = async ({ accountId }: Customer) => {
    const text = `SELECT credits FROM credit_ledger WHERE account_id = $1 AND kind = 'grant' AND subject = 'referral'`;
    return (await shop.db.pool.query(text, [accountId])).rows.map(({ credits }) => credits);
  };

  test('gives both sides credits at the first paid invoice, once', async () => {
    const anna = await shop.owner('anna@example.com');
    const { code, link } = await referralOf(anna);
    expect([link, (await referralOf(anna)).code]).toEqual([`https://api.example.com/signup?referral=${code}`, code]);
    const ben = await shop.owner('ben@example.com', code);
    expect(await referralOf(anna)).toMatchObject({ signed_up: 1, paid: 0, credits_earned: 0 });
    await shop.subscribe(ben, 'hobby');
    const back = shop.stripe.world.nowMs;
    passTo(shop.stripe.world, back + 40 * DAY_MS);
    await Promise.all([shop.deliver(), reconcile(shop.deps), reconcile(shop.deps)]);
    shop.stripe.world.nowMs = back;
    expect([await grants(anna), await grants(ben)]).toEqual([[5000], [5000]]);
    expect(await referralOf(anna)).toMatchObject({ signed_up: 1, paid: 1, credits_earned: 5000, payout: 'credits' });
  });

  test('is not earned by a payment that was refunded, or is disputed', async () => {
    const fay = await shop.owner('fay@example.com');
    const gus = await shop.owner('gus@example.com', (await referralOf(fay)).code);
    const { people, world } = shop.stripe;
    const { customer } = people.pay(await shop.pageFor(gus, 'hobby'));
    people.refund(customer);
    await shop.deliver();
    expect(await grants(gus)).toEqual([]);
    const [charge] = world.all('charge', (one) => one.customer === customer);
    Object.assign(charge, { amount_refunded: 0, disputed: true });
    await reconcile(shop.deps);
    expect(await grants(gus)).toEqual([]);
    // A part is kept.
    charge.disputed = false;
    people.refund(customer, 100);
    await reconcile(shop.deps);
    expect([await grants(fay), await grants(gus)]).toEqual([[5000], [5000]]);
  });

  test('gives the referrer nothing that it does not want', async () => {
    const cleo = await shop.owner('cleo@example.com');
    expect((await shop.post(cleo, '/v1/referral', { payout: 'cash' })).status).toBe(422);
    const { code, payout } = (await shop.post(cleo, '/v1/referral', { payout: 'none' })).body;
    expect(payout).toBe('none');
    const dora = await shop.owner('dora@example.com', code);
    await shop.subscribe(dora, 'hobby');
    expect([await grants(cleo), await grants(dora)]).toEqual([[], [5000]]);
    expect(await referralOf(cleo)).toMatchObject({ paid: 1, credits_earned: 0 });
  });

  test('of one’s own address, or with an unknown code, gives nothing', async () => {
    const emil = await shop.owner('emil@example.com');
    const { code } = await referralOf(emil);
    const twin = await shop.owner('emil+2@example.com', code);
    const stray = await shop.owner('stray@example.com', 'nosuchcode');
    for (const each of [twin, stray]) {
      await shop.subscribe(each, 'hobby');
      expect(await grants(each)).toEqual([]);
    }
    expect(await grants(emil)).toEqual([]);
    // One's own code, set after the fact, counts as little.
    await shop.db.pool.query('UPDATE account_owners SET referred_by_code = $2 WHERE account_id = $1', [
      emil.accountId,
      code,
    ]);
    await shop.subscribe(emil, 'hobby');
    expect(await grants(emil)).toEqual([]);
    expect(await referralOf(emil)).toMatchObject({ signed_up: 1, paid: 0 });
  });
});
