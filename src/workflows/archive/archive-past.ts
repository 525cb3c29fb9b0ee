// Keeps the archive complete, every hour by a Schedule: past races without rows or with outdated facts, then the counts
// against the rows, then the deletion of archived ticks that are old enough. Each step makes up for itself in the next
// hour and does not stop the others.
import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const steps = proxyActivities<Pick<Activities, 'archivePast' | 'reconcileArchive' | 'dropArchivedTicks'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '55m',
  heartbeatTimeout: '5m',
  retry: { initialInterval: '30s', maximumAttempts: 3 },
});

export async function archivePast(): Promise<void> {
  await attempt('races without their archive', () =>
    steps.archivePast.executeWithOptions({ summary: 'past races without rows, or with other facts than theirs' }, []),
  );
  await attempt('counts of the archive', () =>
    steps.reconcileArchive.executeWithOptions({ summary: 'counts by day against the rows' }, []),
  );
  await attempt('ticks that may go', () =>
    steps.dropArchivedTicks.executeWithOptions({ summary: 'days of ticks that the archive has, verified' }, []),
  );
}

async function attempt(what: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a step of the archive failed: the next hour tries again', { what, error });
  }
}
