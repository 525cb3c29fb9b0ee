// Stripe's SDK, loaded at its first use: a process without payments never reads its hundreds of files.
import type Stripe from 'stripe';

/** Types of Stripe's objects are those of the API version that the SDK is pinned to. */
export type StripeClient = InstanceType<typeof Stripe>;

export const sdk = (): typeof Stripe => require('stripe');
