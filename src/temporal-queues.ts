// Which builds of the workers poll which queue, as Temporal knows it.
import type { Client } from '@temporalio/client';
import { QUEUES } from './workflows/contract';

export interface PolledQueue {
  readonly name: string;
  /** Of the workers that polled it within the server's last five minutes; null: one without a build. */
  readonly builds: ReadonlySet<string | null>;
  /** The build that its work goes to. Null: workers without a build. */
  readonly promoted: string | null;
  /** The build that has a share of it. Null: none has. */
  readonly ramping: string | null;
}

/** `TaskQueueType` and `WorkerVersioningMode` of the server's API. */
const WORKFLOW = 1;
const ACTIVITY = 2;
const VERSIONED = 2;
const WITH_WORKFLOWS: readonly string[] = [QUEUES.workflows, QUEUES.forms, QUEUES.backfill, QUEUES.webhooks];

export const readQueues = (
  client: Client,
  names: readonly string[] = Object.values(QUEUES),
): Promise<readonly PolledQueue[]> => Promise.all(names.map((name) => readQueue(client, name)));

async function readQueue(client: Client, name: string): Promise<PolledQueue> {
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: WITH_WORKFLOWS.includes(name) ? WORKFLOW : ACTIVITY,
  });
  const builds = (pollers ?? []).map(({ deploymentOptions }) =>
    deploymentOptions?.workerVersioningMode === VERSIONED ? (deploymentOptions.buildId ?? null) : null,
  );
  const hasShare = (versioningInfo?.rampingVersionPercentage ?? 0) > 0;
  return {
    name,
    builds: new Set(builds),
    promoted: versioningInfo?.currentDeploymentVersion?.buildId || null,
    ramping: (hasShare && versioningInfo?.rampingDeploymentVersion?.buildId) || null,
  };
}
