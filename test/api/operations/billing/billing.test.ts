import { createBilling } from '../../../../src/accounts/billing/billing';
import { reconcile } from '../../../../src/accounts/billing/pass';
import { hashToken } from '../../../../src/api/kernel/session/session';
import { planNamed } from '../../../../src/plans/plans';
import { createStores } from '../../../../src/store/create-stores';
import { createKeyStore } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { startApi } from '../../../support/api/api';
import { TEST_KEY, TEST_SECRET } from '../../../support/stripe/server';
import { type Customer, openShop, type Shop } from '../../../support/stripe/shop';
import { endNow, passTo } from '../../../support/stripe/subscriptions';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('a new subscriber pays on Stripe’s page, and the limit rises at once', async () => {
  const anna = await shop.customer();
  const link = await shop.linkFor(anna, 'plus');
  expect(link.body).toMatchObject({ plan: 'plus', interval: 'month', price_aud: 49, prorated: false });
  expect(link.headers.get('cache-control')).toBe('no-store');
  const page = await shop.pageFor(anna, 'plus');
  expect(page).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  const seen = async () => (await shop.api.get('/v1/usage', anna.key)).body.plan;
  expect(await seen()).toBe('free');
  shop.stripe.people.pay(page);
  await shop.deliver();
  // The change is announced.
  while ((await seen()) !== 'plus') await new Promise((done) => setImmediate(done));
});

test('an upgrade in place is prorated; nothing changes until it is confirmed', async () => {
  const ben = await shop.customer();
  const id = await shop.subscribe(ben, 'standard');
  shop.stripe.world.nowMs += 5 * DAY_MS;
  expect((await shop.linkFor(ben, 'business')).body).toMatchObject({ prorated: true });
  const page = await shop.pageFor(ben, 'business');
  expect(page).toMatch(/^https:\/\/billing\.stripe\.com\//);
  await shop.deliver();
  expect(await shop.planOf(ben)).toBe('standard');
  shop.stripe.people.confirm(page);
  await shop.deliver();
  expect(await shop.planOf(ben)).toBe('business');
  const [invoice] = shop.stripe.world.all('invoice', ({ subscription }) => subscription === id);
  expect(invoice.total).toBe(Math.round(9900 * 0.1625) - Math.round(2900 * 0.1625));
  shop.stripe.world.nowMs -= 5 * DAY_MS;
});

test('a lower plan begins with the next paid period, and a yearly one begins with its month', async () => {
  const cleo = await shop.customer();
  const id = await shop.subscribe(cleo, 'business', 'year');
  const [invoice] = shop.stripe.world.all('invoice', ({ subscription }) => subscription === id);
  expect(invoice.total).toBe(93_541);
  expect((await shop.linkFor(cleo, 'plus', 'year')).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('no upgrade'),
  });
  expect((await shop.linkFor(cleo, 'platform', 'month')).status).toBe(409);
  expect((await shop.linkFor(cleo, 'business', 'year')).body.detail).toContain('already');
  shop.stripe.people.choose(id, 'plus_yearly');
  await shop.deliver();
  expect(await shop.planOf(cleo)).toBe('business');
  const back = shop.stripe.world.nowMs;
  passTo(shop.stripe.world, back + 366 * DAY_MS);
  await shop.deliver();
  expect(await shop.planOf(cleo)).toBe('plus');
  shop.stripe.world.nowMs = back;
});

