// Counts what a mapper drops, by reason. Nothing is dropped without being counted here.
import type { Dropped } from '../feed';

export interface Drops {
  add(reason: string, count?: number): void;
  counts(): Dropped;
}

export function countDrops(): Drops {
  const counts: Record<string, number> = {};
  return {
    add(reason, count = 1) {
      if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
    },
    counts: () => counts,
  };
}

/** The sum of `a` and `b`, for a list read in pages. */
export function sumDropped(a: Dropped, b: Dropped): Dropped {
  const sum: Record<string, number> = { ...a };
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}
