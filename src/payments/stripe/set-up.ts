// Brings Stripe's catalogue to the plan table: a product for each plan on sale, its two prices, and the pages on which
// customers manage them. A price of Stripe never changes its amount: another amount is a new price, which takes over
// the lookup key; who has the old one keeps it.
import { INTERVALS, lookupKey, type Offer, PRICED_PLANS, type PricedPlan, priceAud } from '../../plans/prices';
import { called, foundBy, type StripeClient } from './client';
import { findPortal, PORTAL_MARK } from './pages';
import { OFFER_KEY, productId } from './prices';
import { requireTax, type TaxChoice } from './tax';

type Features = NonNullable<Parameters<StripeClient['billingPortal']['configurations']['create']>[0]>['features'];

export async function setUp(stripe: StripeClient, returnUrl: string, tax: TaxChoice): Promise<readonly string[]> {
  await requireTax(stripe, tax);
  const done: string[] = [];
  const sold = [];
  for (const plan of PRICED_PLANS) {
    const product = await ensureProduct(stripe, plan, done);
    const prices = [];
    for (const interval of INTERVALS) prices.push(await ensurePrice(stripe, product, { plan, interval }, done));
    sold.push({ product, prices });
  }
  const page = { features: featuresOf(sold), default_return_url: returnUrl };
  const existing = await findPortal(stripe);
  if (existing !== null) await called(stripe.billingPortal.configurations.update(existing, page));
  else {
    const { id } = await called(stripe.billingPortal.configurations.create({ ...page, metadata: PORTAL_MARK }));
    done.push(`portal configuration ${id} created`);
  }
  return done;
}

async function ensureProduct(stripe: StripeClient, plan: PricedPlan, done: string[]): Promise<string> {
  const id = productId(plan);
  const name = `Racing odds: ${plan.title}`;
  const existing = await foundBy(stripe.products.retrieve(id));
  if (existing === null) {
    await called(stripe.products.create({ id, name }));
    done.push(`product ${id} created`);
  } else if (!existing.active || existing.name !== name) {
    await called(stripe.products.update(id, { name, active: true }));
    done.push(`product ${id} updated`);
  }
  return id;
}

async function ensurePrice(stripe: StripeClient, product: string, offer: Offer, done: string[]): Promise<string> {
  const key = lookupKey(offer);
  const amount = priceAud(offer) * 100;
  const { data } = await called(stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 }));
  const [now] = data;
  const isSame = now?.unit_amount === amount && now.currency === 'aud' && now.recurring?.interval === offer.interval;
  if (now && isSame && now.tax_behavior === 'inclusive') return now.id;
  const made = await called(
    stripe.prices.create({
      product,
      currency: 'aud',
      unit_amount: amount,
      recurring: { interval: offer.interval },
      // Prices in Australia are stated with GST.
      tax_behavior: 'inclusive',
      lookup_key: key,
      transfer_lookup_key: true,
      metadata: { [OFFER_KEY]: key },
    }),
  );
  done.push(`price ${key} ${now ? 'replaced' : 'created'}: A$${priceAud(offer)} a ${offer.interval}`);
  return made.id;
}

/** Upgrades at once with proration; what costs less begins with the next period, and so does a cancellation (D39). */
function featuresOf(products: readonly { product: string; prices: string[] }[]): Features {
  return {
    customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      proration_behavior: 'always_invoice',
      products: [...products],
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }] },
    },
  };
}
