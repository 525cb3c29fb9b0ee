// Discovers the races of today and tomorrow: reads the books' lists, then starts a workflow for every race that is near. Started by a
// Schedule; a failed run is made up for by the next one.
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** Today and tomorrow, Sydney time. */
const DAYS = 2;

const { discover, startRaces, joinRegistry } = proxyActivities<
  Pick<Activities, 'discover' | 'startRaces' | 'joinRegistry'>
>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '4m',
  retry: { initialInterval: '5s', maximumAttempts: 5 },
});

export async function discoverMeetings(): Promise<void> {
  await discover.executeWithOptions({ summary: `lists of ${DAYS} days from every book` }, [{ days: DAYS }]);
  await startRaces.executeWithOptions({ summary: 'races without a workflow' }, []);
  await joinRegistry.executeWithOptions({ summary: 'registry data for new races' }, []);
}
