// GST as Stripe adds it to an invoice: by Stripe Tax from the customer's address, or by the rates of the invoice;
// within the amounts, or on top of them.
import { nested, type Params, param, texts } from './form';
import { list, type Route } from './requests';
import { invalid, type StripeObject, type StripeWorld } from './world';

const GST = { percentage: 10, inclusive: true };

/** Created in the dashboard. */
export const addTaxRate = (world: StripeWorld, over: Partial<typeof GST> = {}): string =>
  world.add('tax_rate', 'txr', { ...GST, active: true, display_name: 'GST', country: 'AU', ...over }).id;

/** As the dashboard has it once Stripe Tax is set up; `country` null: without a registration. */
export function setUpTax(world: StripeWorld, country: string | null = 'AU'): void {
  world.taxStatus = 'active';
  if (country) world.add('tax.registration', 'taxreg', { country, status: 'active' });
}

/** The members of a subscription or an invoice, from a form. */
export function taxMembers(world: StripeWorld, params: Params): StripeObject {
  const rates = Object.values(texts(params, 'default_tax_rates')).map((id) => world.find('tax_rate', id, 'tax_rate'));
  const isAutomatic = param(params, 'automatic_tax.enabled') === 'true';
  if (isAutomatic && rates.length > 0)
    throw invalid('You cannot set tax rates with automatic tax.', 'default_tax_rates');
  return { automatic_tax: { enabled: isAutomatic }, default_tax_rates: rates };
}

/** The members that an update changes. */
export function changeTax(world: StripeWorld, one: StripeObject, params: Params): void {
  if (!('automatic_tax' in params || 'default_tax_rates' in params)) return;
  const next = taxMembers(world, params);
  if (next.automatic_tax.enabled && !addressOf(world, one.customer)) throw noAddress();
  Object.assign(one, next);
}

const addressOf = (world: StripeWorld, customer: string) => world.find('customer', customer).address ?? null;

const noAddress = () =>
  invalid(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    undefined,
    'customer_tax_location_invalid',
  );

/** Totals of an invoice, from its amounts and its tax. Refuses an invoice that Stripe Tax cannot place. */
export function taxed(
  world: StripeWorld,
  { customer, automatic_tax, default_tax_rates }: StripeObject,
  amount: number,
) {
  const address = automatic_tax.enabled ? addressOf(world, customer) : null;
  if (automatic_tax.enabled && !address) throw noAddress();
  const isCollected = world.all('tax.registration').some(({ country }) => country === address?.country);
  const rates: readonly StripeObject[] = automatic_tax.enabled ? (isCollected ? [GST] : []) : default_tax_rates;
  const taxes = rates.map(({ percentage, inclusive }) => ({
    amount: Math.round((amount * percentage) / (inclusive ? 100 + percentage : 100)),
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
  }));
  const sum = (behavior: string) =>
    taxes.filter(({ tax_behavior }) => tax_behavior === behavior).reduce((total, one) => total + one.amount, 0);
  const total = amount + sum('exclusive');
  const { tax_ids: ids } = world.find('customer', customer);
  const net = total - sum('exclusive') - sum('inclusive');
  return { total, total_taxes: taxes, total_excluding_tax: net, customer_tax_ids: [...ids] };
}

/** What Stripe requires of a checkout page for an existing customer. */
export function judgeCheckout(world: StripeWorld, customer: string, params: Params): void {
  const update = nested(params, 'customer_update');
  const isOn = (name: string) => param(params, `${name}.enabled`) === 'true';
  if (isOn('tax_id_collection') && update.name !== 'auto')
    throw invalid('Tax ID collection requires updating business name on the customer.', 'tax_id_collection');
  if (isOn('automatic_tax') && !addressOf(world, customer) && update.address !== 'auto')
    throw invalid('Automatic tax calculation in Checkout requires a valid address on the Customer.', 'automatic_tax');
}

export const TAX_ROUTES: readonly Route[] = [
  ['GET', /^\/v1\/tax_rates\/(\w+)$/, (world, _, id) => world.find('tax_rate', id)],
  ['GET', /^\/v1\/tax\/settings$/, (world) => ({ object: 'tax.settings', status: world.taxStatus })],
  ['GET', /^\/v1\/tax\/registrations$/, (world, params) => list(world, params, 'tax.registration')],
];
