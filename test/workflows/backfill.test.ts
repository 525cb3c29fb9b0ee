// A backfill job's workflow on the time-skipping server. The activity simulates what the database would show: it never
// waits inside an attempt.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { Collected, CollectOrder } from '../../src/activities/backfill/collect-horses';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { backfillWorkflowId, hasten, QUEUES, WORKFLOWS } from '../../src/workflows/contract';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: TimeSkipping;
let worker: Worker;
let running: Promise<void>;
let collect: (order: CollectOrder) => Promise<Collected>;
beforeAll(async () => {
  server = await openTimeSkipping();
  const { env } = server;
  const namespace = env.namespace ?? 'default';
  worker = await Worker.create({
    connection: env.nativeConnection,
    namespace,
    taskQueue: QUEUES.backfill,
    workflowBundle: await loadWorkflowBundle(),
    activities: { collectHorses: (order: CollectOrder) => collect(order) },
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await server.close();
});

const start = (jobId: string) =>
  server.env.client.workflow.start(WORKFLOWS.backfill, {
    workflowId: backfillWorkflowId(jobId),
    taskQueue: QUEUES.backfill,
    args: [{ jobId }],
  });
const nowMs = () => server.env.currentTimeMs();

/**
 * Waits for credits until `untilMs`, with fewer attempts than in service; like the real activity, it reports the reason
 * for waiting once.
 */
const blockedUntil =
  (untilMs: number, onAttempt: () => void = () => undefined) =>
  async ({ shown }: CollectOrder): Promise<Collected> => {
    onAttempt();
    if ((await nowMs()) >= untilMs) return { kind: 'complete' };
    if (shown !== 'blocked') return { kind: 'waiting', status: 'blocked', queued: 4 };
    throw ApplicationFailure.create({
      type: 'BackfillWaits',
      message: 'too few credits',
      nextRetryDelay: HOUR,
      category: ApplicationFailureCategory.BENIGN,
    });
  };

test('thirty days without credits or a signal leave fewer than 200 events', async () => {
  let attempts = 0;
  collect = blockedUntil((await nowMs()) + 30 * DAY, () => {
    attempts += 1;
  });
  const handle = await start('bf_20261121_blocke');
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect(attempts).toBeGreaterThan(30 * 24 - 2);
  expect(events!.length).toBeLessThan(40);
});

test('a signal only cuts a wait short; the database decides', async () => {
  let attempts = 0;
  let credits = false;
  // The server's clock stands still here, so no attempt starts because its delay has passed.
  collect = (order) => {
    attempts += 1;
    return blockedUntil(credits ? 0 : Number.POSITIVE_INFINITY)(order);
  };
  const attempted = (times: number) => waitFor(async () => attempts === times, PATIENT_MS);
  const handle = await start('bf_20261121_hasten');
  await attempted(2);
  await handle.signal(hasten);
  await attempted(3);
  credits = true;
  await handle.signal(hasten);
  await attempted(4);
  await handle.result();
});

test('a run covers a hundred horses, and the next continues the same job', async () => {
  const orders: CollectOrder[] = [];
  const left = [60, 60, 60, 60];
  collect = async (order) => {
    orders.push(order);
    const handled = left.shift();
    return handled === undefined ? { kind: 'complete' } : { kind: 'going', handled, queued: 60 * left.length };
  };
  const handle = await start('bf_20261121_hundre');
  await handle.result();
  const { events } = await server.env.client.workflow
    .getHandle(handle.workflowId, handle.firstExecutionRunId)
    .fetchHistory();
  const last = events!.at(-1)!;
  expect(last.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  expect(last.workflowExecutionContinuedAsNewEventAttributes!.newExecutionRunId).not.toBe(handle.firstExecutionRunId);
  expect(orders).toEqual(Array.from({ length: 5 }, () => ({ jobId: 'bf_20261121_hundre', shown: 'running' })));
});

test('what a job waits for is in its search attribute, once per change', async () => {
  const ends: Collected[] = [
    { kind: 'waiting', status: 'walled', queued: 2 },
    { kind: 'waiting', status: 'blocked', queued: 2 },
    { kind: 'going', handled: 1, queued: 1 },
    { kind: 'going', handled: 1, queued: 0 },
    { kind: 'complete' },
  ];
  collect = async () => ends.shift()!;
  const handle = await start('bf_20261121_shown1');
  await handle.result();
  const { events } = await handle.fetchHistory();
  const shown = events!.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) => {
    const data = upserted?.searchAttributes?.indexedFields?.WorkStatus?.data;
    return data ? [JSON.parse(Buffer.from(data).toString())].flat() : [];
  });
  expect(shown).toEqual(['running', 'walled', 'blocked', 'running', 'complete']);
});
