// One measurement of the API's uptime, once a minute by a Schedule. A measurement that could not be taken is not made up for.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

const { probeUptime } = proxyActivities<Pick<Activities, 'probeUptime'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 2 },
});

export async function measureUptime(): Promise<void> {
  await probeUptime();
}
