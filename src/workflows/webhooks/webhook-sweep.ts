// Periodic work for webhooks, every minute by a Schedule. The next pass makes up for a failed one. Not on the queue of
// retries, whose slots hanging receivers occupy.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { sweepWebhooks } = proxyActivities<Pick<Activities, 'sweepWebhooks'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '5s', maximumAttempts: 3 },
});

export async function webhookSweep(): Promise<void> {
  await sweepWebhooks.executeWithOptions({ summary: 'retries without a workflow, webhooks that fail, old rows' }, []);
}
