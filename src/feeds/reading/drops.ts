// Counts what a mapper refused, by reason. Nothing is dropped without passing here.
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

/** `a` and `b` together, for a list that came in pages. */
export function sumDropped(a: Dropped, b: Dropped): Dropped {
  const sum: Record<string, number> = { ...a };
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}
