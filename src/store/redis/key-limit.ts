// Limits how often one key may call, over all API processes: no window of a minute admits more than the limit (D37).
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createSlidingWindow, type WindowCount } from './window';

export interface KeyLimit {
  /** Admits and counts one request, or refuses it and does not count it. Rejects at once while Redis is away. */
  take(keyId: string, perMinute: number): Promise<WindowCount>;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;

/** Processes with the same `deployment` share their counts. */
export function createKeyLimit(redis: Redis, deployment: string, windowMs = MINUTE_MS): KeyLimit {
  const { take } = createSlidingWindow(redis);
  const listOf = (keyId: string): string => {
    const hash = createHash('sha1').update(JSON.stringify([deployment, keyId]));
    return `key-limit:${hash.digest('base64url')}`;
  };
  return {
    take: (keyId, perMinute) => take(listOf(keyId), perMinute, windowMs),
    windowMs,
  };
}
