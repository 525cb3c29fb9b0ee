// Events are delivered to real receivers through lanes that share only the database: each at least once under its one
// id, in the order of its race, at most four at an endpoint, and none delayed by another endpoint. The tests also cover
// recovery from workers that are gone.
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import type { Pool } from 'pg';
import { createActivities } from '../../../src/activities';
import type { ActivityDeps } from '../../../src/activities/deps';
import { startDelivery } from '../../../src/activities/webhooks/start-delivery';
import { sweepWebhooks } from '../../../src/activities/webhooks/sweep-webhooks';
import { readOutboxAge } from '../../../src/store/webhooks/outbox-age';
import type { Lanes } from '../../../src/webhooks/lanes';
import type { Sender } from '../../../src/webhooks/send';
import { createWorkers } from '../../../src/workers/create-workers';
import { deliveryWorkflowId } from '../../../src/workflows/contract';
import { PATIENT_MS } from '../../support/patient';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { installQuietRuntime } from '../../support/servers/quiet-runtime';
import { poolAs } from '../../support/servers/roles';
import { waitFor } from '../../support/servers/service';
import { createTestNamespace, type TestNamespace } from '../../support/servers/temporal';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';
import { createTestSender, fanOutAll, openLanes, webhookDeps } from '../../support/webhooks/posting';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver';

const pem = (name: string): string => readFileSync(join(__dirname, '../../fixtures/tls', name), 'utf8');

const MINUTE = 60_000;