test('a cancellation counts from the end of the paid period, once', async () => {
  const dora = await shop.customer();
  const id = await shop.subscribe(dora, 'plus');
  const first = await shop.post(dora, '/v1/billing/cancel');
  const second = await shop.post(dora, '/v1/billing/cancel');
  expect(first.body).toMatchObject({ status: 'cancelled', plan: 'plus', ends_at: '2026-12-01T00:00:00.000Z' });
  expect(second.body).toEqual(first.body);
  expect(
    shop.stripe.calls.filter(({ path, method }) => method === 'POST' && path === `/v1/subscriptions/${id}`),
  ).toHaveLength(1);
  expect(await shop.planOf(dora)).toBe('plus');
  expect((await shop.linkFor(dora, 'business')).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Renew it'),
  });
  shop.stripe.people.cancel(id, false);
  await shop.deliver();
  shop.stripe.people.confirm(await shop.pageFor(dora, 'business'));
  await shop.deliver();
  expect(await shop.planOf(dora)).toBe('business');
});

test('a cancelled subscription ends, even one with a planned change', async () => {
  const emil = await shop.customer();
  const id = await shop.subscribe(emil, 'business');
  shop.stripe.people.choose(id, 'standard_monthly');
  expect((await shop.linkFor(emil, 'platform')).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Take it back'),
  });
  expect((await shop.post(emil, '/v1/billing/cancel')).status).toBe(200);
  const back = shop.stripe.world.nowMs;
  passTo(shop.stripe.world, back + 32 * DAY_MS);
  await shop.deliver();
  expect(await shop.planOf(emil)).toBe('free');
  expect((await shop.post(emil, '/v1/billing/cancel')).body).toMatchObject({ status: 409, code: 'conflict' });
  shop.stripe.world.nowMs = back;
});

test('a card that fails keeps the plan until Stripe ends the subscription', async () => {
  const fred = await shop.customer();
  const id = await shop.subscribe(fred, 'plus');
  const { world } = shop.stripe;
  const back = world.nowMs;
  world.cardsPay = false;
  passTo(world, back + 32 * DAY_MS);
  expect(world.find('subscription', id).status).toBe('past_due');
  await shop.deliver();
  expect(await shop.planOf(fred)).toBe('plus');
  endNow(world, world.find('subscription', id), false);
  world.cardsPay = true;
  await shop.deliver();
  expect(await shop.planOf(fred)).toBe('free');
  world.nowMs = back;
});

describe('a subscription that Stripe leaves past due', () => {
  /** Its card declines at the renewal, on 1 December. */
  async function overdue() {
    const of = await shop.customer();
    const id = await shop.subscribe(of, 'plus');
    const { world } = shop.stripe;
    const subscription = world.find('subscription', id);
    world.declining.add(subscription.default_payment_method);
    const backMs = world.nowMs;
    const back = () => {
      world.nowMs = backMs;
    };
    const planAfter = async (days: number) => {
      passTo(world, backMs + days * DAY_MS);
      await shop.deliver();
      await reconcile(shop.deps);
      return shop.planOf(of);
    };
    const pay = () => {
      const [invoice] = world.all('invoice', (one) => one.subscription === id);
      world.declining.clear();
      shop.stripe.people.payInvoice(invoice.id);
    };
    return { of, world, subscription, planAfter, pay, back };
  }

  test('gives its plan for 30 days, whatever is invoiced meanwhile, and a new subscription ends it without a credit', async () => {
    const { of, world, subscription, planAfter, back } = await overdue();
    expect([await planAfter(39), subscription.status]).toEqual(['plus', 'past_due']);
    expect(await planAfter(40.5)).toBe('free');
    // After its second unpaid invoice.
    expect([await planAfter(42), subscription.status]).toEqual(['free', 'past_due']);
    expect(await shop.subscribe(of, 'hobby')).not.toBe(subscription.id);
    expect([await shop.planOf(of), subscription.status]).toEqual(['hobby', 'canceled']);
    expect(world.find('customer', subscription.customer).balance).toBe(0);
    back();
  });

  test('gives its plan again once it is paid', async () => {
    const { of, pay, planAfter, back } = await overdue();
    const unpaid = async () => (await createBilling(shop.deps).standing({ ...of, plan: planNamed('plus')! })).unpaid;
    const [since, endsAt] = ['2026-12-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'];
    expect([await planAfter(11), await unpaid()]).toEqual(['plus', { since, endsAt }]);
    expect([await planAfter(40.5), await unpaid()]).toEqual(['free', { since, endsAt }]);
    pay();
    expect([await planAfter(40.6), await unpaid()]).toEqual(['plus', null]);
    back();
  });

  test('does not replace a plan that an operator set when it is paid', async () => {
    const { of, pay, planAfter, back } = await overdue();
    await createStores(shop.db.pool).keyRegister.setPlan(of.accountId, 'enterprise');
    expect(await planAfter(40.5)).toBe('enterprise');
    pay();
    expect(await planAfter(40.6)).toBe('enterprise');
    back();
  });

  test('can be cancelled once it no longer gives its plan, and is not invoiced again', async () => {
    const { of, subscription, planAfter, back } = await overdue();
    const standing = () => createBilling(shop.deps).standing({ ...of, plan: planNamed('free')! });
    expect([await planAfter(40.5), await standing()]).toMatchObject(['free', { current: null, hasLapsed: true }]);
    const first = await shop.post(of, '/v1/billing/cancel');
    const second = await shop.post(of, '/v1/billing/cancel');
    expect(first.body).toMatchObject({ status: 'cancelled', plan: 'plus', ends_at: '2027-01-01T00:00:00.000Z' });
    expect(first.body.note).toContain('gives no plan');
    expect(second.body).toEqual(first.body);
    expect(await standing()).toMatchObject({ current: null, hasLapsed: false });
    expect([await planAfter(42), subscription.status]).toEqual(['free', 'canceled']);
    back();
  });
});

