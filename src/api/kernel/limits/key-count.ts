// Counts the requests of each key in the last minute (D37, D67). Redis counts for all processes. While it is away each
// process admits the plan's number divided by the processes last seen, and counts what it admitted before: so a window
// with a loss or a return of Redis admits at most twice the number, and every other at most the number.
import type { KeyLimit } from '../../../store/redis/key-limit';
import type { WindowCount } from '../../../store/redis/window';
import { createOwnWindows } from './own-windows';

export interface KeyCount {
  /** Never rejects. `by`: who counted it. */
  take(keyId: string, perMinute: number): Promise<WindowCount & { readonly by: CountedBy }>;
  /** Who counted the requests of the last seconds: the actual outcome, not that of a ping. */
  state(): CountedBy;
}

type CountedBy = 'all' | 'process';

/** A health check every ten seconds sees each loss. */
const RECENTLY_MS = 10_000;

/** `processes`: how many share the limits. `nowMs`: a clock that is never set. */
export function createKeyCount(
  shared: KeyLimit,
  processes: () => number = () => 1,
  nowMs: () => number = () => performance.now(),
): KeyCount {
  const own = createOwnWindows(nowMs);
  const { windowMs } = shared;
  let aloneAtMs = Number.NEGATIVE_INFINITY;
  const takeAlone = (keyId: string, perMinute: number): WindowCount => {
    aloneAtMs = nowMs();
    const share = Math.max(1, Math.floor(perMinute / processes()));
    const waitMs = own.take(keyId, share, windowMs);
    const remaining = Math.max(0, share - own.used(keyId, windowMs));
    return { admitted: waitMs === 0, remaining, waitMs: waitMs === 0 ? windowMs : waitMs };
  };
  return {
    async take(keyId, perMinute) {
      const counted = await shared.take(keyId, perMinute).catch(() => null);
      if (counted === null) return { ...takeAlone(keyId, perMinute), by: 'process' };
      if (counted.admitted) own.note(keyId, windowMs);
      return { ...counted, by: 'all' };
    },
    state: () => (nowMs() - aloneAtMs < RECENTLY_MS ? 'process' : 'all'),
  };
}
