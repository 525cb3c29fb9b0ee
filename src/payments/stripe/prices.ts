// Which price of Stripe is which offer of the plan table: by lookup key; for a price that was replaced (its key moves
// to the new one) by the metadata that `billing setup` gave it; for one that was made in the dashboard, at another
// amount, by its product.
import type { Plan } from '../../plans/plans';
import { lookupKey, OFFERS, type Offer, PRICED_PLANS } from '../../plans/prices';
import { called, foundBy, notSetUp, type StripeClient } from './client';
import { type TaxChoice, taxOnTop } from './tax';

interface StripePrice {
  readonly lookup_key: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly product: string | { readonly id: string };
  readonly recurring: { readonly interval: string; readonly interval_count: number } | null;
}

export const productId = ({ id }: Plan): string => `racing_odds_${id}`;

/** Of a price's metadata: the lookup key that it was made with. */
export const OFFER_KEY = 'racing_odds_offer';

/** Null: the price is not one of ours. */
export function offerOfPrice({ lookup_key, metadata, product, recurring }: StripePrice): Offer | null {
  const names = [lookup_key, metadata[OFFER_KEY]];
  const named = OFFERS.find((offer) => names.includes(lookupKey(offer)));
  if (named || recurring?.interval_count !== 1) return named ?? null;
  const sold = typeof product === 'string' ? product : product.id;
  return OFFERS.find(({ plan, interval }) => productId(plan) === sold && interval === recurring.interval) ?? null;
}

/** The id of the price that is sold now. GST never comes on top of it. */
export async function priceIdOf(stripe: StripeClient, offer: Offer): Promise<string> {
  const key = lookupKey(offer);
  const { data } = await called(stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 }));
  if (data[0]?.tax_behavior === 'inclusive') return data[0].id;
  throw notSetUp(`Stripe has no active price with the lookup key ${key} that includes GST: run ops billing setup`);
}

const MOST = 100;

/** Of every price that is active and gives a plan, a sentence for each that Stripe Tax would raise. */
export async function pricesWithTaxOnTop(stripe: StripeClient, tax: TaxChoice): Promise<readonly string[]> {
  if (tax.kind !== 'automatic') return [];
  const found: string[] = [];
  for (const plan of PRICED_PLANS) {
    const prices = await foundBy(stripe.prices.list({ product: productId(plan), active: true, limit: MOST }));
    found.push(...(prices?.data ?? []).flatMap((price) => (offerOfPrice(price) && taxOnTop(tax, price)) ?? []));
  }
  return found;
}
