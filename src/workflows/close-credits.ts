// Turns the months of the ledger that are older than 13 months into their sums (D41), monthly by a Schedule. The next
// run makes up for a failed one.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

const steps = proxyActivities<Pick<Activities, 'closeCredits'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '3h',
  heartbeatTimeout: '2m',
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1m', maximumInterval: '1h' },
});

export async function closeCredits(): Promise<void> {
  await steps.closeCredits.executeWithOptions({ summary: 'audit, then months older than 13 months to sums' }, []);
}
