// Starts backfill jobs that have queued horses and no workflow, every minute by a Schedule. The next pass makes up for
// a failed one.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { sweepBackfills } = proxyActivities<Pick<Activities, 'sweepBackfills'>>({
  taskQueue: QUEUES.backfill,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '5s', maximumAttempts: 3 },
});

export async function backfillSweep(): Promise<void> {
  await sweepBackfills.executeWithOptions({ summary: 'jobs without a workflow, and those that can go on' }, []);
}
