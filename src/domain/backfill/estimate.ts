// The position of a backfill job in the queue, and when its last horse is read (D52). An estimate: other accounts may
// order before that.

/** Of the reads of the last 15 minutes. Race time, epoch milliseconds. */
export interface RecentReads {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export const PACE_OVER_MS = 15 * 60_000;

/** Between two reads, as measured; if too few were made, their configured spacing. */
export function paceMs({ count, firstMs, lastMs }: RecentReads, spacingMs: number): number {
  return count < 2 ? spacingMs : Math.max(1, (lastMs - firstMs) / (count - 1));
}

export interface QueuePlace {
  /** Reads before that of the job's next horse. */
  readonly before: number;
  /** Reads up to that of its last horse, this one included. */
  readonly until: number;
}

/** `order`: the whole queue. Null if the job waits for no read. */
export function placeOf(order: readonly string[], horses: ReadonlySet<string>): QueuePlace | null {
  const own = order.flatMap((horse, i) => (horses.has(horse) ? [i] : []));
  return own.length === 0 ? null : { before: own[0]!, until: own.at(-1)! + 1 };
}

/**
 * `fromMs`: when reading continues; now, if it is running. `notBeforeMs`: the latest next try of the job's own horses;
 * null: each may be read.
 */
export const readyAtMs = ({ until }: QueuePlace, pace: number, fromMs: number, notBeforeMs: number | null): number =>
  Math.max(fromMs + until * pace, notBeforeMs ?? 0);
