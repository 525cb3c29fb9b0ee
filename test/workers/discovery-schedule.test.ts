// Discovery's Schedule on the real server: what a run that is longer than the interval skips is made up for, and a run that failed is repeated.
import { ApplicationFailure } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import { discoverySchedule } from '../../src/workers/schedules/discovery-schedule';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { PATIENT_MS } from '../support/patient';
import { installQuietRuntime } from '../support/servers/quiet-runtime';
import { waitFor } from '../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

const LIST = { bookmakerKey: 'tab', day: '2026-11-24' };
/** No tick of its own falls into the test. */
const SCHEDULE = discoverySchedule({ intervals: [{ every: '30d' }] });

let temporal: TestNamespace;
let stop: () => Promise<void>;
/** What the next lists do. */
let readList: Activities['readList'];
beforeAll(async () => {
  installQuietRuntime();
  temporal = await createTestNamespace();
  const { address, namespace } = temporal;
  const connection = await NativeConnection.connect({ address });
  const common = { connection, namespace };
  const activities: Partial<Activities> = {
    listsToRead: async () => ({ lists: [LIST], apartMs: 0 }),
    readList: (list) => readList(list),
  };
  const workers = [
    await Worker.create({ ...common, taskQueue: QUEUES.workflows, workflowBundle: await loadWorkflowBundle() }),
    await Worker.create({ ...common, taskQueue: QUEUES.io, activities }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await connection.close();
    await temporal.close();
  };
  await temporal.client.schedule.create(SCHEDULE);
});
afterAll(() => stop?.());

const schedule = () => temporal.client.schedule.getHandle(SCHEDULE.scheduleId);
/** As an interval that has passed does. */
const tick = () => schedule().trigger(SCHEDULE.policies!.overlap);
const READ = { listed: 1, created: 0, startsMoved: 0, refused: 0 };

test('ticks that find a run under way are made up for by one run, as soon as that one has ended', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let runs = 0;
  readList = async () => {
    runs += 1;
    if (runs === 1) await released;
    return READ;
  };
  await tick();
  await waitFor(async () => runs === 1, PATIENT_MS);
  await tick();
  await tick();
  await waitFor(async () => (await schedule().describe()).info.numActionsSkippedOverlap > 0, PATIENT_MS);
  expect(runs).toBe(1);
  release();
  await waitFor(async () => runs > 1, PATIENT_MS);
  const { info } = await waitFor(async () => {
    const description = await schedule().describe();
    return description.info.runningActions.length === 0 ? description : null;
  }, PATIENT_MS);
  expect([runs, info.numActionsTaken, info.numActionsSkippedOverlap]).toEqual([2, 2, 1]);
});

test('a run that read most of its lists in vain has failed, for all to see, and another follows within the minute', async () => {
  readList = async () => {
    throw ApplicationFailure.nonRetryable('timeout');
  };
  await tick();
  const failed = await waitFor(async () => {
    for await (const run of temporal.client.workflow.list({ query: "ExecutionStatus = 'Failed'" })) return run;
    return null;
  }, PATIENT_MS);
  const { workflowExecutionInfo: next } = await temporal.client.workflowService.describeWorkflowExecution({
    namespace: temporal.namespace,
    execution: { workflowId: failed.workflowId },
  });
  expect(next!.execution!.runId).not.toBe(failed.runId);
  const waitsMs = tsToMs(next!.executionTime!) - tsToMs(next!.startTime!);
  expect(waitsMs).toBeGreaterThan(0);
  expect(waitsMs).toBeLessThanOrEqual(60_000);
  await temporal.client.workflow.getHandle(failed.workflowId).terminate();
});
