// The connection to Stripe, and the only reading of its errors. No key, card or personal data of a customer leaves
// through an error.
import { AppError } from '../../errors';
import { PaymentsProblem } from '../payments';
import { type StripeClient, sdk } from './sdk';

export type { StripeClient } from './sdk';

export interface StripeSettings {
  readonly secretKey: string;
  /** Null: Stripe's own. */
  readonly apiBase: string | null;
  /** Wall, of one try. Default: 8 s. */
  readonly timeoutMs?: number;
  /** Of a request that was not answered, by the SDK, under the same idempotency key. Default: 1. */
  readonly repeats?: number;
}

const TIMEOUT_MS = 8_000;
const REPEATS = 1;

export function createStripe({
  secretKey,
  apiBase,
  timeoutMs = TIMEOUT_MS,
  repeats = REPEATS,
}: StripeSettings): StripeClient {
  const { protocol, hostname, port } = new URL(apiBase ?? 'https://api.stripe.com');
  const Stripe = sdk();
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port }),
    timeout: timeoutMs,
    maxNetworkRetries: repeats,
    telemetry: false,
  });
}

const AWAY_RETRY_SECONDS = 30;

/** 503: the same request may succeed later. */
const away = (): AppError =>
  new AppError(
    'unavailable',
    'The payment provider does not answer. Send the request again: nothing is bought twice.',
    {
      retry_after_seconds: AWAY_RETRY_SECONDS,
    },
  );

const NOT_SET_UP_SECONDS = 3600;

/** 503 for the customer; the log has the reason for the operator. */
export function notSetUp(reason: string): AppError {
  const detail = 'Payments are not set up completely on this service.';
  const problem = new AppError('unavailable', detail, { retry_after_seconds: NOT_SET_UP_SECONDS });
  problem.cause = new PaymentsProblem(reason);
  return problem;
}

/** Runs a call of the SDK. Throws what `Payments` promises. */
export async function called<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw problemOf(error);
  }
}

/** The same; null if Stripe has no such object, or has deleted it. */
export async function foundBy<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof sdk().errors.StripeError && error.code === 'resource_missing') return null;
    throw problemOf(error);
  }
}

function problemOf(error: unknown): unknown {
  const { errors } = sdk();
  if (!(error instanceof errors.StripeError)) return error;
  const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = errors;
  const { StripeAuthenticationError, StripePermissionError } = errors;
  if ([StripeConnectionError, StripeAPIError, StripeRateLimitError].some((kind) => error instanceof kind))
    return away();
  const facts = [error.type, error.code, error.param, error.requestId].filter((each) => each !== undefined).join(', ');
  // Stripe repeats a part of a wrong key in its message.
  if (error instanceof StripeAuthenticationError) return notSetUp(`Stripe does not accept the key (${facts})`);
  if (error instanceof StripePermissionError) return notSetUp(`the key of Stripe may not do this (${facts})`);
  return new PaymentsProblem(`Stripe refused a request: ${error.message} (${facts})`);
}
