// In the middle of a live card each part of the service is killed in turn, and the data is checked afterwards: no tick
// is duplicated, no stored tick is lost, every set-once stamp is unchanged, every live race is polled again after the
// part's return, and the API keeps responding from cached or stored data with its age. The duration of each recovery is
// printed; `npm run soak` limits it.

import { join } from 'node:path';
import Redis from 'ioredis';
import { issueKey } from '../../src/ops/issue-key';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { PATIENT_MS } from '../support/patient';
import { type Kept, keptNow, lostTicks, repeatedTicks, silentBooks } from '../support/races/ledger';
import {
  describeWithOwnServers,
  type OwnServers,
  startOwnServers,
  useOwnServers,
} from '../support/servers/own-servers';
import { asLogin } from '../support/servers/roles';
import { type Service, type ServiceProcess, startService, waitFor } from '../support/servers/service';
import { type TcpLine, tcpLine } from '../support/servers/tcp-line';
import { type Standstills, watchStandstills } from '../support/standstill';
import { type Customer, openCustomer, openPayer, type Payer } from './customer';
import { loseWorker, type Takeover } from './takeover';

const SPEED = 2;
const MINUTE = 60_000;
const DOWN_MS = 4000;
/** One race jumps soon after a machine of any speed is ready; the last ones last as long as a slow machine may need. */
const STARTS_IN_MINUTES = [1, 3, 6, 13, 58];
const VENUES = ['Flemington', 'Randwick', 'Doomben', 'Ascot', 'Newcastle'];
const LAST = 'Newcastle';
/** A longer standstill of the machine may make another worker miss its heartbeat too. Race time. */
const STANDSTILL_MS = 8000 * SPEED;
/** Seconds within which every live race is polled again; unlimited if a test shares its machine. */
const RECOVERY_MOST_SECONDS = Number(process.env.RECOVERY_MOST_SECONDS ?? Number.POSITIVE_INFINITY);
/** How long Temporal hangs after it is first reported. In `npm run soak` longer than its SDK waits for a heartbeat. */
const HANGS_MS = Number.isFinite(RECOVERY_MOST_SECONDS) ? 60_000 : 0;

interface Jumped {
  readonly race_id: string;
}
const STAMPS = 'race_id, market_closed_at, jumped_at';
/** The newest race whose close was observed and whose result is not stored. */
const JUMPED = `SELECT ${STAMPS} FROM races r WHERE market_closed_at IS NOT NULL AND jumped_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM race_results p WHERE p.race_id = r.race_id AND p.placings_key <> '')
  ORDER BY start_time DESC LIMIT 1`;

