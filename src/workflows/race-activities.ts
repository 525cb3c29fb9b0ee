// Queues, timeouts and retries of a race's activities. A superseded poller is abandoned, not waited for: the fence
// keeps it from writing.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** A live poller heartbeats before half of this is over, so one may be lost before another worker takes the race. */
const HEARTBEAT_TIMEOUT = '20s';

export const live = proxyActivities<Pick<Activities, 'pollLive'>>({
  taskQueue: QUEUES.poll,
  startToCloseTimeout: '12h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '2s', backoffCoefficient: 1 },
});

/** Attempts that fail until there is something to report; each failure sets the delay to the next attempt. */
export const patient = proxyActivities<Pick<Activities, 'pollCard' | 'awaitResult'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '1m',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '10s', backoffCoefficient: 1 },
});

/** Short reads and writes of our database, retried until it is back. */
export const brief = proxyActivities<Pick<Activities, 'carryOut' | 'readResult' | 'overrideResult' | 'abandonMeeting'>>(
  {
    taskQueue: QUEUES.decisions,
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  },
);

/** The hourly pass makes up for a failure. */
export const past = proxyActivities<Pick<Activities, 'archiveRace'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '10s', maximumAttempts: 3 },
});

/** A collector's pass reads a page a second, shared by all races: it takes minutes. */
export const collecting = proxyActivities<Pick<Activities, 'collectField'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '30s', backoffCoefficient: 2, maximumInterval: '10m' },
});