let db: TestDatabase;
let temporal: TestNamespace;
let pools: readonly [Pool, Pool];
let outbox: Outbox;
let sender: Sender;
let deps: ReturnType<typeof webhookDeps>;
let open: (Lanes | Receiver)[];
beforeAll(async () => {
  [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  pools = [poolAs(db, 'racing_worker', 5), poolAs(db, 'racing_worker', 5)];
  outbox = openOutbox(db.pool);
  sender = createTestSender();
  deps = webhookDeps(pools[0], sender, temporal.client);
});
afterAll(async () => {
  await sender?.close();
  for (const pool of pools ?? []) await pool.end();
  await temporal?.close();
  await db?.drop();
});
beforeEach(async () => {
  open = [];
  await outbox.rows(
    'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, webhook_failures',
  );
});
afterEach(() => Promise.all(open.map((one) => one.close())));

async function receiver(answer?: Receiver['answer']): Promise<Receiver> {
  const made = await startReceiver();
  if (answer) made.answer = answer;
  open.unshift(made);
  return made;
}
const lanes = (...of: Parameters<typeof openLanes>): Lanes => {
  const made = openLanes(...of);
  open.unshift(made);
  return made;
};
const hookAt = ({ port }: Receiver, more = {}) => outbox.webhook({ url: `http://127.0.0.1:${port}/`, ...more });
const bodies = ({ posts }: Receiver) =>
  posts.map(({ body }) => JSON.parse(body) as { race_id: string; sequence: number });
const until = (condition: () => boolean | Promise<boolean>) => waitFor(async () => condition(), PATIENT_MS);
const countOf = async (status: string): Promise<number> =>
  (await outbox.rows('SELECT 1 FROM webhook_deliveries WHERE status = $1', status)).length;

test('two workers deliver every event once, in the order of each race, at most four at an endpoint', async () => {
  let underWay = 0;
  let most = 0;
  const slowly: Receiver['answer'] = (response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setImmediate(() => {
      underWay -= 1;
      response.end();
    });
  };
  const first = await receiver(slowly);
  const second = await receiver();
  const hooks = [await hookAt(first), await hookAt(second), await hookAt(second)];
  const races = Array.from({ length: 5 }, newRace);
  for (let n = 0; n < 12; n++) for (const race of races) await outbox.event('race.scratching', race);
  await fanOutAll(deps.stores.deliveries);
  lanes(pools[0], sender);
  lanes(pools[1], createTestSender());
  await until(async () => (await countOf('delivered')) === 60 * hooks.length);
  expect(most).toBeLessThanOrEqual(4);
  expect(first.posts).toHaveLength(60);
  expect(new Set(first.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
  for (const race of races) {
    const sequences = bodies(first).filter(({ race_id }) => race_id === race);
    expect(sequences.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  }
  expect(second.posts).toHaveLength(120);
});

test('a hanging endpoint delays no other', async () => {
  const hanging: ServerResponse[] = [];
  const stuck = await receiver((response) => hanging.push(response));
  const fine = await receiver();
  const hooks = [await hookAt(stuck), await hookAt(stuck), await hookAt(fine)];
  for (let n = 0; n < 30; n++) await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  lanes(pools[0], sender, { slots: 11 });
  await until(async () => stuck.posts.length === 8 && (await countOf('delivered')) === 30);
  // All posts to the others arrived while the first of these were still waiting for a response.
  expect([hooks.length, hanging.length, fine.posts.length]).toEqual([3, 8, 30]);
  expect(await readOutboxAge(db.pool, new Date(Date.now() + 10_000).toISOString())).toBe(0);
  stuck.answer = (response) => response.end();
  for (const response of hanging) response.end();
  await until(async () => (await countOf('delivered')) === 90);
});

test('a 429, a head without end and a bad certificate each fail in their own way, and delay no other endpoint', async () => {
  const limited = await receiver((response) => response.writeHead(429, { 'retry-after': '120' }).end());
  const trickling = await receiver((response) => {
    const timer = setInterval(() => response.socket?.write('H'), 20);
    response.on('close', () => clearInterval(timer));
    response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
  });
  const distrusted = await startReceiver({ key: pem('server.key'), cert: pem('server.pem') });
  open.unshift(distrusted);
  let trickledAtLast = 0;
  const fine = await receiver((response) => {
    trickledAtLast = trickling.posts.length;
    response.end();
  });
  const hooks = {
    // Deliveries that were leased ahead for it are released.
    limited: await hookAt(limited, { pace_ms: 10 }),
    trickling: await hookAt(trickling),
    fine: await hookAt(fine),
    distrusted: await outbox.webhook({ url: `https://127.0.0.1:${distrusted.port}/` }),
  };
  for (let n = 0; n < 9; n++) await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  const impatient = createTestSender(2000);
  // The clock stands still, so that nothing is due again.
  const nowMs = Date.now() + MINUTE;
  const running = openLanes(pools[0], impatient, { slots: 12, wallMs: () => nowMs });
  try {
    const retried = () => outbox.rows('SELECT DISTINCT webhook_id FROM webhook_queue WHERE rank = 4');
    await until(async () => (await retried()).length === 3 && fine.posts.length === 9);
    // With four at a time and then one, its nine posts would take six times the patience.
    expect(trickledAtLast).toBeLessThan(9);
    await outbox.event('race.result', newRace());
    await fanOutAll(deps.stores.deliveries);
    await until(() => fine.posts.length === 10);
  } finally {
    await running.close();
    await impatient.close();
  }
  // The lanes skipped its other deliveries, which are due.
  expect(limited.posts.length).toBeLessThanOrEqual(4);
  const failed = await outbox.rows(
    `SELECT DISTINCT webhook_id, d.status, d.status_code, d.error, due_at - a.started_at >= interval '120 s' AS long
       FROM webhook_deliveries d JOIN webhook_attempts a USING (webhook_id, delivery_id) WHERE d.status = 'retrying'`,
  );
  const row = (webhook_id: string, status_code: number | null, error: string) => ({
    webhook_id,
    status: 'retrying',
    status_code,
    error,
    long: status_code === 429,
  });
  expect(new Map(failed.map((one) => [one.webhook_id, one]))).toEqual(
    new Map(
      [
        row(hooks.limited, 429, 'The receiver responded with status 429.'),
        row(hooks.trickling, null, 'The receiver did not respond in time.'),
        row(hooks.distrusted, null, 'The certificate of the receiver is not trusted.'),
      ].map((one) => [one.webhook_id, one]),
    ),
  );
  expect(failed).toHaveLength(3);
  expect(distrusted.posts).toEqual([]);
});

test('what was claimed while the first posts failed is not posted', async () => {
  const hanging: ServerResponse[] = [];
  const limited = await receiver((response) => hanging.push(response));
  const refuse = (response: ServerResponse) => response.writeHead(429, { 'retry-after': '120' }).end();
  const hook = await hookAt(limited, { pace_ms: 10 });
  const add = async (events: number): Promise<void> => {
    for (let n = 0; n < events; n++) await outbox.event('race.result', newRace());
    await fanOutAll(deps.stores.deliveries);
  };
  await add(3);
  // The answer to the second claim arrives after the ends of the first posts are written.
  let claimedLate = 0;
  const { deliveries } = deps.stores;
  const claim: typeof deliveries.claim = async (order) => {
    const answer = await deliveries.claim(order);
    if (claimedLate > 0 || answer.claimed.length === 0 || limited.posts.length < 3) return answer;
    claimedLate = answer.claimed.length;
    limited.answer = refuse;
    hanging.forEach(refuse);
    await until(async () => (await countOf('retrying')) === 3);
    return answer;
  };
  const nowMs = Date.now() + MINUTE;
  const running = lanes(pools[0], sender, { deliveries: { ...deliveries, claim }, slots: 12, wallMs: () => nowMs });
  await until(() => hanging.length === 3);
  await add(4);
  await until(async () => claimedLate > 0 && (await outbox.rows('SELECT 1 FROM webhook_leases')).length === 0);
  await running.close();
  expect(limited.posts).toHaveLength(3);
  expect(await outbox.rows('SELECT slow_until IS NOT NULL AS slow FROM webhooks WHERE webhook_id = $1', hook)).toEqual([
    { slow: true },
  ]);
});

test('a worker that dies while it posts loses nothing: its lease ends, and another posts under the same id', async () => {
  const waiting: ServerResponse[] = [];
  const target = await receiver((response) => waiting.push(response));
  await hookAt(target);
  const id = await outbox.event('race.result', newRace());
  await fanOutAll(deps.stores.deliveries);
  // Its settlement never arrives: its pool is gone by then.
  const dying = poolAs(db, 'racing_worker', 2);
  let skippedMs = 0;
  const lost = openLanes(dying, createTestSender(), {
    wallMs: () => {
      if (skippedMs > 0) skippedMs += 20_000;
      return Date.now() + skippedMs;
    },
  });
  await until(() => waiting.length === 1);
  await dying.end();
  let nowMs = Date.now();
  lanes(pools[0], sender, { wallMs: () => nowMs });
  target.answer = (response) => response.end();
  for (const table of ['webhook_queue', 'webhook_leases'])
    await outbox.rows(`UPDATE ${table} SET leased_until = now() - interval '1 second'`);
  nowMs += 30_000;
  await until(async () => (await countOf('delivered')) === 1);
  expect(target.posts.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  expect(
    await outbox.rows('SELECT attempt, duration_ms IS NULL AS cut FROM webhook_attempts ORDER BY attempt'),
  ).toEqual([
    { attempt: 1, cut: true },
    { attempt: 2, cut: false },
  ]);
  waiting[0]!.end();
  skippedMs = 1;
  await lost.close();
});

describe('with Temporal', () => {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    installQuietRuntime();
    const { address, namespace } = temporal;
    const connection = await NativeConnection.connect({ address });
    const slots = { live: 1, io: 1, backfill: 1, webhooks: 5, webhookRetries: 5, cachedWorkflows: 10 };
    // Only what the role needs.
    const activities = createActivities({ ...deps, stores: { ...deps.stores, health: {} } } as unknown as ActivityDeps);
    const workers = await createWorkers({ connection, namespace, slots, roles: ['webhooks'], activities });
    const running = Promise.all([...workers.values()].map((worker) => worker.run()));
    stop = async () => {
      for (const worker of workers.values()) worker.shutdown();
      await running;
      await connection.close();
    };
  });
  afterAll(() => stop());

  test('a receiver that was away gets what it missed, even if its workflow was lost', async () => {
    const target = await receiver();
    const hook = await hookAt(target);
    const { port } = target;
    await target.close();
    const events = [await outbox.event('race.result', newRace()), await outbox.event('race.result', newRace())];
    await fanOutAll(deps.stores.deliveries);
    const failed: { deliveryId: string; webhookId: string; kind: string }[] = [];
    let nowMs = Date.now();
    const running = lanes(pools[0], sender, { wallMs: () => nowMs, retry: (delivery) => failed.push(delivery) });
    for (const attempt of [1, 2, 3]) {
      await until(
        async () =>
          (await outbox.rows('SELECT 1 FROM webhook_attempts WHERE duration_ms IS NOT NULL')).length === 2 * attempt,
      );
      if (attempt < 3) nowMs += 7 * MINUTE;
    }
    await until(() => failed.length === 2);
    await running.close();
    // Due now, and for several minutes.
    await outbox.rows("UPDATE webhook_queue SET due_at = now() - interval '3 minutes'");
    await outbox.rows("UPDATE webhook_deliveries SET due_at = now() - interval '3 minutes'");
    const back = await startReceiver(undefined, port);
    open.unshift(back);
    const { client } = temporal;
    // The start of one of them is lost.
    await startDelivery(client, deps.stores.deliveries, failed[0]!);
    await until(async () => (await countOf('delivered')) === 1);
    await client.workflow.getHandle(deliveryWorkflowId(hook, failed[0]!.deliveryId)).result();
    expect(await sweepWebhooks(deps, () => undefined)).toMatchObject({ late: 1, started: 1, disabled: 0 });
    await until(async () => (await countOf('delivered')) === 2);
    expect(back.posts.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...events].sort());
    const rows = await outbox.rows('SELECT attempt_count, status_code FROM webhook_deliveries');
    expect(rows).toEqual([
      { attempt_count: 4, status_code: 200 },
      { attempt_count: 4, status_code: 200 },
    ]);
  });
});
