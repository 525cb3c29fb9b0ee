// Keeps one worker on the exchange's stream for as long as the service runs. Without a configured stream the activity
// returns at once and this ends.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { streamExchange } = proxyActivities<Pick<Activities, 'streamExchange'>>({
  taskQueue: QUEUES.exchange,
  startToCloseTimeout: '24h',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '2s', backoffCoefficient: 1 },
});

export async function exchangeStream(): Promise<void> {
  await streamExchange();
}
