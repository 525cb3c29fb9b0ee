// The Temporal workers of this process, one per role. Pollers have a separate worker: they need many slots and no grace
// period, since they end only when cancelled, while short I/O gets time to finish.
import { type NativeConnection, Worker, type WorkerDeploymentOptions, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index';
import type { WorkerRole, WorkerSlots } from '../config';
import { DEPLOYMENT, QUEUES } from '../workflows/contract';
import { aroundActivities } from './activity-interceptor';
import { loadWorkflowBundle } from './workflow-bundle';

const HEARTBEAT_MS = 10_000;

export interface WorkerSetup {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly roles: readonly WorkerRole[];
  readonly slots: WorkerSlots;
  readonly activities: Activities;
  /** Of this process's code; null: Temporal does not route by build. */
  readonly build?: string | null;
  /** Gets the Schedule whose work is done. Never rejects. */
  readonly succeeded?: (scheduleId: string) => Promise<void>;
  /** Wall. The most between two heartbeats of a live poller that reach Temporal. */
  readonly heartbeatMs?: number;
}

export async function createWorkers(setup: WorkerSetup): Promise<ReadonlyMap<string, Worker>> {
  const { connection, namespace, heartbeatMs = HEARTBEAT_MS, succeeded = async () => {}, build = null } = setup;
  const common = {
    connection,
    namespace,
    interceptors: { activity: [aroundActivities(succeeded)] },
    ...(build !== null && { workerDeploymentOptions: versionOf(build) }),
  };
  const workers = new Map<string, Worker>();
  for (const role of setup.roles) {
    const options = await optionsOf(role, setup.activities, setup.slots, heartbeatMs);
    workers.set(role, await Worker.create({ ...common, ...options }));
  }
  return workers;
}

/**
 * Workflows change over to a promoted build with their next task, except those that src/workflows/pinned.ts keeps on
 * theirs.
 */
export const versionOf = (buildId: string): WorkerDeploymentOptions => ({
  version: { deploymentName: DEPLOYMENT, buildId },
  useWorkerVersioning: true,
  defaultVersioningBehavior: 'AUTO_UPGRADE',
});

export const optionsOf = (
  role: WorkerRole,
  activities: Activities,
  slots: WorkerSlots,
  heartbeatMs = HEARTBEAT_MS,
): Promise<WorkerOptions> => OPTIONS[role](activities, slots, heartbeatMs);

/** A few at once, and each is short: a decision does not wait for another race's. */
const DECISION_SLOTS = 50;

/** They wait for one door: more slots than customers who would wait for it. */
const FORM_SLOTS = 50;

/** Over before a live poller's next heartbeat: one that has to wait is sent alone, by a timer of its own. */
const THROTTLED_PART = 0.8;

/** An attempt learns of its cancellation from the response to a heartbeat. */
const longLived = (heartbeatMs: number) => ({
  maxHeartbeatThrottleInterval: heartbeatMs,
  shutdownGraceTime: 0,
  shutdownForceTime: '15s' as const,
});
/** Long activities end at their cancellation; a statement or a call in progress gets its own time limit. */
const SHORT = { shutdownGraceTime: '10s', shutdownForceTime: '30s' } as const;

/** Short workflows and jobs on a separate queue (D62): a few, so that they cost little memory beside the races. */
const ownWorkflows = async () => ({
  workflowBundle: await loadWorkflowBundle(),
  maxConcurrentWorkflowTaskExecutions: 10,
  maxCachedWorkflows: 100,
});

type Options = (activities: Activities, slots: WorkerSlots, heartbeatMs: number) => Promise<WorkerOptions>;

/**
 * An activity that moved to another queue is served on both for one release, because the previous release schedules it
 * on the old one.
 */
const OPTIONS: Record<WorkerRole, Options> = {
  workflows: async (_, { cachedWorkflows }) => ({
    taskQueue: QUEUES.workflows,
    workflowBundle: await loadWorkflowBundle(),
    maxConcurrentWorkflowTaskExecutions: 100,
    maxCachedWorkflows: cachedWorkflows,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
  }),
  poll: async ({ pollLive, streamExchange }, { live }, heartbeatMs) => ({
    taskQueue: QUEUES.poll,
    activities: { pollLive, streamExchange },
    maxConcurrentActivityTaskExecutions: live,
    ...longLived(THROTTLED_PART * heartbeatMs),
  }),
  exchange: async ({ streamExchange }, _, heartbeatMs) => ({
    taskQueue: QUEUES.exchange,
    activities: { streamExchange },
    maxConcurrentActivityTaskExecutions: 2,
    ...longLived(heartbeatMs),
  }),
  io: async (
    { pollLive: _live, streamExchange: _stream, collectHorses: _horses, attemptDelivery: _post, ...activities },
    { io },
  ) => ({
    taskQueue: QUEUES.io,
    activities,
    maxConcurrentActivityTaskExecutions: io,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    ...SHORT,
  }),
  decisions: async ({ carryOut, readResult, overrideResult, abandonMeeting }) => ({
    taskQueue: QUEUES.decisions,
    activities: { carryOut, readResult, overrideResult, abandonMeeting },
    maxConcurrentActivityTaskExecutions: DECISION_SLOTS,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 20 },
    ...SHORT,
  }),
  forms: async ({ readHorseForm, probeRegistry, openRegistry, startGates }) => ({
    taskQueue: QUEUES.forms,
    activities: { readHorseForm, probeRegistry, openRegistry, startGates },
    maxConcurrentActivityTaskExecutions: FORM_SLOTS,
    ...(await ownWorkflows()),
    ...SHORT,
  }),
  backfill: async ({ collectHorses, sweepBackfills }, { backfill }) => ({
    taskQueue: QUEUES.backfill,
    activities: { collectHorses, sweepBackfills },
    maxConcurrentActivityTaskExecutions: backfill,
    ...(await ownWorkflows()),
    ...SHORT,
  }),
  webhooks: async ({ attemptDelivery }, { webhookRetries }) => ({
    taskQueue: QUEUES.webhooks,
    activities: { attemptDelivery },
    maxConcurrentActivityTaskExecutions: webhookRetries,
    ...(await ownWorkflows()),
    // Longer than an attempt.
    shutdownGraceTime: '20s',
    shutdownForceTime: '30s',
  }),
};
