// The service of the year in one process: its stores over a worker's login and an API's, the activities as a worker
// makes them, the lanes of webhooks, the API over HTTP, and the simulated books. All use the stepped clocks. Temporal
// is not part of it: what a job would start is recorded, and the year does it.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Pool } from 'pg';
import { type Activities, createActivities } from '../../../src/activities';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { type Config, loadConfig } from '../../../src/config';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { createFileStore } from '../../../src/file-store/create-file-store';
import type { FileStore } from '../../../src/file-store/file-store';
import { createLog } from '../../../src/log';
import { createSimulator } from '../../../src/simulator/http/server';
import type { RaceScript } from '../../../src/simulator/world/scripts';
import type { World } from '../../../src/simulator/world/world';
import { createStores } from '../../../src/store/create-stores';
import { follow } from '../../../src/store/events/follow-prices';
import { createPool } from '../../../src/store/pg/pool';
import { createReads } from '../../../src/store/reads/reads';
import { createAddressBudget } from '../../../src/store/redis/address-budget';
import { createKeyLimit } from '../../../src/store/redis/key-limit';
import { createRedis } from '../../../src/store/redis/redis';
import { createSharedAnswers } from '../../../src/store/redis/shared-answers';
import { createResolver } from '../../../src/webhooks/address/resolver';
import { activityDeps } from '../../../src/wiring/collecting';
import type { Wiring } from '../../../src/wiring/service';
import { deliverWebhooks } from '../../../src/workers/deliver-webhooks';
import { startApi, type TestApi } from '../api/api';
import { SIGNER } from '../manifests';
import { yearFeeds } from './books';
import type { SteppedClock } from './clock';

const CONNECTIONS = 4;

/**
 * On a busy machine a connection waits for seconds until it is used again, and a new one must first read the catalogue.
 */
export function standing(pool: Pool): Pool {
  pool.options.idleTimeoutMillis = 0;
  return pool;
}

export interface Addresses {
  readonly workerUrl: string;
  readonly apiUrl: string;
  readonly redisUrl: string;
  readonly folder: string;
}

export interface YearService {
  readonly wiring: Wiring;
  readonly world: World;
  readonly api: TestApi;
  readonly files: FileStore;
  readonly bulkFolder: string;
  /** As in a worker, with a context. */
  run<K extends keyof Activities>(
    name: K,
    ...args: Parameters<Activities[K]>
  ): Promise<Awaited<ReturnType<Activities[K]>>>;
  /** Backfill jobs whose workflow would have started since the last call. */
  startedJobs(): readonly string[];
  /** Runs the lanes of webhooks until every event is fanned out and no due delivery waits. */
  posted(pool: Pool): Promise<void>;
  /** The hourly pass of an API process. */
  housekeeping(): Promise<void>;
  close(): Promise<void>;
}

export async function startService(
  at: Addresses,
  clock: SteppedClock,
  races: readonly RaceScript[],
): Promise<YearService> {
  const simulator = createSimulator({ seed: 'year', now: clock.now, races });
  const simulatorUrl = await simulator.listen(0);
  const config = configOf(at, simulatorUrl);
  const log = createLog('year', process.env.LOG_LEVEL ?? 'error');
  const pool = standing(createPool(at.workerUrl, CONNECTIONS, { clock: REAL_TIME }));
  const stores = createStores(pool);
  const closing: (() => void)[] = [];
  const { now, wallMs } = clock;
  const lacking = async () => [];
  const judged = { lacking, wrongDirect: async () => null };
  const wiring: Wiring = { config, log, pool, ...judged, stores, now, wallMs, closing, close: () => pool.end() };
  const jobs: string[] = [];
  const { api, close, housekeeping } = await serveApi(at, config, clock);
  const feeds = yearFeeds(simulator.world, now);
  const deps = { ...activityDeps(wiring, noTemporal(jobs)), feeds, apiBaseUrl: api.url };
  const activities = createActivities(deps);
  const instant = () => new Date(now()).toISOString();
  const followPrices = (entitledPlans: readonly string[]) => follow({ pool, now: instant, entitledPlans });
  const deliver = (stop: AbortSignal) => deliverWebhooks({ deps, followPrices, slots: 20, log, stop });
  return {
    wiring,
    world: simulator.world,
    api,
    files: deps.files,
    bulkFolder: `${at.folder}/bulk`,
    run: (name, ...args) =>
      new MockActivityEnvironment().run(activities[name] as (...a: never[]) => never, ...(args as never[])),
    startedJobs: () => jobs.splice(0),
    async posted(owner) {
      const stop = new AbortController();
      const delivering = deliver(stop.signal);
      await untilPosted(owner).finally(() => stop.abort());
      await delivering;
    },
    housekeeping,
    async close() {
      await close();
      for (const end of closing) end();
      await wiring.close();
      await simulator.close();
    },
  };
}

