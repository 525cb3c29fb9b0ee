// When a call is sent again. It must never be charged or carried out twice: a call with a price whose outcome is
// unknown is repeated only under an Idempotency-Key, as often and as long as the service joins such calls.
import { ApiError, ConnectionError } from '../errors.ts';
import type { Settings } from '../settings.ts';

/** The service charges three calls of one key within 60 seconds once; a later arrival must still be within them. */
const MOST_UNDER_ONE_KEY = 3;
const LAST_UNDER_ONE_KEY_MS = 45_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/** `refused`: only if the service has refused the call, so that it was neither made nor charged. */
export type Repeats = 'always' | 'refused' | 'never';

export class Attempts {
  readonly #settings: Settings;
  readonly #repeats: Repeats;
  readonly #hasKey: boolean;
  #sent = 0;
  #sentAtMs = 0;
  /** When the first attempt without a known outcome was sent. */
  #unknownSinceMs: number | null = null;

  constructor(settings: Settings, repeats: Repeats, hasKey: boolean) {
    this.#settings = settings;
    this.#repeats = repeats;
    this.#hasKey = hasKey;
  }

  sending(): void {
    this.#sent += 1;
    this.#sentAtMs = this.#settings.now();
  }

  /** How long to wait before the next attempt; null: there is none, and the error is the result. */
  waitMsAfter(error: unknown): number | null {
    const { maxRetries, maxWaitSeconds, random, now } = this.#settings;
    const mayRepeat = this.#repeats === 'always' || (this.#repeats === 'refused' && !isUnknown(error));
    const waitMs = mayRepeat && this.#sent <= maxRetries ? waitMsFor(error, this.#sent, random) : null;
    if (waitMs === null || waitMs > maxWaitSeconds * 1000) return null;
    if (isUnknown(error)) this.#unknownSinceMs ??= this.#sentAtMs;
    if (this.#hasKey && this.#unknownSinceMs !== null) {
      const isTooLate = now() + waitMs - this.#unknownSinceMs > LAST_UNDER_ONE_KEY_MS;
      if (isTooLate || this.#sent >= MOST_UNDER_ONE_KEY) return null;
    }
    return waitMs;
  }
}

/** A proxy’s 502 or 504 may hide an answer. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 502 || error.status === 504));

function waitMsFor(error: unknown, failures: number, random: () => number): number | null {
  if (isUnknown(error)) return backoffMs(FIRST_WAIT_MS, failures, random);
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return null;
  return Math.max((error.retryAfterSeconds ?? 0) * 1000, backoffMs(FIRST_WAIT_MS, failures, random));
}

/** Twice as long after each failure, up to half a minute, and varied down to its half. */
export function backoffMs(firstMs: number, failures: number, random: () => number): number {
  const longest = Math.max(firstMs, LONGEST_BACKOFF_MS);
  return Math.min(longest, firstMs * 2 ** Math.min(failures - 1, 10)) * (0.5 + random() / 2);
}
