// The shared parts of one run's readings: its end, and one call at a time to each bookmaker, whose connections are
// those of the polls.
import { createWorkQueue, type WorkQueue } from '../../work-queue';
import { activitySignal } from '../activity-context';
import type { ActivityDeps } from '../deps';

export type AuditDeps = Pick<
  ActivityDeps,
  'stores' | 'boardReads' | 'feeds' | 'cardRunners' | 'now' | 'log' | 'deadlineOf'
>;

export interface AuditRun {
  readonly deps: AuditDeps;
  /** Between two checks of the served prices. */
  readonly wait: () => Promise<unknown>;
  /** Aborted when the run ends, however it does, or is cancelled. */
  readonly signal: AbortSignal;
  readonly turnsAt: (bookmakerKey: string) => WorkQueue;
}

/** A part that fails ends the others: nothing of a failed attempt continues beside the next one. */
export async function withinRun<T>(
  deps: AuditDeps,
  wait: AuditRun['wait'],
  work: (run: AuditRun) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const cancelled = activitySignal();
  const signal = cancelled ? AbortSignal.any([cancelled, over.signal]) : over.signal;
  const turns = new Map<string, WorkQueue>();
  const turnsAt = (bookmakerKey: string): WorkQueue => {
    const atBook = turns.get(bookmakerKey) ?? createWorkQueue();
    turns.set(bookmakerKey, atBook);
    return atBook;
  };
  try {
    return await work({ deps, wait, signal, turnsAt });
  } finally {
    over.abort();
  }
}
