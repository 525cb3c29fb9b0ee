// Looks keys up in batches, in two lanes. Networks that send too many unknown keys share the slow one: a flood costs at
// most four queries a second in this process, and a valid key among them is only delayed (D37).
import { createBoundedMap } from '../../../cache';
import type { KeyStore, StoredKey } from '../../../store/keys/keys';
import { inBatches } from '../../../store/pg/in-batches';

export interface KeyLanes {
  /** `network` null: never slow. Otherwise like `KeyStore`'s. */
  find(hash: Buffer, network: string | null): Promise<StoredKey | null>;
  /** The network has no budget for unknown keys until this wait is over. */
  slowDown(network: string, waitMs: number): void;
}

type Find = (hash: Buffer) => Promise<StoredKey | null>;

const MOST_HASHES = 1000;
const SLOW_EVERY_MS = 250;
const MOST_NETWORKS = 10_000;

/** `elapsedMs`: monotonic. */
export function createKeyLanes(keys: Pick<KeyStore, 'find'>, elapsedMs: () => number): KeyLanes {
  const lane = (lanes: number, everyMs: number): Find =>
    inBatches((hashes: readonly Buffer[]) => keys.find(hashes), { lanes, most: MOST_HASHES, everyMs });
  const fast = lane(4, 0);
  const slow = lane(1, SLOW_EVERY_MS);
  const slowUntilMs = createBoundedMap<number>(MOST_NETWORKS);
  return {
    find(hash, network) {
      const isSlow = network !== null && elapsedMs() < (slowUntilMs.get(network) ?? -Infinity);
      return isSlow ? slow(hash) : fast(hash);
    },
    slowDown(network, waitMs) {
      // Two batches longer than the wait, so that a continuing flood does not reach the fast lane each time the budget
      // has one more key.
      slowUntilMs.set(network, elapsedMs() + waitMs + 2 * SLOW_EVERY_MS);
    },
  };
}
