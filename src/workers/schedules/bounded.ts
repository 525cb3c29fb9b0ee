// An end to every scheduled run. A run stays on the build on which it began (src/workflows/pinned.ts): if the workers of that build have gone, it would
// keep its Schedule from starting another for ever. Each run makes up for those before it.
import type { ScheduleOptions } from '@temporalio/client';

const MINUTE_MS = 60_000;
/** Wall. Of what runs every few minutes. */
const FREQUENT_MOST_MS = 60 * MINUTE_MS;
/** Wall. A first run may read or build for hours. */
const MOST_MS = 24 * 60 * MINUTE_MS;
const FREQUENT_MS = 10 * MINUTE_MS;

export function bounded(schedule: ScheduleOptions): ScheduleOptions {
  const every = Number(schedule.spec.intervals?.[0]?.every ?? Number.POSITIVE_INFINITY);
  const workflowRunTimeout = every <= FREQUENT_MS ? FREQUENT_MOST_MS : MOST_MS;
  return { ...schedule, action: { ...schedule.action, workflowRunTimeout } };
}
