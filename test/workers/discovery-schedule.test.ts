// Discovery's Schedule on the real server: ticks skipped during a long run are made up for, and a failed run is
// repeated.
import { ApplicationFailure } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../src/activities';
import { REAL_TIME } from '../../src/domain/time/clock';
import { scheduleOf } from '../../src/workers/schedules/table';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { QUEUES } from '../../src/workflows/contract';
import { PATIENT_MS } from '../support/patient';
import { installQuietRuntime } from '../support/servers/quiet-runtime';
import { waitFor } from '../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../support/servers/temporal';

const LIST = { bookmakerKey: 'tab', day: '2026-11-24' };
/** No scheduled tick falls into the test. */
const SCHEDULE = { ...scheduleOf('meeting-discovery', REAL_TIME), spec: { intervals: [{ every: '30d' as const }] } };

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
/** The same as when an interval has passed. */
const tick = () => schedule().trigger(SCHEDULE.policies!.overlap);
const READ = { listed: 1, created: 0, startsMoved: 0, refused: 0 };

test('one run makes up for all ticks missed during a run, as soon as that run has ended', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let attempts = 0;
  // On a machine that stands still an attempt times out and is repeated: the run continues until it is released.
  readList = async () => {
    attempts += 1;
    await released;
    return READ;
  };
  const info = async () => (await schedule().describe()).info;
  const waiting = async () => Number((await schedule().describe()).raw.info?.bufferSize);
  try {
    await tick();
    await waitFor(async () => attempts > 0, PATIENT_MS);
    await tick();
    // The server counts two ticks that it sees at the same time as one.
    await waitFor(async () => (await waiting()) > 0, PATIENT_MS);
    await tick();
    await waitFor(async () => (await info()).numActionsSkippedOverlap > 0, PATIENT_MS);
    expect((await info()).numActionsTaken).toBe(1);
  } finally {
    release();
  }
  const after = await waitFor(async () => {
    const now = await info();
    return now.numActionsTaken > 1 && now.runningActions.length === 0 ? now : null;
  }, PATIENT_MS);
  expect([after.numActionsTaken, after.numActionsSkippedOverlap]).toEqual([2, 1]);
});

test('a run that failed to read most of its lists is visible as failed, and another follows within a minute', async () => {
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