function configOf({ workerUrl, redisUrl, folder }: Addresses, simulatorUrl: string): Config {
  return loadConfig({
    DATABASE_URL: workerUrl,
    REDIS_URL: redisUrl,
    SIMULATOR_URL: simulatorUrl,
    FEED_REGISTRY_SPACING_MS: '0',
    BULK_FOLDER: `${folder}/bulk`,
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    WEBHOOKS_ALLOW_HTTP: 'true',
  });
}

/** Started backfill jobs are recorded in `jobs`; no workflow runs, so a signal finds none. */
function noTemporal(jobs: string[]): Client {
  const refused = async (): Promise<never> => {
    throw new WorkflowNotFoundError('Temporal is no part of the year', 'none', undefined);
  };
  const start = async (_: string, { workflowId, args }: { workflowId: string; args: { jobId?: string }[] }) => {
    if (workflowId.startsWith('backfill:')) jobs.push(args[0]!.jobId!);
  };
  const workflow = {
    start,
    list: async function* () {},
    getHandle: () => ({ signal: refused }),
    signalWithStart: refused,
  };
  return { workflow, withDeadline: (_: number, work: () => unknown) => work() } as unknown as Client;
}

async function serveApi({ apiUrl, redisUrl }: Addresses, config: Config, { now, wallMs }: SteppedClock) {
  const pool = standing(createPool(apiUrl, CONNECTIONS));
  const redis = createRedis(redisUrl, 5000);
  const stores = createStores(pool);
  const name = createHash('sha256').update(apiUrl).digest('hex').slice(0, 8);
  const api = await startApi({
    reads: createReads(pool),
    keys: stores.keys,
    sharedAnswers: createSharedAnswers(redis, name),
    addressBudget: createAddressBudget(redis, name),
    keyLimit: createKeyLimit(redis, name),
    charger: createCharger(stores.credits),
    usage: stores.usage,
    sportIngest: stores.sportIngest,
    health: stores.health,
    sessions: stores.sessions,
    keyStores: stores,
    backfills: { store: stores.backfill, start: () => undefined, random: randomInt },
    webhooks: {
      store: stores.ownedWebhooks,
      rules: config.webhooks,
      resolve: createResolver(1000, ['127.0.0.1:1']),
      random: randomBytes,
    },
    bulk: { manifest: stores.bulkFiles, files: createFileStore(config.bulk), keys: SIGNER.publicKeys },
    now,
    wallMs,
    elapsedMs: wallMs,
    clock: REAL_TIME,
  });
  return {
    api,
    housekeeping: async () => {
      while (await stores.expired.remove(new Date(wallMs()).toISOString()));
    },
    close: async () => {
      await api.close();
      redis.disconnect();
      await pool.end();
    },
  };
}

const WAITING = `
  SELECT (SELECT count(*) FROM events WHERE fanned_at IS NULL)
         + (SELECT count(*) FROM webhook_queue WHERE due_at <= clock_timestamp() OR leased_until IS NOT NULL) AS n`;
const POSTED_WITHIN_MS = 60_000;

async function untilPosted(pool: Pool): Promise<void> {
  for (const until = Date.now() + POSTED_WITHIN_MS; Date.now() < until; await delay(20))
    if ((await pool.query<{ n: number }>(WAITING)).rows[0]!.n === 0) return;
  const { rows } = await pool.query(
    'SELECT kind, rank, due_at, leased_until, attempt_count FROM webhook_queue LIMIT 5',
  );
  throw new Error(`events were not posted within a minute: ${JSON.stringify(rows)}`);
}
