// Fills the run store from the results written since (B 4.6), hourly by a Schedule. The next pass makes up for a failed
// one.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const steps = proxyActivities<Pick<Activities, 'fillRuns'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '55m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
});

export async function fillRuns(): Promise<void> {
  await steps.fillRuns.executeWithOptions({ summary: 'races whose runs are missing or of another result' }, []);
}
