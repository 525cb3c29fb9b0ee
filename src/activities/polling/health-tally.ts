// Keeps what polls have to say about the connectors and writes it every so often, one write for many polls. Never stops a poll:
// a write that fails is tried again with the next.
import type { ConnectorPoll, HealthStore } from '../../store/health';

const FLUSH_EVERY_MS = 10_000;
/** At a thousand polls a second the batch does not wait for its time. */
const FULL = 2000;
const MOST_KEPT = 20_000;

export interface HealthTally {
  add(poll: ConnectorPoll): void;
  /** Writes when it is time to; `force` writes whatever there is. `wallMs` is wall time. */
  flush(wallMs: number, force?: boolean): Promise<void>;
}

export function createHealthTally(store: HealthStore, onError: (error: unknown) => void): HealthTally {
  let waiting: ConnectorPoll[] = [];
  let flushedAtMs = 0;
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
