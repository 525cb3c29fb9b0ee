// GST on every invoice, as the operator chose it, within the published price. Stripe is our own stateful server.
import type { Payments } from '../../../src/payments/payments';
import type { TaxChoice } from '../../../src/payments/stripe/tax';
import { lookupKey, OFFERS } from '../../../src/plans/prices';
import { type StripeServer, startStripe } from '../../support/stripe/server';
import { stripePayments } from '../../support/stripe/shop';
import { passTo } from '../../support/stripe/subscriptions';
import { addTaxRate, setUpTax } from '../../support/stripe/tax';

const NOW_MS = Date.parse('2026-11-21T03:00:00Z');
const DAY_MS = 86_400_000;
/** Cents until 1 December. */
const FIRST = 3259;
const NONE: TaxChoice = { kind: 'none' };
const AUTOMATIC: TaxChoice = { kind: 'automatic' };
const rate = (id: string): TaxChoice => ({ kind: 'rate', rate: id });

let stripe: StripeServer;
beforeEach(async () => {
  stripe = await startStripe(NOW_MS);
});
afterEach(() => stripe.close());

const offer = OFFERS.find((one) => lookupKey(one) === 'business_monthly')!;
const payingWith = (tax: TaxChoice): Payments => stripePayments(stripe, 0, tax);
const customerOf = (payments: Payments) =>
  payments.createCustomer({ accountId: 'a', email: 'anna@example.com', replaces: null });
const checkoutOf = (payments: Payments, customerId: string) =>
  payments.checkout({ customerId, accountId: 'a', offer, key: 'business', nowMs: NOW_MS });

async function buy(payments: Payments, abn?: string): Promise<string> {
  await payments.setUp();
  const customerId = await customerOf(payments);
  stripe.people.pay((await checkoutOf(payments, customerId)).url, abn);
  return customerId;
}
const invoiceOverage = (payments: Payments, customerId: string) =>
  payments.invoiceOverage({ customerId, accountId: 'a', period: '2026-11-01', cents: 3300, description: 'Overage' });

/** What customers pay, and the GST in it, newest first. */
const invoices = () =>
  stripe.world
    .all('invoice')
    .map((one) => [one.status, one.total, one.total_taxes.map(({ amount }: { amount: number }) => amount)]);

const automatic = (country?: string): TaxChoice => {
  setUpTax(stripe.world, country);
  return AUTOMATIC;
};

const bothWays: [string, () => TaxChoice][] = [
  ['Stripe Tax', () => automatic()],
  ['a rate', () => rate(addTaxRate(stripe.world))],
];

describe.each(bothWays)('with %s', (_, choose) => {
  test('every invoice has GST within the published price, and the ABN of the customer', async () => {
    const payments = payingWith(choose());
    const customerId = await buy(payments, '51 824 753 556');
    passTo(stripe.world, NOW_MS + 31 * DAY_MS);
    await invoiceOverage(payments, customerId);
    expect(invoices()).toEqual([
      ['paid', 3300, [300]],
      ['paid', 9900, [900]],
      ['paid', FIRST, [296]],
    ]);
    expect(stripe.world.find('customer', customerId).tax_ids).toEqual([{ type: 'au_abn', value: '51 824 753 556' }]);
  });

  test('a subscription and a draft from before get it', async () => {
    const customerId = await buy(payingWith(NONE));
    stripe.fail(/finalize$/, 'error_500');
    await expect(invoiceOverage(payingWith(NONE), customerId)).rejects.toThrow('does not answer');
    const payments = payingWith(choose());
    const [before] = await payments.subscriptions(customerId);
    expect(before!.isTaxed).toBe(false);
    await payments.addTax(before!);
    await payments.addTax(before!);
    expect((await payments.subscriptions(customerId))[0]!.isTaxed).toBe(true);
    await invoiceOverage(payments, customerId);
    passTo(stripe.world, NOW_MS + 31 * DAY_MS);
    expect(invoices()).toEqual([
      ['paid', 9900, [900]],
      ['paid', 3300, [300]],
      ['paid', FIRST, []],
    ]);
  });
});

test('without GST nothing is added, and nothing is taken away', async () => {
  const customerId = await buy(payingWith(rate(addTaxRate(stripe.world))));
  expect((await payingWith(NONE).subscriptions(customerId))[0]!.isTaxed).toBe(true);
  await invoiceOverage(payingWith(NONE), customerId);
  expect(invoices()).toEqual([
    ['paid', 3300, []],
    ['paid', FIRST, [296]],
  ]);
});

