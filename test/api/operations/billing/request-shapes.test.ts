// Every request that the service sends to Stripe fits Stripe's published schema: each is recorded by our own server and
// sent to stripe-mock. Without stripe-mock the test counts as skipped.
import { lookupKey, OFFERS, type Offer } from '../../../../src/plans/prices';
import { type StripeServer, startStripe, TEST_KEY } from '../../../support/stripe/server';
import { stripePayments } from '../../../support/stripe/shop';
import { startStripeMock, stripeMock } from '../../../support/stripe/stripe-mock';
import { addTaxRate, setUpTax } from '../../../support/stripe/tax';

const offer = (key: string): Offer => OFFERS.find((one) => lookupKey(one) === key)!;

/** All that `Payments` can do, once. */
async function everything(stripe: StripeServer): Promise<void> {
  const payments = stripePayments(stripe, 0, { kind: 'rate', rate: addTaxRate(stripe.world) });
  setUpTax(stripe.world);
  await stripePayments(stripe, 0, { kind: 'automatic' }).setUp();
  await payments.setUp();
  await payments.setUpEvents('https://odds.example/webhooks/stripe');
  await payments.setUpEvents('https://odds.example/webhooks/stripe');
  await payments.setUp();
  const customerId = await payments.createCustomer({ accountId: 'a', email: 'anna@example.com', replaces: null });
  const nowMs = stripe.world.nowMs;
  const pages = ['standard_monthly', 'hobby_monthly'].map((key) =>
    payments.checkout({ customerId, accountId: 'a', offer: offer(key), key, nowMs }),
  );
  for (const page of await Promise.all(pages)) stripe.people.pay(page.url);
  for (const key of ['hobby_monthly', 'hobby_yearly'])
    await payments.checkout({ customerId, accountId: 'a', offer: offer(key), key, nowMs });
  const [hobby, standard] = await payments.subscriptions(customerId);
  await payments.endDuplicate(hobby!);
  const change = await payments.confirmChange({ customerId, subscription: standard!, offer: offer('plus_yearly') });
  stripe.people.confirm(change.url);
  stripe.people.choose(standard!.id, 'hobby_monthly');
  const [planned] = await payments.subscriptions(customerId);
  await payments.cancelAtPeriodEnd(planned!);
  stripe.world.find('subscription', standard!.id).status = 'past_due';
  await payments.subscriptions(customerId);
  await payments.addTax(planned!);
  await payments.checkoutBy(stripe.world.all('checkout.session')[0].id);
  await payments.portal(customerId);
  await payments.hasPaid(customerId);
  await payments.hasCustomer(customerId);
  await payments.nameCustomer(customerId, 'anna@example.org');
  await payments.invoiceOverage({
    customerId,
    accountId: 'a',
    period: '2026-10-01',
    cents: 100,
    description: 'Overage',
  });
  await payments.checkout({ customerId, accountId: 'a', offer: offer('plus_monthly'), key: 'left_open', nowMs });
  await payments.endAll(customerId);
}

const withMock = stripeMock === null ? test.skip : test;
const why = stripeMock === null ? ' (skipped: stripe-mock is not installed)' : '';

withMock(`every request fits Stripe’s schema${why}`, async () => {
  const stripe = await startStripe(Date.parse('2026-11-21T03:00:00Z'));
  const mock = await startStripeMock();
  try {
    await everything(stripe);
    const kinds = new Map(
      stripe.calls.map((call) => [`${call.method} ${call.path.replace(/_\w+/, '')} ${Object.keys(call.params)}`, call]),
    );
    expect(kinds.size).toBeGreaterThan(20);
    for (const { method, path, form } of kinds.values()) {
      const sent = method === 'POST' ? { body: form } : {};
      const headers = { Authorization: `Bearer ${TEST_KEY}`, 'Content-Type': 'application/x-www-form-urlencoded' };
      const url = `${mock.url}${path}${method === 'POST' || form === '' ? '' : `?${form}`}`;
      const response = await fetch(url, { method, headers, ...sent });
      expect({
        request: `${method} ${path} ${form}`,
        status: response.status,
        problem: ((await response.json()) as { error?: unknown }).error,
      }).toEqual({
        request: `${method} ${path} ${form}`,
        status: 200,
        problem: undefined,
      });
    }
  } finally {
    mock.close();
    await stripe.close();
  }
});