test.each([
  ['another plan', (url: string) => url.replace('plan=hobby', 'plan=scale'), 404],
  [
    'another account',
    (url: string) => url.replace(/account=.{36}/, 'account=4b1f6a2e-8f7d-4c52-9b52-0d7c5a3e9f11'),
    404,
  ],
  ['a later end', (url: string) => url.replace(/expires=(\d)/, 'expires=9$1'), 404],
  ['a signature that was cut off', (url: string) => url.slice(0, -1), 404],
  ['no signature', (url: string) => url.replace(/&signature=.*/, ''), 422],
])('a link with %s is refused', async (_, changed, status) => {
  const { url } = (await shop.linkFor(await shop.customer(), 'hobby')).body;
  const { pathname, search } = new URL(changed(url));
  expect((await shop.api.get(pathname + search)).status).toBe(status);
});

test('a price that Stripe does not have is a 503, and the operator reads why', async () => {
  const of = await shop.customer();
  const { pathname, search } = new URL((await shop.linkFor(of, 'scale', 'year')).body.url);
  const [price] = shop.stripe.world.all('price', ({ lookup_key }) => lookup_key === 'scale_yearly');
  price.active = false;
  const { body } = await shop.api.get(pathname + search);
  price.active = true;
  expect(body).toMatchObject({ status: 503, detail: 'Payments are not set up completely on this service.' });
  const { err } = shop.api.logged.pop()!.fields as { err: Error };
  expect(String((err.cause as Error).message)).toBe(
    'Stripe has no active price with the lookup key scale_yearly that includes GST: run ops billing setup',
  );
});

test('a link ends after an hour', async () => {
  const { url } = (await shop.linkFor(await shop.customer(), 'hobby')).body;
  const { pathname, search } = new URL(url);
  shop.stripe.world.nowMs += HOUR_MS;
  expect((await shop.api.get(pathname + search)).body).toMatchObject({ status: 410, code: 'gone' });
  shop.stripe.world.nowMs -= HOUR_MS;
});

test('the portal opens only for customers who bought something', async () => {
  const mia = await shop.customer();
  expect((await shop.api.get('/v1/billing/portal', mia.key)).body).toMatchObject({ status: 409 });
  await shop.subscribe(mia, 'hobby');
  const { body } = await shop.api.get('/v1/billing/portal', mia.key);
  expect(body).toEqual({
    url: expect.stringMatching(/^https:\/\/billing/),
    expires_at: Date.parse('2026-11-21T03:05:00Z') / 1000,
    note: expect.any(String),
  });
});