test('tax that would come on top of a price sells nothing and invoices nothing', async () => {
  const customerId = await buy(payingWith(NONE));
  const payments = payingWith(rate(addTaxRate(stripe.world, { inclusive: false })));
  const problem = { cause: { message: expect.stringContaining('comes on top of prices') } };
  await expect(payments.setUp()).rejects.toMatchObject(problem);
  await expect(checkoutOf(payments, customerId)).rejects.toMatchObject(problem);
  await expect(invoiceOverage(payments, customerId)).rejects.toMatchObject(problem);
  // An item that another process created, with Stripe's own default.
  const [draft] = stripe.world.all('invoice', ({ status }) => status === 'draft');
  draft.default_tax_rates = [stripe.world.find('tax_rate', addTaxRate(stripe.world, { inclusive: false }))];
  await expect(invoiceOverage(payingWith(NONE), customerId)).rejects.toThrow('3300 cents, and with tax 3630');
  expect(stripe.world.all('charge').map(({ amount }) => amount)).toEqual([FIRST]);
  const [price] = stripe.world.all('price', ({ lookup_key }) => lookup_key === 'business_monthly');
  price.tax_behavior = 'exclusive';
  await expect(checkoutOf(payingWith(NONE), customerId)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('that includes GST') },
  });
  expect(await payingWith(NONE).setUp()).toEqual(['price business_monthly replaced: A$99 a month']);
});

test('Stripe Tax on a price of the dashboard that does not include it is refused, and named before a customer pays', async () => {
  const customerId = await buy(payingWith(NONE));
  const [sold] = stripe.world.all('price', ({ lookup_key }) => lookup_key === 'business_monthly');
  const dashboard = (tax_behavior: string | null) => {
    const { product, recurring } = sold;
    const [members, own] = [
      { product, recurring, active: true, currency: 'aud', type: 'recurring' },
      { lookup_key: null },
    ];
    return stripe.world.add('price', 'price', { ...members, ...own, unit_amount: 8800, tax_behavior });
  };
  const prices = [dashboard('exclusive'), dashboard('unspecified'), dashboard(null)];
  dashboard('inclusive');
  dashboard('exclusive').active = false;
  // Nobody's plan.
  stripe.world.add('price', 'price', {
    ...sold,
    lookup_key: null,
    metadata: {},
    product: 'prod_other',
    tax_behavior: 'exclusive',
  });
  const payments = payingWith(automatic());
  const named = await payments.pricesWithTaxOnTop();
  for (const { id } of prices)
    expect(named).toContainEqual(expect.stringContaining(`the price ${id} has tax_behavior`));
  expect(named).toHaveLength(prices.length);
  for (const tax of [NONE, rate(addTaxRate(stripe.world))])
    expect(await payingWith(tax).pricesWithTaxOnTop()).toEqual([]);
  const [subscription] = stripe.world.all('subscription');
  for (const price of prices) {
    subscription.items.data[0].price = price;
    const [one] = await payments.subscriptions(customerId);
    await expect(payments.addTax(one!)).rejects.toThrow('instead of inclusive');
  }
  expect(subscription.automatic_tax.enabled).toBe(false);
  // One that has it from the dashboard.
  subscription.automatic_tax.enabled = true;
  const [one] = await payments.subscriptions(customerId);
  expect([one!.isTaxed, one!.taxOnTop]).toEqual([true, expect.stringContaining('tax_behavior')]);
  await expect(payments.addTax(one!)).rejects.toThrow('GST would come on top');
});

test.each<[string, () => TaxChoice, string]>([
  ['no head office', () => AUTOMATIC, 'no head office'],
  ['no registration in Australia', () => automatic('NZ'), 'no registration in Australia'],
  ['no such rate', () => rate('txr_none'), 'no tax rate txr_none'],
])('the set-up ends nothing half: %s', async (_, choose, reason) => {
  const tax = choose();
  const refused = { code: 'unavailable', cause: { message: expect.stringContaining(reason) } };
  await expect(payingWith(tax).setUp()).rejects.toMatchObject(refused);
  expect(stripe.world.all('product')).toEqual([]);
});

test('a customer whom Stripe Tax cannot place is not invoiced without GST', async () => {
  setUpTax(stripe.world);
  const customerId = await customerOf(payingWith(NONE));
  await expect(invoiceOverage(payingWith(AUTOMATIC), customerId)).rejects.toThrow('location');
  expect(stripe.world.all('invoice').map(({ status }) => status)).toEqual(['draft']);
});
