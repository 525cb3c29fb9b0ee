// Paid means paid: whatever happens to Stripe's events, the plan counts when its owner comes back, and otherwise soon.
// Stripe is our own stateful server.
import fc from 'fast-check';
import { createBilling } from '../../../../src/accounts/billing/billing';
import { billingPass, checkoutPass, reconcile } from '../../../../src/accounts/billing/pass';
import { readLevel } from '../../../../src/accounts/billing/reading';
import { PLANS } from '../../../../src/plans/plans';
import { type Customer, openShop, type Shop } from '../../../support/stripe/shop';
import { passTo } from '../../../support/stripe/subscriptions';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

const payerOf = ({ accountId }: Customer) => ({ accountId, plan: PLANS[0]! });
const back = (of: Customer, checkoutId: string) => createBilling(shop.deps).returned(payerOf(of), checkoutId);
const wait = (ms: number) => {
  shop.stripe.world.nowMs += ms;
};
/** The address that Stripe's page leads back to. */
function idAt(url: string): string {
  const [session] = shop.stripe.world.all('checkout.session', (one) => one.url === url);
  const to = new URL(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id));
  return to.searchParams.get('checkout')!;
}
/** Every event is lost. */
const pay = (url: string) => {
  shop.stripe.people.pay(url);
  shop.stripe.world.events.length = 0;
};
const readings = () => shop.stripe.calls.filter(({ path }) => path === '/v1/subscriptions').length;

test.each([
  ['month', '2026-12-01T00:00:00.000Z', 4900],
  ['year', '2027-11-01T00:00:00.000Z', 49_000],
])(
  'by the %s a plan is paid from a first of a month on, and what is paid until then is said before',
  async (interval, renews_at, whole) => {
    const mia = await shop.customer();
    const { body } = await shop.linkFor(mia, 'plus', interval);
    expect(body).toMatchObject({ renews_at, prorated: false });
    const standing = await createBilling(shop.deps).standing(payerOf(mia));
    const offered = standing.offers.find(({ plan, interval: by }) => plan.id === 'plus' && by === interval);
    const cents = Math.round(100 * body.due_now_aud);
    expect(offered!.first).toEqual({ cents, dueCents: cents, untilMs: Date.parse(renews_at) });
    pay(await shop.pageFor(mia, 'plus', interval));
    const { world } = shop.stripe;
    const [subscription] = shop.subscriptions(mia);
    const totals = () => world.all('invoice', (one) => one.subscription === subscription.id).map(({ total }) => total);
    expect(totals()).toEqual([offered!.first!.cents]);
    const back = world.nowMs;
    passTo(world, Date.parse(renews_at));
    expect(totals()).toEqual([whole, offered!.first!.cents]);
    world.events.length = 0;
    world.nowMs = back;
    await readLevel(shop.deps, mia.accountId);
    expect((await createBilling(shop.deps).standing(payerOf(mia))).offers[0]!.first).toBeNull();
  },
);

test('what is left of a month is less than Stripe collects: nothing is due now, and it is paid with the next month', async () => {
  const { world } = shop.stripe;
  const back = world.nowMs;
  world.nowMs = Date.parse('2026-11-30T23:00:00Z');
  const nils = await shop.customer();
  expect((await shop.linkFor(nils, 'hobby')).body).toMatchObject({
    due_now_aud: 0,
    renews_at: '2026-12-01T00:00:00.000Z',
    note: expect.stringContaining('Nothing is paid now'),
  });
  pay(await shop.pageFor(nils, 'hobby'));
  await readLevel(shop.deps, nils.accountId);
  expect(await shop.planOf(nils)).toBe('hobby');
  expect((await createBilling(shop.deps).standing(payerOf(nils))).unpaid).toBeNull();
  passTo(world, Date.parse('2026-12-01T00:00:00Z'));
  const [{ id }] = shop.subscriptions(nils);
  const invoices = world.all('invoice', ({ subscription }) => subscription === id);
  expect(invoices.map(({ total, amount_due }) => [total, amount_due])).toEqual([
    [900, 901],
    [1, 0],
  ]);
  world.events.length = 0;
  world.nowMs = back;
});

test('on return from checkout the plan counts at once, without any event', async () => {
  const anna = await shop.customer();
  const page = await shop.pageFor(anna, 'plus');
  pay(page);
  expect(await back(anna, idAt(page))).toBe('paid');
  expect(await shop.planOf(anna)).toBe('plus');
});

test('only for a checkout of the account, that was completed', async () => {
  const [ben, cleo] = [await shop.customer(), await shop.customer()];
  const [bens, cleos] = [await shop.pageFor(ben, 'plus'), await shop.pageFor(cleo, 'plus')];
  pay(bens);
  const before = readings();
  expect(await back(cleo, idAt(bens))).toBeNull();
  wait(5 * SECOND_MS);
  expect(await back(cleo, idAt(cleos))).toBeNull();
  wait(5 * SECOND_MS);
  expect(await back(cleo, 'cs_test_unknown')).toBeNull();
  const calls = shop.stripe.calls.length;
  for (const odd of ['', 'cs_', '../customers/cus_1', 'sub_000001', `cs_${'a'.repeat(300)}`])
    expect(await back(cleo, odd)).toBeNull();
  expect(await back(await shop.customer(), idAt(bens))).toBeNull();
  expect([readings(), shop.stripe.calls.length]).toEqual([before, calls]);
  expect([await shop.planOf(ben), await shop.planOf(cleo)]).toEqual(['free', 'free']);
});