test('a session of the owner may do what the owner’s key may', async () => {
  const { accountId } = await shop.customer();
  const token = 'a-token-of-this-test';
  const text = `INSERT INTO sessions VALUES ($1, $2, $3, $3::timestamptz + interval '30 days')`;
  await shop.db.pool.query(text, [hashToken(token), accountId, new Date(shop.stripe.world.nowMs)]);
  const headers = { 'Content-Type': 'application/json', Cookie: `__Host-session=${token}` };
  const body = JSON.stringify({ plan: 'plus' });
  expect((await shop.api.send('POST', '/v1/billing/upgrade-link', { body, headers })).status).toBe(200);
  expect((await shop.api.send('GET', '/v1/billing/overage', { headers })).body).toMatchObject({
    status: 403,
    required_plan: 'business',
  });
  const foreign = { ...headers, Origin: 'https://evil.example' };
  expect((await shop.api.send('POST', '/v1/billing/cancel', { headers: foreign })).status).toBe(403);
});

test('a key of a team may not spend or cancel', async () => {
  const nora = await shop.customer();
  await shop.db.pool.query('UPDATE api_keys SET is_primary = false WHERE account_id = $1', [nora.accountId]);
  for (const answer of [
    await shop.linkFor(nora, 'plus'),
    await shop.post(nora, '/v1/billing/cancel'),
    await shop.api.get('/v1/referral', nora.key),
  ])
    expect(answer.body).toMatchObject({ status: 403, code: 'plan_required' });
});

test('a plan by agreement is left alone', async () => {
  const otto = await shop.customer('enterprise');
  expect((await shop.linkFor(otto, 'plus')).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('agreement'),
  });
  const paul = await shop.customer();
  await shop.subscribe(paul, 'hobby');
  const [subscription] = shop.subscriptions(paul);
  subscription.status = 'canceled';
  await shop.db.pool.query(`UPDATE accounts SET plan = 'enterprise' WHERE account_id = $1`, [paul.accountId]);
  await reconcile(shop.deps);
  expect(await shop.planOf(paul)).toBe('enterprise');
});

test('a plan that an operator sets overrides a subscription until it is released or another plan is bought', async () => {
  const { keyRegister } = createStores(shop.db.pool);
  const quin = await shop.customer();
  const id = await shop.subscribe(quin, 'standard');
  const read = async () => {
    await reconcile(shop.deps);
    return shop.planOf(quin);
  };
  await keyRegister.setPlan(quin.accountId, 'business');
  expect(await read()).toBe('business');
  // A purchase would lower the plan.
  expect((await shop.linkFor(quin, 'plus')).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Business plan by agreement'),
  });
  const standing = await createBilling(shop.deps).standing({ ...quin, plan: planNamed('business')! });
  expect(standing.offers[0]).toMatchObject({ plan: { id: 'platform' } });
  expect(await keyRegister.releasePlan(quin.accountId, 'free')).toBe('standard');
  expect(await read()).toBe('standard');
  await keyRegister.setPlan(quin.accountId, 'scale');
  shop.stripe.people.choose(id, 'plus_monthly');
  await shop.deliver();
  expect(await shop.planOf(quin)).toBe('plus');
  // The purchase ended it for good, and what ends without another one ends nothing that an operator set.
  await keyRegister.setPlan(quin.accountId, 'scale');
  expect((await shop.post(quin, '/v1/billing/cancel')).body.note).toBe(
    'The Plus subscription ends then; the account stays on the Scale plan by agreement.',
  );
  endNow(shop.stripe.world, shop.stripe.world.find('subscription', id), false);
  await shop.deliver();
  expect(await shop.planOf(quin)).toBe('scale');
  expect(await keyRegister.releasePlan(quin.accountId, 'free')).toBe('free');
  expect(await read()).toBe('free');
});

