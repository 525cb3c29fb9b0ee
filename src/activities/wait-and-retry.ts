// "Nothing to say yet": an attempt that fails so that the server calls again after a delay. Retries leave no event in a history,
// so a race may be polled any number of times (temporal.md: infrequent polling).
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { toWallDelayMs } from '../domain/time/clock';
import type { ActivityDeps } from './deps';

const SHORTEST_WALL_MS = 100;

/** `raceMs` is how much racing time to let pass. */
export function callAgainIn(deps: Pick<ActivityDeps, 'clock'>, raceMs: number, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'NothingYet',
    message,
    nextRetryDelay: Math.max(SHORTEST_WALL_MS, toWallDelayMs(deps.clock, raceMs)),
    category: ApplicationFailureCategory.BENIGN,
  });
}