describeWithOwnServers('with one part killed in the middle of a live card', () => {
  let servers: OwnServers;
  let service: Service;
  let customer: Customer;
  let payer: Payer & { readonly key: string };
  let url: string;
  let standstills: Standstills;
  let line: TcpLine;
  const workers: ServiceProcess[] = [];
  /** When the first worker is killed. */
  let jumped: Jumped;
  /** Its connections to the database can be silenced and its clock set. */
  const startWorker = () =>
    service.startWorker({
      DATABASE_URL: asLogin(line.url, 'racing_worker'),
      NODE_OPTIONS: `--import ${join(__dirname, 'stepped-clock.mjs')}`,
    });

  beforeAll(async () => {
    servers = await startOwnServers();
    useOwnServers(servers);
    service = await startService(SPEED, (nowMs) =>
      STARTS_IN_MINUTES.map((minutes, i) => ({
        startMs: nowMs + minutes * MINUTE,
        venue: VENUES[i]!,
        runners: 6,
        jumpDelaySeconds: 30,
        interimAfterSeconds: 60,
      })),
    );
    standstills = watchStandstills(service.now);
    line = await tcpLine(service.db.url);
    workers.push(await startWorker(), await startWorker());
    const polled = async () => (await silentBooks(service.db.pool, service.now() - 30 * MINUTE)).length === 0;
    await waitFor(async () => (await keptNow(service.db.pool)).ticks.size > 200, PATIENT_MS);
    await waitFor(polled, PATIENT_MS);
    ({ url } = await service.startApi());
    customer = await openCustomer(service, url);
    payer = await openPayer(service, url);
  }, 900_000);
  afterAll(async () => {
    standstills?.close();
    await service?.close();
    await line?.close();
    await servers?.close();
  });

  const one = async <T>(text: string, ...values: string[]): Promise<T | undefined> =>
    (await service.db.pool.query(text, values)).rows[0] as T | undefined;
  const last = () => one<{ race_id: string }>('SELECT race_id FROM races WHERE venue = $1', LAST);

  /** Runs `fail`, which breaks and repairs a part, while the customer calls, and measures the cost. */
  async function bears(name: string, fail: () => Promise<void>): Promise<void> {
    const before = await keptNow(service.db.pool);
    await payer.payDuring(fail);
    const backMs = Date.now();
    const backInRace = service.now();
    const resumed = async () => (await silentBooks(service.db.pool, backInRace)).length === 0;
    await waitFor(resumed, PATIENT_MS);
    const seconds = (Date.now() - backMs) / 1000;
    process.stdout.write(`  ${name}: every live race polled again after ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThanOrEqual(RECOVERY_MOST_SECONDS);

    expectKept(before, await keptNow(service.db.pool));
    expect(await repeatedTicks(service.db.pool)).toBe(0);
    expect(await lostTicks(service.db.pool)).toBe(0);
    expect(customer.unanswered()).toEqual([]);
    await expectPaid();
  }

  /**
   * Nothing was charged twice, nothing that failed was charged, and nothing was served free. Uncertain charges are
   * refunded within moments.
   */
  async function expectPaid(): Promise<void> {
    const { credits } = createStores(service.db.pool);
    const used = async () =>
      (await one<{ used: number }>('SELECT sum(used)::bigint AS used FROM credit_balances'))?.used ?? 0;
    const settled = async () => (await used()) === payer.paid();
    await waitFor(settled, PATIENT_MS);
    expect([await used(), payer.wrong(), await credits.audit()]).toEqual([payer.paid(), [], []]);
  }

  test('a hanging Temporal makes a worker not ready within seconds; it lives and keeps polling, and is ready when Temporal continues', async () => {
    const page = (path: string) => fetch(new URL(path, workers[0]!.healthUrl), { headers: { connection: 'close' } });
    const statusOf = async (path: string) => (await page(path)).status;
    await waitFor(async () => (await statusOf('/readyz')) === 200, PATIENT_MS);
    process.kill(servers.pids.temporal, 'SIGSTOP');
    try {
      const body = await waitFor(async () => {
        const reply = await page('/readyz');
        return reply.status === 503 ? reply.json() : null;
      }, PATIENT_MS);
      expect(body).toMatchObject({ temporal: { ok: false }, database: { ok: true } });
      expect([await statusOf('/livez'), await statusOf('/healthz')]).toEqual([200, 200]);
      if (HANGS_MS > 0) {
        await customer.callFor(HANGS_MS);
        const lately = service.now();
        await waitFor(async () => (await silentBooks(service.db.pool, lately)).length === 0, PATIENT_MS);
      }
    } finally {
      process.kill(servers.pids.temporal, 'SIGCONT');
    }
    await waitFor(async () => (await statusOf('/readyz')) === 200, PATIENT_MS);
  }, 900_000);

  /** While Redis is unavailable, and when it returns without its data. */
  async function revokedWithoutRedis(work: () => Promise<void>): Promise<void> {
    const { keys, keyRegister } = createStores(service.db.pool);
    const at = new Date().toISOString();
    const key = await issueKey(keys, { label: 'revoked', plan: 'plus', role: 'customer' }, at);
    const statusOf = async () =>
      (await fetch(`${url}/v1/usage`, { headers: { 'X-API-Key': key, connection: 'close' } })).status;
    expect(await statusOf()).toBe(200);
    await servers.kill('redis');
    await keyRegister.revoke(hashApiKey(key).toString('hex'), at);
    await waitFor(async () => (await statusOf()) === 401, PATIENT_MS);
    await work();
    await servers.start('redis');
    const redis = new Redis(servers.redisUrl);
    await redis.flushall();
    redis.disconnect();
    expect(await statusOf()).toBe(401);
  }

  const parts: readonly { name: string; down: () => Promise<void>; up: () => Promise<void> }[] = [
    { name: 'PostgreSQL', down: () => servers.kill('postgres'), up: () => servers.start('postgres') },
    { name: 'Temporal', down: () => servers.kill('temporal'), up: () => servers.start('temporal') },
    { name: 'the simulator', down: () => service.stopSimulator(), up: () => service.startSimulator() },
  ];

  test(
    'Redis, and a key that is revoked meanwhile',
    () => bears('Redis', () => revokedWithoutRedis(() => customer.callFor(DOWN_MS))),
    900_000,
  );

  /** The race that starts last is taken over from the worker that polls it; a new worker replaces the lost one. */
  async function takenOver(signal: 'SIGKILL' | 'SIGTERM'): Promise<Takeover> {
    const { race_id: raceId } = await waitFor(last, PATIENT_MS);
    const fromMs = service.now();
    let takeover: Takeover | undefined;
    await bears(`one worker by ${signal}`, async () => {
      [takeover] = await Promise.all([loseWorker(service, workers, raceId, signal), customer.callFor(DOWN_MS)]);
    });
    const { lost, next } = takeover!;
    const stood = standstills.within(fromMs, service.now()) > STANDSTILL_MS;
    if (!stood) expect(next.attempt).toBe(lost.attempt + 1);
    expect(next.attempt).toBeGreaterThan(lost.attempt);
    expect(workers.map(({ pid }) => pid)).toContain(next.pid);
    const handedOverMs = next.startedMs - lost.heartbeatMs;
    process.stdout.write(`  ${signal}: taken over ${(handedOverMs / 1000).toFixed(1)} s after the last heartbeat\n`);
    workers.push(await startWorker());
    return takeover!;
  }

  test('a worker killed between a jump and its result loses its races to another after one missed heartbeat', async () => {
    jumped = await waitFor(() => one<Jumped>(JUMPED), PATIENT_MS);

    const { lost, next, heartbeatTimeoutMs } = await takenOver('SIGKILL');
    expect(next.after).toBe('missed heartbeat');
    expect(next.startedMs - lost.heartbeatMs).toBeGreaterThanOrEqual(heartbeatTimeoutMs);
    expect(heartbeatTimeoutMs).toBeLessThanOrEqual(30_000);
  }, 900_000);

  test('a worker that is ordered to stop hands its races over at once', async () => {
    const { next } = await takenOver('SIGTERM');
    expect(next.after).toBe('WorkerShutdown');
  }, 900_000);

  test.each(parts)(
    '$name',
    ({ name, down, up }) =>
      bears(name, async () => {
        await down();
        await customer.callFor(DOWN_MS);
        await up();
      }),
    900_000,
  );

  test(
    'connections to PostgreSQL that go silent',
    () =>
      bears('silent connections', async () => {
        line.swallow();
        await customer.callFor(DOWN_MS);
      }),
    900_000,
  );

  test(
    'the clocks of all workers ten minutes ahead, and back',
    () =>
      bears('a step of the clock', async () => {
        const step = (): void => {
          for (const { pid } of workers) process.kill(pid, 'SIGWINCH');
        };
        step();
        const steppedAt = service.now();
        await waitFor(async () => (await silentBooks(service.db.pool, steppedAt)).length === 0, PATIENT_MS);
        const { at } = (await one<{ at: string }>('SELECT max(polled_at) AS at FROM race_books'))!;
        expect(Date.parse(at)).toBeLessThanOrEqual(service.now());
        step();
      }),
    900_000,
  );

  // This test is last, because the lost worker's unfinished work for the result is repeated only once it has timed out.
  test('the race that had jumped when its worker was killed has its result and its original stamps', async () => {
    const { race_id: raceId } = jumped;
    const placed = () => one("SELECT 1 FROM race_results WHERE race_id = $1 AND placings_key <> ''", raceId);
    await waitFor(placed, PATIENT_MS);
    expect(await one(`SELECT ${STAMPS} FROM races WHERE race_id = $1`, raceId)).toEqual(jumped);
  }, 900_000);
});

function expectKept(before: Kept, after: Kept): void {
  expect([...before.ticks].filter((tick) => !after.ticks.has(tick))).toEqual([]);
  for (const [stamp, value] of before.stamps) expect([stamp, after.stamps.get(stamp)]).toEqual([stamp, value]);
}
