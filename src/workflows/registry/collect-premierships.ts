// Reads the registry's premiership tables, hourly by a Schedule: each run reads the due ones, in most hours none. A run
// that left one unread has failed, and the next hour continues.
import { isCancellation, log, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { QUEUES } from '../contract';

/** A page a second, after all waiting pages of acceptances and results: the first run reads 180. */
const { collectPremierships: collect } = proxyActivities<Pick<Activities, 'collectPremierships'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '50m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '15s', maximumInterval: '5m', maximumAttempts: 8 },
});

export async function collectPremierships(): Promise<void> {
  try {
    await collect.executeWithOptions({ summary: 'premiership tables that are due, tried longest ago first' }, []);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('not every premiership table was read: the next hour goes on', { error });
    if (patched('unread-fails')) throw error;
  }
}
