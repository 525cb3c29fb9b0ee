// How payments are taken.
import { ConfigError, type Environment, trimSlash } from './environment';

export interface StripeAccount {
  readonly secretKey: string;
  /** Null: its events are not accepted. */
  readonly webhookSecret: string | null;
  /** Null: Stripe's own. */
  readonly apiBase: string | null;
  /** GST on invoices. */
  readonly tax: { readonly kind: 'automatic' | 'none' } | { readonly kind: 'rate'; readonly rate: string };
}

/** Null: no payments are taken. */
export function stripeOf(env: Environment): StripeAccount | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: base } = env;
  if (secretKey !== undefined) {
    const apiBase = base === undefined ? null : trimSlash(base);
    return { secretKey, webhookSecret: webhookSecret ?? null, apiBase, tax: taxOf(env) };
  }
  if (webhookSecret !== undefined) throw new ConfigError('STRIPE_WEBHOOK_SECRET goes with STRIPE_SECRET_KEY');
  return null;
}

/** There is no default: an invoice without GST cannot be taken back, and so cannot one with GST that is not owed. */
function taxOf({ STRIPE_TAX: tax }: Environment): StripeAccount['tax'] {
  if (tax === undefined)
    throw new ConfigError('STRIPE_TAX goes with STRIPE_SECRET_KEY: automatic, rate:<id of a tax rate> or none');
  if (tax === 'automatic' || tax === 'none') return { kind: tax };
  return { kind: 'rate', rate: tax.slice('rate:'.length) };
}
