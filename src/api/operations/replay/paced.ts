// Plays events in their distances of race time, by a clock that is an argument. A reader or a database that is slower
// than the speed shifts the rest: nothing is made up for by a burst.
import { setTimeout as delay } from 'node:timers/promises';
import type { MergedEvent } from './merged-races';

export interface PlayClock {
  /** Monotonic, milliseconds. */
  nowMs(): number;
  /** Resolves early when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Null: as fast as they are read. */
export type Speed = number | null;

/** Wall time: later than this counts as behind. */
const LATE_MS = 20;

export async function* paced(
  batches: AsyncIterable<readonly MergedEvent[]>,
  speed: Speed,
  clock: PlayClock,
  signal: AbortSignal,
): AsyncGenerator<readonly MergedEvent[]> {
  if (speed === null) {
    yield* batches;
    return;
  }
  let began: { readonly wallMs: number; readonly raceMs: number } | null = null;
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; ) {
      const { atMs } = batch[at]!;
      began ??= { wallMs: clock.nowMs(), raceMs: atMs };
      const dueMs = began.wallMs + (atMs - began.raceMs) / speed;
      const aheadMs = dueMs - clock.nowMs();
      if (aheadMs > 0) await clock.wait(aheadMs, signal);
      if (signal.aborted) return;
      if (aheadMs < -LATE_MS) began = { wallMs: clock.nowMs(), raceMs: atMs };
      const nowMs = clock.nowMs();
      const { wallMs, raceMs } = began;
      const later = batch.findIndex((event, i) => i > at && wallMs + (event.atMs - raceMs) / speed > nowMs);
      const end = later < 0 ? batch.length : later;
      yield batch.slice(at, end);
      at = end;
    }
  }
}

export const WALL_PACE: PlayClock = {
  nowMs: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal, ref: false }).catch(() => {}),
};
