// An end to every scheduled run. A run stays on the build on which it began (src/workflows/pinned.ts): if the workers of that build have gone, it would
// keep its Schedule from starting another for ever. Each run makes up for those before it.
import type { ScheduleOptions } from '@temporalio/client';

/** Wall, above what the attempts of its activities may take. */
const LONGEST: Readonly<Record<string, '30m' | '1h' | '12h' | '24h' | '27d'>> = {
  'race-sweep': '30m',
  'registry-gates': '30m',
  'backfill-sweep': '30m',
  'webhook-sweep': '30m',
  'uptime-probe': '30m',
  'registry-join': '1h',
  'meeting-discovery': '1h',
  'audit-quality': '1h',
  'check-betslip-links': '1h',
  'registry-state': '12h',
  'collect-results': '12h',
  'fill-runs': '12h',
  'run-history': '12h',
  premierships: '12h',
  'archive-past': '12h',
  'bulk-files': '24h',
  // Monthly: it waits for a worker as long as its Schedule would make up for it.
  'close-credits': '27d',
};

/** Throws if the Schedule has no bound here. */
export function bounded(schedule: ScheduleOptions): ScheduleOptions {
  const workflowRunTimeout = LONGEST[schedule.scheduleId];
  if (workflowRunTimeout === undefined) throw new Error(`The Schedule ${schedule.scheduleId} has no longest run.`);
  return { ...schedule, action: { ...schedule.action, workflowRunTimeout } };
}
