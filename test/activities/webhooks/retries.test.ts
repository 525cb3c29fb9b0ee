// The first three attempts of a delivery while there is no Temporal at all: each on time, under one id, at a real HTTP
// receiver, whatever happens to workers between a post and its end. Also the hand-over of deliveries that failed three
// times.
import type { ServerResponse } from 'node:http';
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { sweepWebhooks } from '../../../src/activities/webhooks/sweep-webhooks';
import type { Lanes } from '../../../src/webhooks/lanes';
import type { Sender } from '../../../src/webhooks/send';
import { createHandOver } from '../../../src/workers/hand-over';
import { deliveryWorkflowId } from '../../../src/workflows/contract';
import { PATIENT_MS } from '../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { waitFor } from '../../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../../support/servers/temporal';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes, webhookDeps } from '../../support/webhooks/posting';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver';

const SECOND = 1000;
const MINUTE = 60_000;

let db: TestDatabase;
let temporal: TestNamespace;
let pools: readonly Pool[];
let outbox: Outbox;
let sender: Sender;
let receiver: Receiver;
let deps: ReturnType<typeof webhookDeps>;
let running: Lanes[];
/** Wall, for all lanes. */
let nowMs: number;
/** Deliveries that were handed over, in order. */
let handedOver: string[];
beforeAll(async () => {
  [db, temporal, receiver] = await Promise.all([createTestDatabase(), createTestNamespace(), startReceiver()]);
  pools = [poolAs(db, 'racing_worker', 5), poolAs(db, 'racing_worker', 5)];
  outbox = openOutbox(db.pool);
  sender = createTestSender();
  deps = webhookDeps(pools[0]!, sender, temporal.client, () => nowMs);
});
afterAll(async () => {
  await sender?.close();
  await receiver?.close();
  for (const pool of pools ?? []) await pool.end();
  await temporal?.close();
  await db?.drop();
});
beforeEach(async () => {
  running = [];
  handedOver = [];
  nowMs = Date.now();
  receiver.posts.length = 0;
  await outbox.rows(
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts',
  );
});
afterEach(() => Promise.all(running.map((lanes) => lanes.close())));

const lanes = (pool = pools[0]!): void => {
  running.push(
    openLanes(pool, sender, { wallMs: () => nowMs, retry: ({ deliveryId }) => handedOver.push(deliveryId) }),
  );
};
const until = (condition: () => boolean | Promise<boolean>) => waitFor(async () => condition(), PATIENT_MS);
const hook = (more = {}) => outbox.webhook({ url: `http://127.0.0.1:${receiver.port}/`, ...more });
/** Each post gets the next status, then 200. */
const answers = (...codes: number[]): void => {
  receiver.answer = (response: ServerResponse) => response.writeHead(codes.shift() ?? 200).end();
};
const queued = () =>
  outbox.rows<{ rank: number; waits: number; leased: boolean }>(
    `SELECT q.rank, extract(epoch FROM q.due_at - $1)::float8 AS waits, q.leased_until IS NOT NULL AS leased FROM webhook_queue q`,
    new Date(nowMs),
  );
/** Waits until the ends of this many posts are written, for one event if it is given. */
const settled = (posts: number, event: string | null = null) =>
  until(async () => {
    const ends = await outbox.rows(
      `SELECT 1 FROM webhook_attempts a JOIN webhook_deliveries d USING (delivery_id)
        WHERE a.duration_ms IS NOT NULL AND ($1::text IS NULL OR d.event_id = $1)`,
      event,
    );
    return ends.length === posts;
  });

test('without Temporal the second and third attempts are made when they are due, and not before', async () => {
  await hook();
  const event = await outbox.event('race.result', newRace());
  const codes = [500, 503];
  receiver.answer = (response, { headers }) =>
    response.writeHead(headers['webhook-id'] === event ? (codes.shift() ?? 200) : 200).end();
  await fanOutAll(deps.stores.deliveries);
  nowMs += SECOND;
  lanes();
  lanes(pools[1]);
  for (const [posts, waitMs] of [
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
  ] as const) {
    await settled(posts, event);
    expect(await queued()).toEqual([{ rank: 4, waits: waitMs / SECOND, leased: false }]);
    nowMs += waitMs - 1;
    // In the meantime another event is fully delivered, so the lanes have checked.
    const other = await outbox.event('race.result', newRace());
    await fanOutAll(deps.stores.deliveries);
    nowMs += 0.5;
    await settled(1, other);
    expect(receiver.posts.filter(({ headers }) => headers['webhook-id'] === event)).toHaveLength(posts);
    nowMs += 0.5;
    await settled(posts + 1, event);
  }
  await until(async () => (await queued()).length === 0);
  const rows = await outbox.rows(
    'SELECT status, attempt_count, status_code FROM webhook_deliveries WHERE event_id = $1',
    event,
  );
  expect(rows).toEqual([{ status: 'delivered', attempt_count: 3, status_code: 200 }]);
  expect(handedOver).toEqual([]);
});

