// What follows an attempt (D29, D55, D56): its delivery ends, or is due again. Pure: time and randomness are arguments.
import type { Settled } from '../store/webhooks/settle';
import type { AttemptResult } from './send';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Waits after the first attempt, the second and so on. */
const WAITS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
export const MOST_ATTEMPTS = WAITS_MS.length + 1;
/** The number of first attempts that lanes make. A workflow makes the others (D65). */
export const LANE_ATTEMPTS = 3;
const JITTER = 0.2;
const LONGEST_MS = 24 * HOUR;
/** After the first 410 of a delivery, because a proxy may answer so while its receiver starts. */
const GONE_MS = MINUTE;

/** A price move is worthless after this. */
const MOVE_MS = MINUTE;
/** For an endpoint that wants fewer posts, without stating a wait. */
const SLOW_MS = 10 * SECOND;

/**
 * Wall milliseconds from the end of attempt `attempt` to the next. A Retry-After only lengthens it. `random` in [0, 1).
 */
export function waitAfter(attempt: number, retryAfterMs: number | null, random: number): number {
  const wait = WAITS_MS[Math.min(attempt, WAITS_MS.length) - 1]!;
  const jittered = wait * (1 - JITTER + 2 * JITTER * random);
  return Math.min(LONGEST_MS, Math.max(jittered, retryAfterMs ?? 0));
}

interface Attempted {
  readonly kind: string;
  readonly test: boolean;
  readonly replay: boolean;
  readonly attempt: number;
  /** Earlier interrupted attempts: they count as attempts, and lengthen no wait. */
  readonly cutOff: number;
  /** Another 410 ends it. */
  readonly goneBefore: boolean;
  readonly createdMs: number;
}

type Next = Pick<Settled, 'status' | 'dueAt' | 'slowUntil'>;

/** `nowMs`: wall, when the attempt ended. */
export function afterAttempt(attempted: Attempted, result: AttemptResult, nowMs: number, random: number): Next {
  const { kind, test, replay, attempt, goneBefore, createdMs } = attempted;
  const slowUntil = result.slow ? instantOf(nowMs + (result.retryAfterMs ?? SLOW_MS)) : null;
  if (result.delivered) return { status: 'delivered', dueAt: null, slowUntil };
  const ended = { status: 'failed', dueAt: null, slowUntil } as const;
  if (test || (result.gone && goneBefore) || attempt >= MOST_ATTEMPTS) return ended;
  const dueMs = nowMs + waitOf(attempted, result, random);
  if (kind !== 'odds.change') return { status: 'retrying', dueAt: instantOf(dueMs), slowUntil };
  if (replay) return ended;
  // Again by a lane and without a workflow, unless it is too old by then.
  const againMs = nowMs + waitOf({ ...attempted, attempt: 1, cutOff: 0 }, result, random);
  const isTooOld = againMs >= createdMs + MOVE_MS;
  return { status: isTooOld ? 'cancelled' : 'pending', dueAt: isTooOld ? null : instantOf(againMs), slowUntil };
}

const waitOf = ({ attempt, cutOff }: Attempted, { gone, retryAfterMs }: AttemptResult, random: number): number =>
  gone ? Math.max(GONE_MS, retryAfterMs ?? 0) : waitAfter(attempt - cutOff, retryAfterMs, random);

const instantOf = (ms: number): string => new Date(ms).toISOString();
