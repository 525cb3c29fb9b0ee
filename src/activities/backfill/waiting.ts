// How a backfill job waits: its attempt fails benignly and is called again, which leaves no event in its history (D51).
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { withoutStack } from '../wait';

/** The most that a lost signal costs. Wall time. */
const LONGEST_MS = 10 * 60_000;
const SHORTEST_MS = 100;

/** `inMs`: wall time to the next attempt. */
export const waiting = (message: string, inMs: number): ApplicationFailure =>
  withoutStack(
    ApplicationFailure.create({
      type: 'BackfillWaits',
      message,
      nextRetryDelay: Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.round(inMs))),
      category: ApplicationFailureCategory.BENIGN,
    }),
  );
