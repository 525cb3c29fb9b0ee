// Counts the races whose decision cannot be written, attempt after attempt: the race makes no progress meanwhile, and
// only an operator can see why (docs/operations/races.md, "A decision that cannot be written").
import { metrics } from '@opentelemetry/api';

const gauge = metrics.getMeter('racing-odds/collection').createObservableGauge('racing.decisions.failing', {
  description: 'Races whose decision has failed to be written ten times or more',
});

const MANY_ATTEMPTS = 10;
/**
 * Wall time; retries come every 30 s. A race without attempts for longer was written by another process, or has ended.
 */
const FORGOTTEN_AFTER_MS = 5 * 60_000;

export interface FailingDecisions {
  count(): number;
  /** Runs an attempt to write a decision of the race. */
  attempt<T>(raceId: string, attempt: number, write: () => Promise<T>): Promise<T>;
}

/** `nowMs`: wall time. */
export function createFailingDecisions(nowMs: () => number): FailingDecisions {
  const failedAtMs = new Map<string, number>();
  const count = (): number => {
    for (const [raceId, atMs] of failedAtMs) if (nowMs() - atMs > FORGOTTEN_AFTER_MS) failedAtMs.delete(raceId);
    return failedAtMs.size;
  };
  gauge.addCallback((result) => result.observe(count()));
  return {
    count,
    async attempt(raceId, attempt, write) {
      try {
        const written = await write();
        failedAtMs.delete(raceId);
        return written;
      } catch (error) {
        if (attempt >= MANY_ATTEMPTS) failedAtMs.set(raceId, nowMs());
        throw error;
      }
    },
  };
}
