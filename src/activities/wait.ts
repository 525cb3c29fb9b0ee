// How activities wait: inside a long attempt, or between two attempts of a short one.
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { toWallDelayMs } from '../domain/time/clock';
import type { ActivityDeps } from './deps';

/**
 * Wall milliseconds. Rejects as soon as the activity is cancelled, like the SDK's own sleep. Not `context.sleep`: each
 * call of it leaves promises on the activity's own "cancelled", which lives as long as the activity does; twenty
 * minutes of 120 live races left 1.4 million.
 */
export const waitInActivity = (
  { cancellationSignal, cancelled }: Pick<Context, 'cancellationSignal' | 'cancelled'>,
  ms: number,
): Promise<void> => delay(ms, undefined, { signal: cancellationSignal }).catch(() => cancelled);

const BEAT_MS = 10_000;

/**
 * Heartbeats as long as the work lasts, and rejects as soon as the activity is cancelled. The work continues: it is
 * shared with other races, and the next attempt finds it done.
 */
export async function whileBeating<T>(
  context: Pick<Context, 'heartbeat' | 'cancelled'>,
  work: () => Promise<T>,
): Promise<T> {
  const beats = setInterval(() => context.heartbeat(), BEAT_MS);
  try {
    return await Promise.race([work(), context.cancelled]);
  } finally {
    clearInterval(beats);
  }
}

const { BENIGN } = ApplicationFailureCategory;
const SHORTEST_WALL_MS = 100;
const HAND_OVER_MS = 250;

/**
 * An attempt that fails so that the server calls again after `raceMs` of racing time. Retries leave no event in a
 * history, so a race may be polled any number of times (temporal.md: infrequent polling). `message`: what there is so
 * far; the Temporal UI shows it as a failure.
 */
export function callAgainIn(deps: Pick<ActivityDeps, 'clock'>, raceMs: number, message: string): ApplicationFailure {
  const nextRetryDelay = Math.max(SHORTEST_WALL_MS, toWallDelayMs(deps.clock, raceMs));
  const asked = `${message}; asked again in ${inWords(nextRetryDelay)}`;
  return withoutStack(
    ApplicationFailure.create({ type: 'NothingYet', message: asked, nextRetryDelay, category: BENIGN }),
  );
}

/** An attempt that ends because its worker stops: another worker starts the next one at once. */
export const workerStops = (): ApplicationFailure =>
  withoutStack(
    ApplicationFailure.create({
      type: 'WorkerShutdown',
      message: 'this worker stops; another one goes on',
      nextRetryDelay: HAND_OVER_MS,
      category: BENIGN,
    }),
  );

/**
 * For an end that is not an error: Temporal has no other way to be called again, and its UI shows a stack trace if
 * there is one.
 */
export function withoutStack<T extends Error>(end: T): T {
  end.stack = '';
  return end;
}

function inWords(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`;
}
