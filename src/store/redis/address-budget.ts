// Limits how often one address may call what needs no key, or guess, over all API processes: no window admits more than
// the limit. Addresses are stored as hashes, and only while they count.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createSlidingWindow } from './window';

export interface AddressBudget {
  /**
   * Takes one of `most` requests in a window. Resolves to 0, or to the milliseconds to wait. Rejects at once while
   * Redis is away.
   */
  take(address: string, most: number, windowMs?: number): Promise<number>;
  /** Returns the newest request taken in the same window. */
  giveBack(address: string, most: number, windowMs?: number): Promise<void>;
}

export const MINUTE_MS = 60_000;

/** Processes with the same `deployment` share their counts. */
export function createAddressBudget(redis: Redis, deployment: string): AddressBudget {
  const { take, giveBack } = createSlidingWindow(redis);
  const listOf = (...of: readonly unknown[]): string => {
    const hash = createHash('sha1').update(JSON.stringify([deployment, ...of]));
    return `address-window:${hash.digest('base64url')}`;
  };
  return {
    async take(address, most, windowMs = MINUTE_MS) {
      const { admitted, waitMs } = await take(listOf(address, most, windowMs), most, windowMs);
      return admitted ? 0 : waitMs;
    },
    giveBack: (address, most, windowMs = MINUTE_MS) => giveBack(listOf(address, most, windowMs)),
  };
}
