// Stripe's own pages, on which customers pay, confirm a change and manage what they bought.
import { createHash } from 'node:crypto';
import type { Offer } from '../../plans/prices';
import type { Checkout, CheckoutOrder, HostedPage, Subscription } from '../payments';
import { PaymentsProblem } from '../payments';
import { called, foundBy, notSetUp, type StripeClient } from './client';
import { priceIdOf } from './prices';
import { checkoutTax, requireInclusive, subscriptionRates, type TaxChoice } from './tax';

/** Metadata by which a portal configuration of ours is found. */
export const PORTAL_MARK = { racing_odds: 'portal' } as const;

/** Stripe opens a portal page only soon after it was made, and does not report until when. */
const PORTAL_OPENS_SECONDS = 300;

interface Terms {
  readonly returnUrl: string;
  readonly tax: TaxChoice;
}

/**
 * Billing and credits share the UTC month (D37). Until the first whole interval Stripe prorates the price. Without a
 * month, a year would begin with the next first.
 */
function anchorOf({ offer, nowMs }: NewSubscription) {
  const day = { day_of_month: 1, hour: 0, minute: 0, second: 0 };
  return { ...day, ...(offer.interval === 'year' && { month: new Date(nowMs).getUTCMonth() + 1 }) };
}

type NewSubscription = Pick<CheckoutOrder, 'accountId' | 'offer' | 'nowMs'>;

export const subscriptionTerms = (order: NewSubscription, tax: TaxChoice) => ({
  metadata: { account_id: order.accountId },
  ...subscriptionRates(tax),
  billing_cycle_anchor_config: anchorOf(order),
  proration_behavior: 'create_prorations' as const,
});

/** A link that is opened again after its page was used, because what was bought has ended, leads to another page. */
export async function checkout(stripe: StripeClient, order: CheckoutOrder, terms: Terms): Promise<HostedPage> {
  const { customerId, accountId, offer, key } = order;
  const { returnUrl, tax } = terms;
  const subscription = subscriptionTerms(order, tax);
  const { month } = anchorOf(order);
  const [price] = await Promise.all([priceIdOf(stripe, offer), requireInclusive(stripe, tax)]);
  const session = await called(
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer: customerId,
        client_reference_id: accountId,
        line_items: [{ price, quantity: 1 }],
        subscription_data: subscription,
        ...checkoutTax(tax),
        // Stripe puts the id in.
        success_url: `${returnUrl}?checkout={CHECKOUT_SESSION_ID}`,
        cancel_url: returnUrl,
      },
      // A key goes with one form: a later release of it, and another choice of tax or month, are others.
      {
        idempotencyKey: ['checkout-3', tax.kind === 'rate' ? tax.rate : tax.kind, month, customerId, key].join(':'),
      },
    ),
  );
  // Stripe repeats its first response.
  const isRepeated = session.lastResponse.headers['idempotent-replayed'] === 'true';
  if (isRepeated && (await called(stripe.checkout.sessions.retrieve(session.id))).status !== 'open')
    return checkout(stripe, { ...order, key: keyAfter(key, session.id) }, terms);
  if (!session.url) throw new PaymentsProblem('Stripe made a checkout session without a page');
  return { url: session.url, expiresAt: session.expires_at };
}

/** Of one length, however many pages were used: Stripe takes 255 characters. */
const keyAfter = (key: string, sessionId: string): string =>
  createHash('sha256').update(`${key}:${sessionId}`).digest('base64url');

export async function checkoutBy(stripe: StripeClient, id: string): Promise<Checkout | null> {
  const session = await foundBy(stripe.checkout.sessions.retrieve(id));
  return session && { accountId: session.client_reference_id, isComplete: session.status === 'complete' };
}

interface ChangeOrder {
  readonly customerId: string;
  readonly subscription: Subscription;
  readonly offer: Offer;
}

export async function confirmChange(stripe: StripeClient, order: ChangeOrder, returnUrl: string): Promise<HostedPage> {
  const { customerId, subscription, offer } = order;
  const [price, configuration] = await Promise.all([priceIdOf(stripe, offer), portalConfiguration(stripe)]);
  return portalPage(stripe, {
    customer: customerId,
    configuration,
    return_url: returnUrl,
    flow_data: {
      type: 'subscription_update_confirm',
      after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
      subscription_update_confirm: {
        subscription: subscription.id,
        items: [{ id: subscription.itemId, price, quantity: 1 }],
      },
    },
  });
}

export async function portal(stripe: StripeClient, customer: string, returnUrl: string): Promise<HostedPage> {
  const configuration = await portalConfiguration(stripe);
  return portalPage(stripe, { customer, configuration, return_url: returnUrl });
}

type PortalParams = NonNullable<Parameters<StripeClient['billingPortal']['sessions']['create']>[0]>;

async function portalPage(stripe: StripeClient, params: PortalParams): Promise<HostedPage> {
  const { url, created } = await called(stripe.billingPortal.sessions.create(params));
  return { url, expiresAt: created + PORTAL_OPENS_SECONDS };
}

/** The id of the configuration that `billing setup` made. */
async function portalConfiguration(stripe: StripeClient): Promise<string> {
  const found = await findPortal(stripe);
  if (found) return found;
  throw notSetUp('Stripe has no portal configuration of this service: run ops billing setup');
}

export async function findPortal(stripe: StripeClient): Promise<string | null> {
  const { data } = await called(stripe.billingPortal.configurations.list({ active: true, limit: 100 }));
  return data.find(({ metadata }) => metadata?.racing_odds === PORTAL_MARK.racing_odds)?.id ?? null;
}
