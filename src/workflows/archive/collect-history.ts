// Reads past runs that the service did not follow (D53), hourly by a Schedule: earlier pages are not read again, so a
// pass continues where the previous one stopped. It reads a page a second, after every other page, so a registry's
// years take days. A pass that could not be made has failed.
import { isCancellation, log, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

const { collectHistory: collect } = proxyActivities<Pick<Activities, 'collectHistory'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '55m',
  // A page may wait for its turn for five minutes.
  heartbeatTimeout: '6m',
  retry: { initialInterval: '1m', maximumAttempts: 3 },
});

export async function collectHistory(): Promise<void> {
  try {
    await collect.executeWithOptions({ summary: 'past meetings that are not stored, the newest first' }, []);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('past runs could not be read: the next hour goes on', { error });
    if (patched('unread-fails')) throw error;
  }
}
