// The exchange's stream on a real Temporal server: a Schedule starts it immediately and keeps one running, a worker
// that stops hands it over immediately, and without a configured stream there is no Schedule.
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { REAL_TIME } from '../../src/domain/time/clock';
import { createStreamServer, type StreamServer } from '../../src/simulator/stream/server';
import { worldPublisher } from '../../src/simulator/stream/world-stream';
import { createWorld } from '../../src/simulator/world/world';
import { ensureSchedules } from '../../src/workers/schedules/ensure';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../activities/lab';
import { until } from '../support/races/stream-lab';
import { runWorkers } from './run-workers';

const SCRIPTS = [{ startMs: NOON + HOUR, venue: 'Flemington', runners: 8 }] as const;

let lab: ActivityLab;
let server: StreamServer;
let stop: () => Promise<void>;
beforeAll(async () => {
  const opened = await openLab(SCRIPTS);
  opened.clock.nowMs = NOON + HOUR - 5 * MINUTE;
  server = createStreamServer(worldPublisher(createWorld({ seed: 'test', races: SCRIPTS }), opened.deps.now));
  const address = { host: '127.0.0.1', port: await server.listen(0), tls: false };
  const exchangeStream = { address, credentials: { appKey: 'key', session: 'token' }, filter: {} };
  lab = { ...opened, deps: { ...opened.deps, exchangeStream } };
});
afterAll(async () => {
  await stop?.();
  await server?.close();
  await lab?.close();
});

const subscriptions = () => server.requests.filter((request) => request.op === 'marketSubscription').length;
const observedAt = async () =>
  (await lab.query<{ at: string | null }>('SELECT max(observed_at) AS at FROM exchange_markets'))[0]!.at;

test('starts at once, is handed over, and is removed where it is not configured', async () => {
  stop = await runWorkers(lab);
  await ensureSchedules(lab.temporal.client, REAL_TIME, true);
  await ensureSchedules(lab.temporal.client, REAL_TIME, true);
  await until(async () => (await observedAt()) !== null);
  const schedule = lab.temporal.client.schedule.getHandle('exchange-stream');
  // An interval that passes while it runs starts no second stream.
  const info = async () => (await schedule.describe()).info;
  const { numActionsSkippedOverlap: skipped } = await info();
  await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  await until(async () => (await info()).numActionsSkippedOverlap > skipped);
  const { numActionsTaken, runningActions } = await info();
  expect(numActionsTaken).toBe(1);
  const stream = lab.temporal.client.workflow.getHandle(runningActions[0]!.workflow.workflowId);
  await stop();
  // The attempt has reported its end, so no missed heartbeat delays the next one.
  const lastFailure = async () =>
    (await stream.describe()).raw.pendingActivities?.[0]?.lastFailure?.applicationFailureInfo;
  await until(async () => (await lastFailure())?.type === 'WorkerShutdown');

  const before = await observedAt();
  stop = await runWorkers(lab);
  lab.clock.nowMs += 2 * MINUTE;
  await until(async () => (await observedAt())! > before!);
  expect(subscriptions()).toBeGreaterThanOrEqual(2);

  await ensureSchedules(lab.temporal.client, REAL_TIME, false);
  await expect(schedule.describe()).rejects.toBeInstanceOf(ScheduleNotFoundError);
  await stream.terminate();
}, 900_000);
