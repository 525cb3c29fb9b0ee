// While 20 backfill jobs of three accounts are collected, the worker, PostgreSQL and Temporal are killed in turn, each
// after a counted delivery. In the end every horse was delivered once and charged once, and none is lost (B 3, D50).
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { createBackfills } from '../../src/api/operations/backfill/backfill';
import { createBackfillStarter } from '../../src/api/operations/backfill/backfill-starter';
import { runnerKey } from '../../src/domain/race/runner';
import { aetDay } from '../../src/domain/time/aet';
import { horseCodeOf } from '../../src/simulator/registry/meetings';
import { createStores } from '../../src/store/create-stores';
import { hashApiKey } from '../../src/store/keys/keys';
import { createReads } from '../../src/store/reads/reads';
import { keyRow, newKey } from '../support/api/api';
import { PATIENT_MS } from '../support/patient';
import { addRuns } from '../support/races/stored-runs';
import {
  describeWithOwnServers,
  type OwnServers,
  startOwnServers,
  useOwnServers,
} from '../support/servers/own-servers';
import { asLogin, poolAs } from '../support/servers/roles';
import { type Service, startService, waitFor } from '../support/servers/service';

const JOB = 25;
/** Horses of each account, from the first to before the last: two of the lists share thirty. */
const LISTS = [
  [0, 200],
  [170, 345],
  [315, 440],
] as const;
const HORSES = 440;
const ORDERED = 500;
/** After this many deliveries a part is killed. */
const WORKER_AFTER = 50;
const POSTGRES_AFTER = 150;
const TEMPORAL_AFTER = 250;

describeWithOwnServers('20 backfill jobs while parts are killed', () => {
  let servers: OwnServers;
  let service: Service;
  let pool: Pool;
  beforeAll(async () => {
    servers = await startOwnServers();
    useOwnServers(servers);
    service = await startService(1, (nowMs) =>
      Array.from({ length: 40 }, (_, i) => ({ startMs: nowMs + i * 60_000, category: 'horse' as const, runners: 14 })),
    );
    pool = poolAs(service.db, 'racing_api');
  }, 900_000);
  afterAll(async () => {
    await pool?.end();
    await service?.close();
    await servers?.close();
  });

  /** Horses of the simulated registry, each with a code that opens its page. */
  async function knownHorses(): Promise<readonly string[]> {
    const days = new Set([service.now(), service.now() + 3_600_000].map(aetDay));
    const races = [...days].flatMap((day) => service.simulator.world.meetings(day)).flatMap((one) => one.races);
    const entries = races.flatMap((race) =>
      race.runners.map(
        ({ name, ...runner }) => [runnerKey(name), { name, code: horseCodeOf(race, { name, ...runner }) }] as const,
      ),
    );
    const horses = [...new Map(entries).values()].slice(0, HORSES);
    const start_time = new Date(service.now() - 86_400_000).toISOString();
    await addRuns(
      service.db.pool,
      ...horses.map(({ name, code }) => ({ name, runner_ref: `ra:${code}`, category: 'horse' as const, start_time })),
    );
    return horses.map(({ name }) => name);
  }

  async function newAccount() {
    const key = newKey();
    const { keys } = createStores(service.db.pool);
    const hash = hashApiKey(key);
    await keys.insert(hash, keyRow(key, { plan: 'plus' }));
    return (await keys.find([hash]))[0]!;
  }

  const counted = async <T>(text: string): Promise<readonly T[]> => (await service.db.pool.query(text)).rows as T[];
  const delivered = async (): Promise<number> => {
    const rows = await counted<{ n: number }>("SELECT count(*) AS n FROM backfill_items WHERE state = 'done'");
    return Number(rows[0]!.n);
  };
  /** A database that is just returning does not answer. */
  const reached = (deliveries: number) =>
    waitFor(
      () =>
        delivered().then(
          (n) => n >= deliveries && n,
          () => null,
        ),
      PATIENT_MS,
    );

  test('every horse is delivered and charged exactly once', async () => {
    const horses = await knownHorses();
    expect(horses).toHaveLength(HORSES);
    const missed: string[] = [];
    const start = createBackfillStarter(service.temporal.client, (_, jobId) => missed.push(jobId));
    const { backfill, credits } = createStores(pool);
    const desk = createBackfills({ store: backfill, start, random: randomInt }, createReads(pool));
    const jobs: { accountId: string; jobId: string }[] = [];
    for (const [from, to] of LISTS) {
      const account = await newAccount();
      for (let at = from; at < to; at += JOB) {
        const list = { horses: horses.slice(at, at + JOB), label: null };
        const { jobId, queued } = await desk.submit({ ...account, role: 'customer' }, list, service.now());
        expect(queued).toBe(JOB);
        jobs.push({ accountId: account.accountId, jobId });
      }
    }
    expect(jobs).toHaveLength(20);

    const startWorker = () =>
      service.startWorker({
        WORKER_ROLES: 'backfill',
        FEED_REGISTRY_SPACING_MS: '10',
        WORKER_BACKFILL_SLOTS: '4',
        DATABASE_URL: asLogin(service.db.url, 'racing_worker'),
      });
    const worker = await startWorker();
    const at: string[] = [];
    const kills: readonly [string, number, () => Promise<unknown>][] = [
      ['the worker', WORKER_AFTER, () => worker.kill('SIGKILL').then(startWorker)],
      ['PostgreSQL', POSTGRES_AFTER, () => servers.kill('postgres').then(() => servers.start('postgres'))],
      ['Temporal', TEMPORAL_AFTER, () => servers.kill('temporal').then(() => servers.start('temporal'))],
    ];
    for (const [name, after, kill] of kills) {
      // The excess is what was delivered while this process stood still.
      at.push(`${name} after ${await reached(after)}`);
      await kill();
    }
    await reached(ORDERED);
    process.stdout.write(`  killed: ${at.join(', ')}; ${ORDERED} delivered\n`);

    expect(missed).toEqual([]);
    for (const { accountId, jobId } of jobs) {
      const { queued, done, failed } = await desk.status(accountId, jobId, service.now());
      expect([jobId, queued, done, failed]).toEqual([jobId, 0, JOB, 0]);
    }
    expect(
      await counted(`SELECT count(*) AS lines, count(DISTINCT charge_id) AS once, sum(credits) AS credits
        FROM credit_ledger WHERE kind = 'charge' AND subject = 'submit_backfill'`),
    ).toEqual([{ lines: ORDERED, once: ORDERED, credits: 3 * ORDERED }]);
    const used = await counted<{ used: number }>('SELECT used FROM credit_balances ORDER BY used');
    expect(used.map((one) => Number(one.used))).toEqual([3 * 125, 3 * 175, 3 * 200]);
    expect(await credits.audit()).toEqual([]);
    expect(
      await counted(`SELECT count(*) AS wrong FROM backfill_items
        WHERE runner_key <> regexp_replace(lower(form ->> 'name'), '[^a-z0-9]', '', 'g')`),
    ).toEqual([{ wrong: 0 }]);
    expect(await counted('SELECT count(*) AS pages FROM horse_forms')).toEqual([{ pages: HORSES }]);
  }, 600_000);
});
