// The order in which the real server hands out live pollers that wait for a slot. Only our own server certainly has
// this setting (scripts/servers/temporal.mjs).
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES, raceWorkflowId, WORKFLOWS } from '../../src/workflows/contract';
import type { race } from '../../src/workflows/race';
import { PATIENT_MS } from '../support/patient';
import { raceInput } from '../support/races/race-input';
import { canRunOwnServers } from '../support/servers/own-servers';
import { installQuietRuntime } from '../support/servers/quiet-runtime';
import { waitFor } from '../support/servers/service';
import { createTestNamespace } from '../support/servers/temporal';

const MINUTE = 60_000;

const raceIn = (raceId: string, minutes: number) => raceInput(raceId, Date.now() + minutes * MINUTE);

const onOurServer = canRunOwnServers ? test : test.skip;

onOurServer('live pollers that wait for a slot get one in the order of their jump, not of their arrival', async () => {
  installQuietRuntime();
  const temporal = await createTestNamespace();
  const { address, namespace, client } = temporal;
  const connection = await NativeConnection.connect({ address });
  const create = (taskQueue: string, more: object) =>
    Worker.create({ connection, namespace, taskQueue, shutdownForceTime: '10s', ...more });
  const polled: string[] = [];
  const decisions = { carryOut: async () => null };
  const pollLive = async ({ raceId }: { raceId: string }) => {
    polled.push(raceId);
    return { kind: 'superseded' };
  };
  const workers = [
    await create(QUEUES.workflows, { workflowBundle: await loadWorkflowBundle() }),
    await create(QUEUES.decisions, { activities: decisions }),
  ];
  const running = workers.map((worker) => worker.run());
  const races = [raceIn('far', 170), raceIn('farther', 175), raceIn('in half an hour', 30), raceIn('near', 4)];
  try {
    for (const input of races) {
      const handle = await client.workflow.start<typeof race>(WORKFLOWS.race, {
        workflowId: raceWorkflowId(input.raceId),
        taskQueue: QUEUES.workflows,
        args: [input],
      });
      await waitFor(async () => (await handle.describe()).raw.pendingActivities?.length === 1, PATIENT_MS);
    }
    // The server puts the activities that a workflow schedules into the queue a moment later.
    await waitFor(async () => (await waitingAt(client, namespace, QUEUES.poll)) === races.length, PATIENT_MS);
    const poller = await create(QUEUES.poll, { activities: { pollLive }, maxConcurrentActivityTaskExecutions: 1 });
    workers.push(poller);
    running.push(poller.run());
    await waitFor(async () => polled.length >= races.length, PATIENT_MS);
    expect(polled.slice(0, races.length)).toEqual(['near', 'in half an hour', 'far', 'farther']);
  } finally {
    for (const { raceId } of races) await client.workflow.getHandle(raceWorkflowId(raceId)).terminate();
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
    await connection.close();
    await temporal.close();
  }
});

/** `TaskQueueType` of the server's API. */
const ACTIVITY = 2;

/** Activities in the queue. */
async function waitingAt(client: Client, namespace: string, name: string): Promise<number> {
  const { stats } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    reportStats: true,
    taskQueueType: ACTIVITY,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}