test('at most once in five seconds, in all processes', async () => {
  const dora = await shop.customer();
  const page = await shop.pageFor(dora, 'plus');
  pay(page);
  const before = readings();
  const all = await Promise.all(Array.from({ length: 10 }, () => back(dora, idAt(page))));
  expect(all.filter((one) => one !== null)).toEqual(['paid']);
  wait(5 * SECOND_MS - 1);
  expect(await back(dora, idAt(page))).toBeNull();
  expect(readings()).toBe(before + 1);
  wait(1);
  expect(await back(dora, idAt(page))).toBe('paid');
});

test('who has paid is shown no error while Stripe is away, and has the plan seconds after it is back', async () => {
  const eva = await shop.customer();
  const page = await shop.pageFor(eva, 'plus');
  pay(page);
  const isBack = shop.stripe.failAll('error_500');
  expect(await back(eva, idAt(page))).toBe('paying');
  wait(15 * SECOND_MS);
  await checkoutPass(shop.deps);
  isBack();
  wait(30 * SECOND_MS);
  await checkoutPass(shop.deps);
  expect(await shop.planOf(eva)).toBe('plus');
});

test('on return from the portal what was paid or changed there counts at once, without any event', async () => {
  const gus = await shop.customer();
  pay(await shop.pageFor(gus, 'business'));
  const billing = createBilling(shop.deps);
  const cameBack = () => billing.cameBack(payerOf(gus));
  await cameBack();
  expect(await shop.planOf(gus)).toBe('business');
  const [{ id }] = shop.subscriptions(gus);
  shop.stripe.people.choose(id, 'platform_monthly');
  shop.stripe.world.events.length = 0;
  const before = readings();
  await cameBack();
  expect(readings()).toBe(before);
  wait(5 * SECOND_MS);
  const isBack = shop.stripe.failAll('error_500');
  await cameBack();
  isBack();
  expect(await shop.planOf(gus)).toBe('business');
  wait(5 * SECOND_MS);
  await cameBack();
  expect(await shop.planOf(gus)).toBe('platform');
  const { url } = await billing.portal(payerOf(gus));
  const [session] = shop.stripe.world.all('billing_portal.session', (one) => one.url === url);
  expect(session.return_url).toBe('https://api.example.com/docs?from=billing');
});

test('an open checkout is read by its own pass, of one process, until the hour is over', async () => {
  const fred = await shop.customer();
  await shop.pageFor(fred, 'plus');
  const both = async () => {
    const [one, other] = await Promise.all([checkoutPass(shop.deps), checkoutPass(shop.deps)]);
    return one.read + other.read;
  };
  await shop.db.pool.query('UPDATE billing_accounts SET checkout_opened_at = NULL WHERE account_id <> $1', [
    fred.accountId,
  ]);
  // A new customer is due at once.
  expect(await both()).toBe(1);
  wait(15 * SECOND_MS - 1);
  expect(await both()).toBe(0);
  wait(1);
  expect(await both()).toBe(1);
  expect(await both()).toBe(0);
  wait(10 * MINUTE_MS);
  expect(await both()).toBe(1);
  wait(15 * SECOND_MS);
  expect(await both()).toBe(0);
  wait(50 * MINUTE_MS);
  expect(await both()).toBe(0);
  const before = readings();
  await billingPass(shop.deps);
  expect(readings()).toBeGreaterThan(before);
});

test('whenever a page is paid, with every event lost and any reading failed, one subscription and its plan follow', async () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 70 * SECOND_MS }),
    act: fc.constantFrom('pay', 'return', 'return twice', 'pass', 'fail', 'open again'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const one = await shop.customer();
      const page = await shop.pageFor(one, 'standard');
      const id = idAt(page);
      let isPaid = false;
      for (const { waitMs, act } of steps) {
        wait(waitMs);
        if (act === 'pay' && !isPaid) {
          pay(page);
          isPaid = true;
        }
        if (act === 'open again' && !isPaid) await shop.pageFor(one, 'standard').catch(() => {});
        if (act === 'fail') shop.stripe.fail(/^GET \/v1\/subscriptions$/, 'error_500');
        if (act === 'return' || act === 'return twice') await back(one, id);
        if (act === 'return twice') await back(one, id);
        if (act === 'pass') await checkoutPass(shop.deps);
      }
      if (!isPaid) pay(page);
      for (let i = 0; i < 20; i++) {
        wait(MINUTE_MS);
        await checkoutPass(shop.deps);
      }
      expect(await shop.planOf(one)).toBe('standard');
      const bought = shop.stripe.world.all('subscription', ({ metadata }) => metadata.account_id === one.accountId);
      expect(bought.map(({ status }) => status)).toEqual(['active']);
    }),
    { numRuns: 15 },
  );
});

test('Stripe mails invoices to the present address of the account, whatever fails when it changes', async () => {
  const one = await shop.owner('before@example.com');
  await shop.subscribe(one, 'plus');
  const [customer] = shop.stripe.world.all('customer', ({ metadata }) => metadata.account_id === one.accountId);
  expect(customer.email).toBe('before@example.com');
  await shop.db.pool.query('UPDATE account_owners SET email = $2, email_key = $2 WHERE account_id = $1', [
    one.accountId,
    'after@example.com',
  ]);
  const posts = () =>
    shop.stripe.calls.filter(({ method, path }) => method === 'POST' && path === `/v1/customers/${customer.id}`);
  shop.stripe.fail(/^POST \/v1\/customers\/\w+$/, 'error_500');
  await reconcile(shop.deps);
  expect([customer.email, await shop.planOf(one)]).toEqual(['before@example.com', 'plus']);
  await reconcile(shop.deps);
  await reconcile(shop.deps);
  expect([customer.email, posts().length]).toEqual(['after@example.com', 2]);
});
