// How a race calls its activities: which queue, how long, how patiently. Pollers are abandoned, not waited for, when they are
// superseded: the fence keeps an old one from writing.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index';
import { QUEUES } from './contract';

/** Heartbeats are throttled to a quarter of this, so three may be lost before another worker takes the race. */
const HEARTBEAT_TIMEOUT = '20s';

export const live = proxyActivities<Pick<Activities, 'pollLive'>>({
  taskQueue: QUEUES.poll,
  startToCloseTimeout: '12h',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '2s', backoffCoefficient: 1 },
});

/** Attempts that fail until there is something to say; they name their own delay. */
export const patient = proxyActivities<Pick<Activities, 'pollCard' | 'awaitResult'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '1m',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '10s', backoffCoefficient: 1 },
});

/** Short writes and reads of our own; they are retried until the database is back. */
export const brief = proxyActivities<Pick<Activities, 'carryOut' | 'readResult' | 'overrideResult' | 'abandonMeeting'>>(
  {
    taskQueue: QUEUES.io,
    startToCloseTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
  },
);

/** A collector's pass over a registry takes its time. */
export const collecting = proxyActivities<Pick<Activities, 'collectField'>>({
  taskQueue: QUEUES.io,
  startToCloseTimeout: '10m',
  retry: { initialInterval: '30s', backoffCoefficient: 2, maximumInterval: '10m' },
});
