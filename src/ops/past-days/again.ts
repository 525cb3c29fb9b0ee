// Retries failed steps: a simulator that has just started, on a slow machine, answers the second time what it could not
// answer in time at first.
import { setTimeout as delay } from 'node:timers/promises';

/** Wall. */
export const AGAIN_AFTER_MS = [500, 2000];

/** Rejects like the last try. */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (const waitMs of AGAIN_AFTER_MS) {
    try {
      return await work();
    } catch {
      await delay(waitMs);
    }
  }
  return work();
}
