// The exchange's stream on a real Temporal server: a schedule starts it at once and keeps one, a worker that stops hands it over within seconds, and
// where no stream is configured there is no schedule.
import { ScheduleNotFoundError } from '@temporalio/client';
import { REAL_TIME } from '../../src/domain/clock';
import { createStreamServer, type StreamServer } from '../../src/simulator/stream/server';
import { worldPublisher } from '../../src/simulator/stream/world-stream';
import { createWorld } from '../../src/simulator/world/world';
import { ensureSchedules } from '../../src/workers/schedules';
import { type ActivityLab, HOUR, MINUTE, NOON, openLab } from '../activities/lab';
import { until } from '../support/stream-lab';
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

const subscriptions = () => server.asked.filter((request) => request.op === 'marketSubscription').length;
const observedAt = async () =>
  (await lab.query<{ at: string | null }>('SELECT max(observed_at) AS at FROM exchange_markets'))[0]!.at;

test('starts at once, is handed over, and is gone where it is not configured', async () => {
  stop = await runWorkers(lab);
  await ensureSchedules(lab.temporal.client, REAL_TIME, true);
  await ensureSchedules(lab.temporal.client, REAL_TIME, true);
  await until(async () => (await observedAt()) !== null);
  expect(subscriptions()).toBe(1);
  await stop();

  const before = await observedAt();
  stop = await runWorkers(lab);
  const restarted = Date.now();
  lab.clock.nowMs += 2 * MINUTE;
  await until(async () => (await observedAt())! > before!);
  expect(Date.now() - restarted).toBeLessThan(20_000);
  // A busy machine may break the new stream once more; it is taken up again all the same.
  expect(subscriptions()).toBeGreaterThanOrEqual(2);

  await ensureSchedules(lab.temporal.client, REAL_TIME, false);
  const schedule = lab.temporal.client.schedule.getHandle('exchange-stream');
  await expect(schedule.describe()).rejects.toBeInstanceOf(ScheduleNotFoundError);
  await lab.temporal.client.workflow.getHandle((await running())!).terminate();
}, 90_000);

/** The schedule adds its time to the id. */
async function running(): Promise<string | undefined> {
  const query = 'WorkflowType = "exchangeStream" AND ExecutionStatus = "Running"';
  for await (const { workflowId } of lab.temporal.client.workflow.list({ query })) return workflowId;
  return undefined;
}
