// Collects the health of connectors from many polls and writes it in batches. Never stops a poll: a failed write is
// repeated with the next batch.
import type { ConnectorPoll, HealthStore } from '../../store/health';

const FLUSH_EVERY_MS = 10_000;
/** A full batch is written at once: there may be a thousand polls a second. */
const FULL = 2000;
const MOST_KEPT = 20_000;

export interface HealthTally {
  add(poll: ConnectorPoll): void;
  /** Writes when a batch is due or full; `force` writes at once. `wallMs`: any clock that never goes back. */
  flush(wallMs: number, force?: boolean): Promise<void>;
}

export function createHealthTally(store: HealthStore, onError: (error: unknown) => void): HealthTally {
  let waiting: ConnectorPoll[] = [];
  let flushedAtMs = Number.NEGATIVE_INFINITY;
  return {
    add: (poll) => {
      if (waiting.length < MOST_KEPT) waiting.push(poll);
    },
    flush: async (wallMs, force = false) => {
      if (waiting.length === 0) return;
      if (!force && waiting.length < FULL && wallMs - flushedAtMs < FLUSH_EVERY_MS) return;
      const batch = waiting;
      waiting = [];
      flushedAtMs = wallMs;
      try {
        await store.recordPolls(batch);
      } catch (error) {
        waiting = [...batch, ...waiting].slice(0, MOST_KEPT);
        onError(error);
      }
    },
  };
}
