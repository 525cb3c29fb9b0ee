// Builds the bulk files that are due (D47), hourly by a Schedule: days before months. A period that fails is left for
// the next run and does not stop the others.
import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { dueBulkPeriods, buildBulkPeriod, sweepBulkFiles } = proxyActivities<
  Pick<Activities, 'dueBulkPeriods' | 'buildBulkPeriod' | 'sweepBulkFiles'>
>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '10s', maximumAttempts: 3 },
});

export async function bulkFiles(): Promise<void> {
  for (const due of await dueBulkPeriods()) {
    try {
      await buildBulkPeriod.executeWithOptions({ summary: `${due.dataset} ${due.period}` }, [due]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('the files of a period could not be built', { ...due, error });
    }
  }
  await sweepBulkFiles.executeWithOptions({ summary: 'versions superseded for two days' }, []);
}
