// The last reply of each URL and what it was mapped to: a reply of the same bytes means the same, so it is neither
// decompressed nor parsed nor mapped again. Compares the bytes themselves and not a hash of them: a price that moved is
// never missed. Knows nothing of freshness: every reply has its own instant.
import { LRUCache } from 'lru-cache';

/** As received, so still compressed. */
interface Received {
  readonly raw: Buffer;
  readonly encoding: string | null;
}

export interface Repeats {
  /** What the last reply of `name` was mapped to; null if it had other bytes. */
  find(name: string, received: Received): { readonly read: unknown } | null;
  keep(name: string, received: Received, read: unknown): void;
}

interface Kept extends Received {
  readonly read: unknown;
}

/**
 * Of one book. What a reply was mapped to is several times its compressed size and is not measured, so its number is
 * limited: the live races of a process, and some more. Wall time: a race that ended is of no use.
 */
export const KEPT = { max: 300, ttl: 5 * 60_000, ttlAutopurge: true } as const;
/** Of compressed replies: a race is 1 to 15 KB. */
const MOST_BYTES = 4 * 1024 * 1024;

export function createRepeats(mostBytes = MOST_BYTES): Repeats {
  const last = new LRUCache<string, Kept>({
    ...KEPT,
    maxSize: mostBytes,
    sizeCalculation: ({ raw }) => Math.max(1, raw.length),
  });
  return {
    find(name, { raw, encoding }) {
      const kept = last.get(name);
      return kept && kept.encoding === encoding && kept.raw.equals(raw) ? { read: kept.read } : null;
    },
    // A copy: what was received may be a part of a socket's much larger buffer.
    keep: (name, { raw, encoding }, read) => void last.set(name, { raw: Buffer.from(raw), encoding, read }),
  };
}
