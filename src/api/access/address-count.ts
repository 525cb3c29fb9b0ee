// How many requests each address sent, in windows that slide. All API processes share the counts in Redis; while Redis is unavailable, each process
// uses its own.
import { LRUCache } from 'lru-cache';
import { type AddressBudget, MINUTE_MS } from '../../store/redis/address-budget';

const MOST_ADDRESSES = 50_000;
/** Of all addresses together: about 10 MB. */
const MOST_INSTANTS = 1_000_000;

/** Never rejects. `shared` null: only this process counts. `wallMs`: any clock. */
export function createAddressCount(
  shared: AddressBudget | null,
  wallMs: () => number = () => performance.now(),
): AddressBudget {
  const own = ownWindows(wallMs);
  return {
    async take(address, most, windowMs = MINUTE_MS) {
      const ownWaitMs = own.take(address, most, windowMs);
      return shared ? shared.take(address, most, windowMs).catch(() => ownWaitMs) : ownWaitMs;
    },
    async giveBack(address, most, windowMs = MINUTE_MS) {
      own.giveBack(address, most, windowMs);
      await shared?.giveBack(address, most, windowMs).catch(() => undefined);
    },
  };
}

/** Instants at which requests were admitted, oldest first. */
interface Admitted {
  readonly atMs: number[];
}

/** As in `store/redis/window.ts`. */
function ownWindows(wallMs: () => number) {
  const windows = new LRUCache<string, Admitted>({
    max: MOST_ADDRESSES,
    maxSize: MOST_INSTANTS,
    sizeCalculation: ({ atMs }) => atMs.length + 1,
  });
  const keyOf = (address: string, most: number, windowMs: number): string => `${most} ${windowMs} ${address}`;
  return {
    take(address: string, most: number, windowMs: number): number {
      const key = keyOf(address, most, windowMs);
      const stored = windows.get(key)?.atMs ?? [];
      const newestMs = stored.at(-1) ?? -Infinity;
      const clockMs = wallMs();
      // The clock was set back: instants never go back, and after more than a window the list begins again.
      const atMs = newestMs > clockMs + windowMs ? [] : stored;
      const nowMs = atMs.length > 0 ? Math.max(clockMs, newestMs) : clockMs;
      let gone = 0;
      while (gone < atMs.length && atMs[gone]! <= nowMs - windowMs) gone++;
      atMs.splice(0, gone);
      if (atMs.length >= most) return Math.ceil(atMs[0]! + windowMs - nowMs);
      atMs.push(nowMs);
      // A new object, so that its size is read again.
      windows.set(key, { atMs });
      return 0;
    },
    giveBack(address: string, most: number, windowMs: number): void {
      windows.get(keyOf(address, most, windowMs))?.atMs.pop();
    },
  };
}
