// GST on what Stripe invoices, as the operator chose it (`STRIPE_TAX`). Prices are stated with GST: whatever is chosen,
// a customer never pays more than the published price, so tax that would come on top of it is refused.
import { called, foundBy, notSetUp, type StripeClient } from './client';

/** `automatic`: Stripe Tax computes it. `rate`: one rate of the dashboard for everybody. `none`: no GST is owed. */
export type TaxChoice =
  | { readonly kind: 'automatic' }
  | { readonly kind: 'rate'; readonly rate: string }
  | { readonly kind: 'none' };

/** Of a checkout page, which also takes the customer's ABN or tax id, and for Stripe Tax the address. */
export const checkoutTax = (tax: TaxChoice) => ({
  ...(tax.kind === 'automatic' && { automatic_tax: { enabled: true } }),
  tax_id_collection: { enabled: true },
  customer_update: { address: 'auto', name: 'auto' } as const,
});

/** Of a new subscription, beside `checkoutTax`. */
export const subscriptionRates = (tax: TaxChoice) => (tax.kind === 'rate' ? { default_tax_rates: [tax.rate] } : {});

/** Of an invoice or of a subscription. */
export function taxOf(tax: TaxChoice) {
  if (tax.kind === 'none') return {};
  if (tax.kind === 'rate') return { automatic_tax: { enabled: false }, default_tax_rates: [tax.rate] };
  return { automatic_tax: { enabled: true }, default_tax_rates: '' as const };
}

interface Taxed {
  readonly automatic_tax: { readonly enabled: boolean };
  readonly default_tax_rates?: readonly { readonly id: string }[] | null;
}

/** Whether an invoice or a subscription has what was chosen. With `none` nothing is taken away. */
export function isTaxed(tax: TaxChoice, { automatic_tax, default_tax_rates }: Taxed): boolean {
  if (tax.kind === 'none') return true;
  if (tax.kind === 'automatic') return automatic_tax.enabled;
  const rates = default_tax_rates ?? [];
  return !automatic_tax.enabled && rates.length === 1 && rates[0]!.id === tax.rate;
}

interface TaxedPrice {
  readonly id: string;
  readonly tax_behavior: string | null;
}

/**
 * Why GST would come on top of a price; null: it is part of it. Stripe Tax goes by the price, a rate by itself
 * (`requireInclusive`).
 */
export const taxOnTop = (tax: TaxChoice, { id, tax_behavior }: TaxedPrice): string | null =>
  tax.kind === 'automatic' && tax_behavior !== 'inclusive'
    ? `STRIPE_TAX is automatic, and the price ${id} has tax_behavior ${tax_behavior ?? 'unspecified'} instead of inclusive: GST would come on top of it`
    : null;

/** Throws unless a rate is part of the price: `inclusive` never changes once a rate is made. */
export async function requireInclusive(stripe: StripeClient, tax: TaxChoice): Promise<void> {
  if (tax.kind !== 'rate') return;
  const rate = await foundBy(stripe.taxRates.retrieve(tax.rate));
  if (!rate) throw notSetUp(`Stripe has no tax rate ${tax.rate}, and STRIPE_TAX names it`);
  if (!rate.active) throw notSetUp(`the tax rate ${tax.rate} is archived, and STRIPE_TAX names it`);
  if (!rate.inclusive) throw notSetUp(`the tax rate ${tax.rate} comes on top of prices, which are stated with GST`);
}

/** Throws while Stripe could not do what was chosen. */
export async function requireTax(stripe: StripeClient, tax: TaxChoice): Promise<void> {
  await requireInclusive(stripe, tax);
  if (tax.kind !== 'automatic') return;
  const { settings: ofAccount, registrations } = stripe.tax;
  const { status } = await called(ofAccount.retrieve());
  if (status !== 'active') throw notSetUp('Stripe Tax has no head office yet: complete its settings in the dashboard');
  const { data } = await called(registrations.list({ status: 'active', limit: 100 }));
  if (!data.some(({ country }) => country === 'AU'))
    throw notSetUp('Stripe Tax has no registration in Australia, and without one adds no GST');
}
