// Stripe's events, verified by its own library. Of an event only its customer is used: the state is read again from
// Stripe, so that order, repeats and gaps do not matter.
import type { PaymentEvent } from '../payments';
import { called, type StripeClient } from './client';
import { sdk } from './sdk';

/** Seconds between Stripe's signature and our clock. */
const TOLERANCE_SECONDS = 300;

/** What the endpoint is registered for. */
const EVENT_TYPES = [
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
] as const;

export function readEvent(body: Buffer, signature: string, secret: string, nowMs: number): PaymentEvent | null {
  try {
    const event = sdk().webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, nowMs);
    return { id: event.id, type: event.type, customerId: customerOf(event.data.object as unknown as EventObject) };
  } catch (error) {
    if (error instanceof sdk().errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null;
    throw error;
  }
}

interface EventObject {
  readonly id?: string;
  readonly object?: string;
  readonly customer?: string | { readonly id: string } | null;
}

function customerOf({ id, object, customer }: EventObject): string | null {
  if (object === 'customer') return id ?? null;
  return (typeof customer === 'string' ? customer : customer?.id) ?? null;
}

/** Null: there is an endpoint for this address, whose secret Stripe shows in its dashboard only. */
export async function setUpEvents(stripe: StripeClient, url: string): Promise<string | null> {
  const { data } = await called(stripe.webhookEndpoints.list({ limit: 100 }));
  const ours = data.find((one) => one.url === url);
  if (ours) {
    await called(stripe.webhookEndpoints.update(ours.id, { enabled_events: [...EVENT_TYPES] }));
    return null;
  }
  const made = await called(stripe.webhookEndpoints.create({ url, enabled_events: [...EVENT_TYPES] }));
  return made.secret ?? null;
}
