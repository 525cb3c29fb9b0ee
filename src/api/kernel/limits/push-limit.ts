// Limits how often the prices of one bookmaker are pushed, over all API processes and all keys. Counted like requests
// of keys: while Redis is away each process admits its share, so the limit is always on (D67).
import { overLimit } from './ip-limit';
import type { KeyCount } from './key-count';

export interface PushLimit {
  /** Takes one of the pushes of a minute. Throws `rate_limit` with the time to wait. */
  take(operationId: string, bookmakerKey: string, perMinute: number): Promise<void>;
}

export const pushesOver = (perMinute: number): string =>
  `The prices of each bookmaker may be pushed ${perMinute} times a minute; a push has everything that it offers.`;

/** `count` null: nothing is limited. */
export function createPushLimit(count: Pick<KeyCount, 'take'> | null): PushLimit {
  return {
    async take(operationId, bookmakerKey, perMinute) {
      if (count === null) return;
      const { admitted, waitMs } = await count.take(`${operationId} ${bookmakerKey}`, perMinute);
      if (!admitted) throw overLimit(pushesOver(perMinute), waitMs);
    },
  };
}
