// The Temporal workers of this process, one per role. Pollers have a worker of their own: they need many slots and no grace period, since they
// end only when cancelled, while short I/O gets time to finish.
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index';
import type { WorkerRole } from '../config';
import { QUEUES } from '../workflows/contract';
import { aroundActivity } from './activity-interceptor';
import { loadWorkflowBundle } from './workflow-bundle';

export interface WorkerSetup {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly roles: readonly WorkerRole[];
  readonly activities: Activities;
  /** Wall. The most between two heartbeats of a live poller that reach Temporal. Default 5 s. */
  readonly heartbeatMs?: number;
}

export async function createWorkers(setup: WorkerSetup): Promise<ReadonlyMap<string, Worker>> {
  const { connection, namespace, heartbeatMs = 5000 } = setup;
  const interceptors = { activity: [aroundActivity] };
  const workers = new Map<string, Worker>();
  for (const role of setup.roles) {
    const options = await OPTIONS[role](setup.activities, heartbeatMs);
    workers.set(role, await Worker.create({ connection, namespace, interceptors, ...options }));
  }
  return workers;
}

const OPTIONS: Record<WorkerRole, (activities: Activities, heartbeatMs: number) => Promise<WorkerOptions>> = {
  workflows: async () => ({
    taskQueue: QUEUES.workflows,
    workflowBundle: await loadWorkflowBundle(),
    maxConcurrentWorkflowTaskExecutions: 100,
    maxCachedWorkflows: 2000,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
  }),
  poll: async ({ pollLive, streamExchange }, heartbeatMs) => ({
    taskQueue: QUEUES.poll,
    activities: { pollLive, streamExchange },
    maxConcurrentActivityTaskExecutions: 200,
    // An attempt learns of its cancellation from the response to a heartbeat.
    maxHeartbeatThrottleInterval: heartbeatMs,
    shutdownGraceTime: 0,
    shutdownForceTime: '15s',
  }),
  io: async ({ pollLive: _pollLive, streamExchange: _streamExchange, ...activities }) => ({
    taskQueue: QUEUES.io,
    activities,
    maxConcurrentActivityTaskExecutions: 100,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    shutdownGraceTime: '10s',
    // Long activities end at their cancellation; a statement or a call that is under way gets its own time limit.
    shutdownForceTime: '30s',
  }),
};
