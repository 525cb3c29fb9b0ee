// How long a poller's next attempt waits after a failure on our own side (database, Temporal): longer with every
// failure in a row, and never in step with others, so that the races of a day do not all return at the instant at which
// the database does.
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';

/** Wall milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** A live race waits at most half a minute for a database that is back. */
export const LIVE_BACK_OFF: BackOff = { firstMs: 2000, mostMs: 30_000 };
export const CARD_BACK_OFF: BackOff = { firstMs: 10_000, mostMs: 300_000 };

/** Between half of the doubled wait and all of it. `random` is in [0, 1). */
export function backOffMs({ firstMs, mostMs }: BackOff, failuresBefore: number, random: number): number {
  const ms = Math.min(mostMs, firstMs * 2 ** Math.min(failuresBefore, 16));
  return Math.round((ms * (1 + random)) / 2);
}

/**
 * Counts failures in this process by race, because the attempts of an activity also count its waits. A failure that
 * sets its own delay, and a cancellation, pass through.
 */
export function createBackOff(random: () => number) {
  const failures = new Map<string, number>();
  return async <T>(raceId: string, backOff: BackOff, attempt: () => Promise<T>): Promise<T> => {
    try {
      const ended = await attempt();
      failures.delete(raceId);
      return ended;
    } catch (error) {
      if (error instanceof TemporalFailure || !(error instanceof Error)) {
        failures.delete(raceId);
        throw error;
      }
      const before = failures.get(raceId) ?? 0;
      failures.set(raceId, before + 1);
      const nextRetryDelay = backOffMs(backOff, before, random());
      throw ApplicationFailure.create({ type: 'OwnFailure', message: error.message, cause: error, nextRetryDelay });
    }
  };
}