test('a worker that dies between a post and its end loses no second attempt, and only that attempt is repeated', async () => {
  answers(500);
  await hook();
  await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  nowMs += SECOND;
  lanes();
  await settled(1);
  await Promise.all(running.splice(0).map((one) => one.close()));
  const waiting: ServerResponse[] = [];
  receiver.answer = (response) => waiting.push(response);
  const dying = poolAs(db, 'racing_worker', 2);
  nowMs += 6 * SECOND;
  lanes(dying);
  await until(() => waiting.length === 1);
  await dying.end();
  // Not awaited: the result of a query to a closed pool never arrives.
  void running.pop()!.close();
  receiver.answer = (response) => response.end();
  for (const table of ['webhook_queue', 'webhook_leases'])
    await outbox.rows(`UPDATE ${table} SET leased_until = now() - interval '1 second'`);
  nowMs += 30 * SECOND;
  lanes(pools[1]);
  await until(async () => (await queued()).length === 0);
  waiting[0]!.end();
  const ids = receiver.posts.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  expect(await outbox.rows('SELECT attempt, status_code FROM webhook_attempts ORDER BY attempt')).toEqual([
    { attempt: 1, status_code: 500 },
    { attempt: 2, status_code: null },
    { attempt: 3, status_code: 200 },
  ]);
  // The dead worker gives up.
  nowMs += MINUTE;
});

test('a first 410 is retried after a minute and forgiven; a second one of the same delivery disables the webhook', async () => {
  answers(410, 200, 410, 410);
  const id = await hook();
  const disabled = async () =>
    (await outbox.rows('SELECT disabled_reason FROM webhooks WHERE webhook_id = $1', id))[0]!.disabled_reason;
  for (const [posts, reason] of [
    [1, null],
    [3, 'gone'],
  ] as const) {
    await outbox.event('race.result', newRace());
    await fanOutAll(deps.stores.deliveries);
    // The second time the lanes are already running: an attempt may have ended.
    if (posts === 1) {
      nowMs += SECOND;
      lanes();
    }
    await settled(posts);
    expect(await queued()).toEqual([{ rank: 4, waits: 60, leased: false }]);
    expect(await disabled()).toBeNull();
    nowMs += MINUTE;
    await settled(posts + 1);
    await until(async () => (await queued()).length === 0);
    expect(await disabled()).toBe(reason);
  }
});

test('a delivery that failed three times is handed over once; a start that Temporal refuses fails no other, and the sweep makes up for it', async () => {
  receiver.answer = (response) => response.writeHead(500).end();
  const id = await hook();
  for (let n = 0; n < 3; n++) await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  nowMs += SECOND;
  lanes();
  for (const posts of [3, 6, 9]) {
    await settled(posts);
    if (posts < 9) nowMs += 6 * MINUTE;
  }
  await until(() => handedOver.length === 3);
  expect((await queued()).map(({ rank }) => rank)).toEqual([3, 3, 3]);
  const { client } = temporal;
  const stuck = handedOver[0]!;
  const failing: string[] = [];
  // Its call is never answered.
  const slow = Object.assign(Object.create(client) as Client, {
    workflow: Object.assign(Object.create(client.workflow), {
      start: (...args: Parameters<Client['workflow']['start']>) =>
        args[1].workflowId.endsWith(stuck) ? new Promise(() => undefined) : client.workflow.start(...args),
    }),
  });
  const handOver = createHandOver(slow, deps.stores.deliveries, {
    warn: (...[fields]: readonly unknown[]) => failing.push(String((fields as { err: Error }).err.message)),
  });
  for (const deliveryId of handedOver) handOver({ deliveryId, webhookId: id, kind: 'race.result' });
  const isRunning = (deliveryId: string) =>
    client.workflow
      .getHandle(deliveryWorkflowId(id, deliveryId))
      .describe()
      .then(
        () => true,
        () => false,
      );
  for (const deliveryId of handedOver.slice(1)) await until(() => isRunning(deliveryId));
  expect(failing).toEqual([]);
  expect(await isRunning(stuck)).toBe(false);
  // None of them has been checked: the sweep starts those without a workflow, and leaves the running ones.
  nowMs += 40 * MINUTE;
  expect(await sweepWebhooks(deps, () => undefined)).toMatchObject({ late: 3, started: 3 });
  expect(await isRunning(stuck)).toBe(true);
});