test('no log line, problem or address has a secret', async () => {
  const seen = JSON.stringify([shop.api.logged, shop.warnings, shop.stripe.calls.map(({ path }) => path)]);
  expect(seen).not.toContain(TEST_KEY);
  expect(seen).not.toContain(TEST_SECRET);
  expect(
    shop.api.logged.filter(({ fields }) => !/does not answer/.test(String((fields as { err?: unknown }).err))),
  ).toEqual([]);
});

test('a refusal and a warning name the request that begins the upgrade', async () => {
  const vera = await shop.customer();
  const spend = (of: Customer, used: number) =>
    shop.db.pool.query(`INSERT INTO credit_balances VALUES ($1, '2026-11-01', $2)`, [of.accountId, used]);
  await spend(vera, 3000);
  const refused = await shop.api.get('/v1/racing/venues', vera.key);
  const header = (name: string) => refused.headers.get(`x-upgrade-${name}`);
  expect([refused.status, header('checkout-method'), header('prorated')]).toEqual([402, 'POST', 'false']);
  const endpoint = header('checkout-endpoint')!;
  const body = header('checkout-body')!;
  expect([endpoint, JSON.parse(body)]).toEqual([
    'https://api.example.com/v1/billing/upgrade-link',
    { plan: refused.body.required_plan },
  ]);
  const { pathname } = new URL(endpoint);
  const offered = await shop.api.send('POST', pathname, {
    key: vera.key,
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(offered.body).toMatchObject({ plan: refused.body.required_plan });
  // As a client sends it that read `/v1/usage`.
  const { checkout } = (await shop.api.get('/v1/usage', vera.key)).body.upgrade;
  expect(checkout).toEqual({ method: 'POST', endpoint, body: { email: null, plan: refused.body.required_plan } });
  expect((await shop.post(vera, pathname, checkout.body)).status).toBe(200);
  const paying = await shop.customer('hobby');
  await spend(paying, 7000);
  expect((await shop.api.get('/v1/racing/venues', paying.key)).headers.get('x-upgrade-prorated')).toBe('true');
});

test('without Stripe, payment operations return a 503 with a reason, and everything else works', async () => {
  const api = await startApi({
    reads: createReads(shop.db.pool),
    keys: createKeyStore(shop.db.pool),
    referrals: shop.referrals,
  });
  const { key } = await shop.customer('plus');
  const body = JSON.stringify({ plan: 'plus' });
  const headers = { 'Content-Type': 'application/json' };
  const link =
    '/v1/billing/upgrade?account=4b1f6a2e-8f7d-4c52-9b52-0d7c5a3e9f11&plan=plus&interval=month&expires=1&signature=x';
  const callStripe = async () => [
    await api.get('/v1/billing/portal', key),
    await api.send('POST', '/v1/billing/upgrade-link', { key, body, headers }),
    await api.get(link),
    await api.send('POST', '/v1/billing/cancel', { key }),
  ];
  const answers = [...(await callStripe()), await api.send('POST', '/webhooks/stripe', { body: '{}' })];
  const working = await api.get('/v1/referral', key);
  // With the four above: what calls Stripe has 30 requests a minute together.
  for (let i = 4; i < 30; i++) expect((await api.get('/v1/billing/portal', key)).status).toBe(503);
  const over = await callStripe();
  await api.close();
  for (const { body: problem } of over)
    expect(problem).toMatchObject({ status: 429, detail: 'Each address may send 30 such requests a minute.' });
  for (const { body: problem, headers: sent } of answers) {
    expect(problem).toMatchObject({ status: 503, code: 'unavailable', detail: expect.stringContaining('not set up') });
    expect(sent.get('retry-after')).toBe('3600');
  }
  expect(working.status).toBe(200);
});
