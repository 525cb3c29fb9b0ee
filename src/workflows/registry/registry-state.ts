// Reads the thoroughbred registry, one state after another, every two hours by a Schedule. A state that fails is left
// for the next run and does not stop the others. A run that left a state unread has failed.
import { ApplicationFailure, isCancellation, log, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index';
import { REGISTRY_STATES } from '../../domain/registry/registry';
import { QUEUES } from '../contract';

/** A document a second: a state has some dozens. */
const { readRegistry } = proxyActivities<Pick<Activities, 'readRegistry'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '12m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '20s', maximumAttempts: 3 },
});

export async function registryState(): Promise<void> {
  const unread: string[] = [];
  for (const state of REGISTRY_STATES) {
    try {
      await readRegistry.executeWithOptions({ summary: `calendar, acceptances, scratchings, tracks of ${state}` }, [
        state,
      ]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('the registry could not be read', { state, error });
      unread.push(state);
    }
  }
  if (unread.length > 0 && patched('unread-fails'))
    throw ApplicationFailure.retryable(`not read: ${unread.join(', ')}`, 'RegionsUnread');
}
