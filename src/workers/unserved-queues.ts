// Reports, when a worker has started, the queues that no process of the deployment serves: their work would wait without an error.
import type { Client } from '@temporalio/client';
import type { WorkerRole } from '../config';
import type { Log } from '../log';
import { QUEUES } from '../workflows/contract';

/** `TaskQueueType` of the server's API. */
const WORKFLOW = 1;
const ACTIVITY = 2;
const WITH_WORKFLOWS: readonly WorkerRole[] = ['workflows', 'forms', 'backfill', 'webhooks'];

/** Of the roles that this process does not have, those whose queue no process has polled within the server's last five minutes. */
export async function unservedQueues(client: Client, own: readonly WorkerRole[]): Promise<string[]> {
  const others = (Object.keys(QUEUES) as WorkerRole[]).filter((role) => !own.includes(role));
  const unserved = await Promise.all(
    others.map(async (role) => {
      const { pollers } = await client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: QUEUES[role] },
        taskQueueType: WITH_WORKFLOWS.includes(role) ? WORKFLOW : ACTIVITY,
      });
      return pollers?.length ? [] : [QUEUES[role]];
    }),
  );
  return unserved.flat();
}

/** A start that finds none unserved logs nothing. Processes start together, so this is a hint and no failure. */
export async function reportUnserved(client: Client, own: readonly WorkerRole[], log: Log): Promise<void> {
  try {
    for (const queue of await unservedQueues(client, own))
      log.warn({ queue }, 'no worker serves this queue: start one whose WORKER_ROLES include it, or its work waits');
  } catch (err) {
    log.warn({ err }, 'the queues of other workers could not be checked');
  }
}
