// While events go to ten webhooks, the worker, PostgreSQL and Temporal are killed in turn, each after a counted
// delivery. In the end every webhook got every event at least once under its one id, at most four posts at a time, and
// only posts that were leased at a kill were repeated (D54, D55).
import type { ServerResponse } from 'node:http';
import type { Pool } from 'pg';
import { sweepWebhooks } from '../../src/activities/webhooks/sweep-webhooks';
import { PATIENT_MS } from '../support/patient';
import {
  describeWithOwnServers,
  type OwnServers,
  startOwnServers,
  useOwnServers,
} from '../support/servers/own-servers';
import { asLogin, poolAs } from '../support/servers/roles';
import { type Service, startService, waitFor } from '../support/servers/service';
import { newRace, type Outbox, openOutbox } from '../support/webhooks/outbox';
import { createTestSender, webhookDeps } from '../support/webhooks/posting';
import { type Receiver, startReceiver } from '../support/webhooks/receiver';

const HOOKS = 10;
const RACES = 20;
const EVENTS_OF_A_RACE = 8;
const ALL = HOOKS * RACES * EVENTS_OF_A_RACE;
/** For each webhook: its first post gets a 500, so that it is retried. */
const FAILING_EACH = 60;
/** After this many deliveries a part is killed. */
const WORKER_AFTER = 300;
const POSTGRES_AFTER = 700;
const TEMPORAL_AFTER = 1100;
const KILLS = 3;
const SLOTS = 40;
/** By one worker at once: four for each slot (src/webhooks/lanes.ts). */
const LEASED = 4 * SLOTS;

describeWithOwnServers('webhooks while parts are killed', () => {
  let servers: OwnServers;
  let service: Service;
  let pool: Pool;
  let outbox: Outbox;
  let receiver: Receiver;
  beforeAll(async () => {
    servers = await startOwnServers();
    useOwnServers(servers);
    service = await startService(1);
    pool = poolAs(service.db, 'racing_worker');
    outbox = openOutbox(service.db.pool);
    receiver = await startReceiver();
  }, 900_000);
  afterAll(async () => {
    await receiver?.close();
    await pool?.end();
    await service?.close();
    await servers?.close();
  });

  const counted = async (where: string): Promise<number> =>
    (await outbox.rows<{ n: number }>(`SELECT count(*)::integer AS n FROM webhook_deliveries WHERE ${where}`))[0]!.n;
  /** A database that is just returning does not answer. */
  const reached = (deliveries: number) =>
    waitFor(
      () =>
        counted(`status = 'delivered'`).then(
          (n) => n >= deliveries && n,
          () => null,
        ),
      PATIENT_MS,
    );

  /** Per path, as the receiver sees them. */
  const underWay = new Map<string, number>();
  let most = 0;
  const seen = new Set<string>();
  const failed = new Set<string>();
  function answer(response: ServerResponse, path: string, id: string): void {
    const now = (underWay.get(path) ?? 0) + 1;
    underWay.set(path, now);
    most = Math.max(most, now);
    response.once('close', () => underWay.set(path, underWay.get(path)! - 1));
    const isFirst = !seen.has(`${path} ${id}`);
    seen.add(`${path} ${id}`);
    if (isFirst && receiver.posts.length % FAILING_EACH === 0) {
      failed.add(`${path} ${id}`);
      response.statusCode = 500;
    }
    setTimeout(() => response.end(), 20);
  }

  test('every webhook gets every event', async () => {
    receiver.answer = (response, { path, headers }) => answer(response, path, String(headers['webhook-id']));
    for (let n = 0; n < HOOKS; n++) await outbox.webhook({ url: `http://127.0.0.1:${receiver.port}/${n}` });
    const ids: string[] = [];
    const races = Array.from({ length: RACES }, newRace);
    for (let n = 0; n < EVENTS_OF_A_RACE; n++)
      for (const race of races) ids.push(await outbox.event('race.scratching', race));

    const startWorker = () =>
      service.startWorker({
        WORKER_ROLES: 'webhooks',
        WORKER_WEBHOOK_SLOTS: String(SLOTS),
        DATABASE_URL: asLogin(service.db.url, 'racing_worker'),
      });
    const worker = await startWorker();
    const kills: readonly [string, number, () => Promise<unknown>][] = [
      ['the worker', WORKER_AFTER, () => worker.kill('SIGKILL').then(startWorker)],
      ['PostgreSQL', POSTGRES_AFTER, () => servers.kill('postgres').then(() => servers.start('postgres'))],
      ['Temporal', TEMPORAL_AFTER, () => servers.kill('temporal').then(() => servers.start('temporal'))],
    ];
    const at: string[] = [];
    for (const [name, after, kill] of kills) {
      at.push(`${name} after ${await reached(after)}`);
      await kill();
    }
    await waitFor(async () => (await counted(`status = 'pending'`).catch(() => 1)) === 0, PATIENT_MS);
    // In service the Schedule does it: it starts what Temporal missed.
    const sender = createTestSender();
    const deps = webhookDeps(pool, sender, service.temporal.client);
    await waitFor(() => sweepWebhooks(deps, () => undefined).catch(() => null), PATIENT_MS);
    await reached(ALL);
    await sender.close();

    const posts = receiver.posts.map(({ path, headers }) => `${path} ${headers['webhook-id']}`);
    process.stdout.write(
      `  killed: ${at.join(', ')}; ${posts.length} posts of ${ALL} deliveries, ${failed.size} failed first\n`,
    );
    for (let n = 0; n < HOOKS; n++) expect(ids.filter((id) => !posts.includes(`/${n} ${id}`))).toEqual([]);
    expect(failed.size).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
    const attempts = await outbox.rows(`SELECT 1 FROM webhook_attempts`);
    // Every post has its row, which is written before it.
    expect(posts.length).toBeLessThanOrEqual(attempts.length);
    // Cut off by the worker's end, or not settled because PostgreSQL was unavailable for longer than a post waits for
    // it: once for each kill, the leased ones.
    expect(posts.length - ALL - failed.size).toBeLessThanOrEqual(KILLS * LEASED);
    const times = new Map<string, number>();
    for (const post of posts) times.set(post, (times.get(post) ?? 0) + 1);
    expect([...times].filter(([post, n]) => n > 1 + KILLS + Number(failed.has(post)))).toEqual([]);
  }, 900_000);
});
