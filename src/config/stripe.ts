// How payments are taken.
import { ConfigError, type Environment, trimSlash } from './environment';

export interface StripeAccount {
  readonly secretKey: string;
  /** Null: its events are not accepted. */
  readonly webhookSecret: string | null;
  /** Null: Stripe's own. */
  readonly apiBase: string | null;
}

/** Null: no payments are taken. */
export function stripeOf(env: Environment): StripeAccount | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: base } = env;
  if (secretKey !== undefined)
    return { secretKey, webhookSecret: webhookSecret ?? null, apiBase: base === undefined ? null : trimSlash(base) };
  if (webhookSecret !== undefined) throw new ConfigError('STRIPE_WEBHOOK_SECRET goes with STRIPE_SECRET_KEY');
  return null;
}
