// Which price of Stripe is which offer of the plan table: by lookup key, and for a price that was replaced (its key moves to the new one) by the
// metadata that `billing setup` gave it.
import { lookupKey, OFFERS, type Offer } from '../../plans/prices';
import { called, notSetUp, type StripeClient } from './client';

interface StripePrice {
  readonly lookup_key: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Of a price's metadata: the lookup key that it was made with. */
export const OFFER_KEY = 'racing_odds_offer';

/** Null: the price is not one of ours. */
export function offerOfPrice({ lookup_key, metadata }: StripePrice): Offer | null {
  const names = [lookup_key, metadata[OFFER_KEY]];
  return OFFERS.find((offer) => names.includes(lookupKey(offer))) ?? null;
}

/** The id of the price that is sold now. */
export async function priceIdOf(stripe: StripeClient, offer: Offer): Promise<string> {
  const key = lookupKey(offer);
  const { data } = await called(stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 }));
  if (data[0]) return data[0].id;
  throw notSetUp(`Stripe has no active price with the lookup key ${key}: run ops billing setup`);
}
