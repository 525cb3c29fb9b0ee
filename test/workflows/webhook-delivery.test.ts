// The retries of a delivery on the time-skipping server, with the real activity, a real database and a real receiver:
// its attempts over days, and what remains of them in the history.
import type { ServerResponse } from 'node:http';
import { Worker } from '@temporalio/worker';
import type { Pool } from 'pg';
import { attemptDelivery, type DeliveryOrder } from '../../src/activities/webhooks/attempt-delivery';
import { startDelivery } from '../../src/activities/webhooks/start-delivery';
import { post } from '../../src/webhooks/post';
import { LANE_ATTEMPTS } from '../../src/webhooks/schedule';
import type { Sender } from '../../src/webhooks/send';
import { loadWorkflowBundle } from '../../src/workers/workflow-bundle';
import { deliveryWorkflowId, QUEUES } from '../../src/workflows/contract';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { openTimeSkipping, type TimeSkipping } from '../support/servers/time-skipping';
import { newRace, type Outbox, openOutbox } from '../support/webhooks/outbox';
import { createTestSender, fanOutAll, PLANS, webhookDeps } from '../support/webhooks/posting';
import { type Receiver, startReceiver } from '../support/webhooks/receiver';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

let server: TimeSkipping;
let db: TestDatabase;
let pool: Pool;
let outbox: Outbox;
let receiver: Receiver;
let sender: Sender;
let worker: Worker;
let running: Promise<void>;
/** The server's clock. */
let nowMs: number;
let deps: ReturnType<typeof webhookDeps>;
beforeAll(async () => {
  [server, db, receiver] = await Promise.all([openTimeSkipping(), createTestDatabase(), startReceiver()]);
  pool = db.pool;
  outbox = openOutbox(pool);
  sender = createTestSender();
  const { env } = server;
  deps = webhookDeps(pool, sender, env.client, () => nowMs);
  const activities = {
    attemptDelivery: async (order: DeliveryOrder) => {
      nowMs = await env.currentTimeMs();
      return attemptDelivery(deps, order);
    },
  };
  const namespace = env.namespace ?? 'default';
  const common = { connection: env.nativeConnection, namespace, taskQueue: QUEUES.webhooks };
  worker = await Worker.create({ ...common, workflowBundle: await loadWorkflowBundle(), activities });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await sender?.close();
  await receiver?.close();
  await db?.drop();
  await server?.close();
});

/**
 * Makes the first attempts, as lanes do, and starts the workflow. Each attempt gets the next of `answers`, later ones
 * the last.
 */
async function deliver(answers: readonly ((response: ServerResponse) => void)[]) {
  const [first, ...more] = answers;
  receiver.posts.length = 0;
  let answer = first!;
  receiver.answer = (response) => {
    answer(response);
    answer = more.shift() ?? answer;
  };
  const webhookId = await outbox.webhook({ url: `http://127.0.0.1:${receiver.port}/` });
  const eventId = await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  nowMs = Math.max(await server.env.currentTimeMs(), Date.now() + MINUTE);
  const now = () => new Date(nowMs).toISOString();
  const { deliveries } = deps.stores;
  const order = {
    worker: 'test',
    after: webhookId.slice(0, -1),
    endpoints: 1,
    most: 1,
    failing: 1,
    plans: PLANS,
    now: now(),
  };
  let { claimed } = await deliveries.claim(order);
  const delivery = claimed[0]!;
  for (;;) {
    const { attempt, status, dueAt } = await post({ ...deps, deliveries, sender }, claimed[0]!);
    if (status !== 'retrying' || attempt === LANE_ATTEMPTS) break;
    nowMs = Date.parse(dueAt!);
    ({ claimed } = await deliveries.claimRetries({ ...order, now: now() }));
  }
  await startDelivery(server.env.client, deliveries, delivery);
  const handle = server.env.client.workflow.getHandle(deliveryWorkflowId(webhookId, delivery.deliveryId));
  await handle.result();
  const { events } = await handle.fetchHistory();
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const [row] = await outbox.rows(
    'SELECT status, attempt_count, status_code FROM webhook_deliveries WHERE webhook_id = $1',
    webhookId,
  );
  const at = receiver.posts.map(({ headers }) => Number(headers['webhook-timestamp']) * 1000);
  const ids = new Set(receiver.posts.map(({ headers }) => headers['webhook-id']));
  return {
    webhookId,
    eventId,
    events: events!,
    currentDetails,
    row,
    ids: [...ids],
    waitsMs: at.slice(1).map((ms, i) => ms - at[i]!),
  };
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers).end();
  };
const near = (ms: number) => expect.closeTo(ms / SECOND, -1);

test('ten attempts over 75 hours, each with the same id, leave fewer than thirty events', async () => {
  const { eventId, events, currentDetails, row, ids, waitsMs } = await deliver([status(500)]);
  expect(ids).toEqual([eventId]);
  const hours = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
  expect(waitsMs.map((ms) => ms / SECOND)).toEqual(hours.map(near));
  expect(row).toEqual({ status: 'failed', attempt_count: 10, status_code: 500 });
  expect(events.length).toBeLessThan(30);
  expect(currentDetails).toMatch(/^The delivery is failed\./);
  for (let n = 1; n <= 10; n++)
    expect(currentDetails).toMatch(new RegExp(`^- Attempt ${n}: status 500 after \\d+ ms$`, 'm'));
  const shown = events.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) =>
    Object.entries(upserted?.searchAttributes?.indexedFields ?? {}).map(
      ([name, { data }]) => `${name} ${[JSON.parse(Buffer.from(data!).toString())].flat()}`,
    ),
  );
  expect(shown.sort()).toEqual(['EventType race.result', 'WorkStatus failed', 'WorkStatus retrying']);
  const history = JSON.stringify(events);
  expect(history).not.toMatch(/whsec_|127\.0\.0\.1:\d+\//);
});

test('a Retry-After only lengthens a wait, and slows the endpoint’s other deliveries too', async () => {
  const answers = [
    status(500),
    status(503, { 'retry-after': '3600' }),
    status(500),
    status(500, { 'retry-after': '18000' }),
    status(429, { 'retry-after': '1' }),
    status(204),
  ];
  const { webhookId, row, waitsMs } = await deliver(answers);
  expect(waitsMs.map((ms) => ms / SECOND)).toEqual([5 * SECOND, HOUR, 30 * MINUTE, 5 * HOUR, 5 * HOUR].map(near));
  expect(row).toEqual({ status: 'delivered', attempt_count: 6, status_code: 204 });
  const [hook] = await outbox.rows(
    'SELECT failure_count, slow_until IS NOT NULL AS slowed FROM webhooks WHERE webhook_id = $1',
    webhookId,
  );
  expect(hook).toEqual({ failure_count: 0, slowed: true });
});

test('a first 410 is retried after a minute; a second one ends the delivery and disables its webhook', async () => {
  const answers = [status(500), status(500), status(500), status(410), status(410)];
  const { webhookId, row, currentDetails, waitsMs } = await deliver(answers);
  expect(waitsMs.at(-1)! / SECOND).toEqual(near(MINUTE));
  expect(row).toEqual({ status: 'failed', attempt_count: 5, status_code: 410 });
  expect(currentDetails).toMatch(/Attempt 4: status 410/);
  const [hook] = await outbox.rows('SELECT disabled_reason FROM webhooks WHERE webhook_id = $1', webhookId);
  expect(hook).toEqual({ disabled_reason: 'gone' });
});
