// The states of a backfill job and of its horses (B 3, D26).

type HorseState = 'queued' | 'done' | 'failed' | 'cancelled';

/** Horses of a job by state. */
export type HorseCounts = Readonly<Record<HorseState, number>>;

export const JOB_STATUSES = ['queued', 'running', 'blocked', 'walled', 'complete', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Obstacles to a job's progress. */
export interface Obstacles {
  /** The account has too few credits for a horse. */
  readonly blocked: boolean;
  /** The registry serves its bot-protection challenge. */
  readonly walled: boolean;
}

/** Horses that were delivered before a cancellation stay delivered. */
export function jobStatus({ queued, done, failed, cancelled }: HorseCounts, { blocked, walled }: Obstacles): JobStatus {
  if (queued === 0) return cancelled > 0 ? 'cancelled' : 'complete';
  if (blocked) return 'blocked';
  if (walled) return 'walled';
  return done + failed > 0 ? 'running' : 'queued';
}

/** Reads without a page after which a horse has failed: an hour after the first of them (D52). */
export const MOST_TRIES = 3;
export const BETWEEN_TRIES_MS = 30 * 60_000;

/** Credits for a delivered horse (B 2.9). */
export const HORSE_CREDITS = 3;
