// Discovers the races of today and tomorrow from the books' lists, starts what should run and does not, and joins the registry's races to ours.
// Each has a Schedule of its own, because none may wait for a list of a book; a discovery that found a new race runs the others at once. All
// are idempotent, and a failed run is made up for by the next one.
import { isCancellation, log, patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** Today and tomorrow, Sydney time. */
const DAYS = 2;

const { discover, joinRegistry } = proxyActivities<Pick<Activities, 'discover' | 'joinRegistry'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '4m',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
});

/** Heartbeats as it goes on: thousands of races take minutes, and a race whose result is sought one. */
const { startRaces } = proxyActivities<Pick<Activities, 'startRaces'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '30m',
  heartbeatTimeout: '2m',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
});

/** After a discovery: shorter than its interval. What is left is for the sweep's own Schedule. */
const { startRaces: startNewRaces } = proxyActivities<Pick<Activities, 'startRaces'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '3m',
  heartbeatTimeout: '2m',
  retry: { maximumAttempts: 1 },
});

export async function discoverMeetings(): Promise<void> {
  const summary = `lists of ${DAYS} days from every book`;
  const { created } = await discover.executeWithOptions({ summary }, [{ days: DAYS }]);
  // An older version always swept and joined here, and so must the replay of its runs.
  if (patched('sweep-apart') && created === 0) return;
  // The starts of a new stack take minutes, and its acceptances are to be served in the first.
  const joining = patched('join-beside-starts') ? registryJoin() : null;
  joining?.catch(() => undefined);
  try {
    await startNewRaces.executeWithOptions({ summary: 'new races, nearest first' }, []);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('not every new race was started: the sweep goes on', { error });
  }
  await (joining ?? registryJoin());
}

export async function sweepRaces(): Promise<void> {
  await startRaces.executeWithOptions({ summary: 'races without a workflow, nearest first' }, []);
}

export async function registryJoin(): Promise<void> {
  await joinRegistry.executeWithOptions({ summary: 'registry data for new races' }, []);
}
