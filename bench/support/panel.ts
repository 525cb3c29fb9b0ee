// One run of the panel at one load (bench/panel.ts): starts the service on given servers, lets it warm up, and takes
// its figures.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOOKMAKERS } from '../../src/domain/bookmakers';
import { issueKey } from '../../src/ops/issue-key';
import type { RaceScript } from '../../src/simulator/world/scripts';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE } from '../../src/simulator/world/tracks';
import { createKeyStore } from '../../src/store/keys/keys';
import type { OwnServers } from '../../test/support/servers/own-servers';
import { type Service, type ServiceProcess, startService, waitFor } from '../../test/support/servers/service';
import { type CpuGroups, openCpuGroups } from './machines/cpu-groups';
import { byLabel, gained, type MetricsPage, readMetrics, sumOf, together } from './metrics-page';
import { largest, type Memory, memoryOf, memoryOfOne } from './process-memory';
import { processes, type Usage, usageOf } from './process-usage';
import { sessionsOf, spentBy } from './session-usage';

const MINUTE_MS = 60_000;
/**
 * Races jump at an even pace over this long (race time) at any moment of the run: inside ten minutes a book is polled
 * every 15 s, then 8 s.
 */
const AHEAD_MINUTES = 10;
const TRACKS = [...AU_HORSE, ...AU_GREYHOUND, ...AU_HARNESS, ...NZ_HORSE, ...NZ_HARNESS];

export interface PanelLoad {
  readonly races: number;
  readonly minutes: number;
  readonly speed: number;
  /** API calls a second. */
  readonly calls: number;
  /** Poll workers. */
  readonly pollers: number;
  /** How many cores each poll worker may use; default: all of the machine. */
  readonly pollerCores?: number;
  /** Pollers have their part of a core from their start, and no cards. */
  readonly cold?: boolean;
  /** Wall, from the first polls of all races to the measurement. Default: until the first rush is over. */
  readonly settleMs?: number;
}

interface Callers {
  readonly calls: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Measured {
  readonly load: PanelLoad;
  readonly seconds: number;
  /** What the workers counted meanwhile. */
  readonly metrics: MetricsPage;
  /** By process. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
  /** By process. */
  readonly memory: ReadonlyMap<string, Memory>;
  readonly callers: Callers;
  readonly live: readonly number[];
  /** Races whose poller's activity was attempted again. */
  readonly retried: number;
  /** Activities of every kind that Temporal counted as timed out, attempt by attempt. */
  readonly timedOut: number;
  /** CPU seconds of PostgreSQL's processes by login. */
  readonly postgresSeconds: ReadonlyMap<string, number>;
  /** Writes of Temporal's database that change a workflow. */
  readonly changes: number;
  /** Statements of the poll workers that waited for a connection: the most at any sample. */
  readonly longestQueue: number;
}

/** The running service, with handles to measure it. */
export interface Panel {
  readonly service: Service;
  readonly pids: Readonly<Record<string, number>>;
  readonly workers: readonly ServiceProcess[];
  readonly callers: ChildProcess;
  /** Of Temporal's server. */
  readonly temporalMetrics: string;
  /** The limits of its poll workers; null: they have none. */
  readonly groups: CpuGroups | null;
}

export async function runPanel(servers: OwnServers, load: PanelLoad): Promise<Measured> {
  let panel: Panel | null = null;
  try {
    panel = await openPanel(servers, load);
    return await measure(panel, load);
  } finally {
    panel?.callers.kill();
    await panel?.service.close();
    panel?.groups?.removeEmpty();
  }
}

/** Warm-up and run together, then ten minutes more, so that the last minute is like the first. */
const cardOf =
  (load: PanelLoad) =>
  (nowMs: number): RaceScript[] => {
    const { races, minutes, speed } = load;
    const firstMs = MINUTE_MS + (compiles(load) ? COMPILING_MS * speed : 0);
    const raceMinutes = AHEAD_MINUTES + (minutes + 1) * speed;
    return Array.from({ length: races }, (_, i) => {
      const { name: venue, category } = TRACKS[i % TRACKS.length]!;
      const startMs = nowMs + firstMs + (((i + 1) * raceMinutes) / races) * MINUTE_MS;
      return { startMs, venue, category, runners: 11 };
    });
  };

/** `more`: environment of the worker of workflows and short activities. */
export async function openPanel(
  servers: OwnServers,
  load: PanelLoad,
  more: Readonly<Record<string, string>> = {},
): Promise<Panel> {
  const groups = load.pollerCores === undefined ? null : openCpuGroups();
  process.env.DATABASE_URL = servers.databaseUrl;
  process.env.DATABASE_DIRECT_URL = '';
  process.env.REDIS_URL = servers.redisUrl;
  process.env.TEMPORAL_ADDRESS = servers.temporalAddress;
  const service = await startService(load.speed, cardOf(load));
  try {
    return await startPanel({ service, groups }, servers, load, more);
  } catch (error) {
    await service.close().catch((closing: unknown) => console.error(closing));
    groups?.removeEmpty();
    throw error;
  }
}

async function startPanel(
  { service, groups }: Pick<Panel, 'service' | 'groups'>,
  servers: OwnServers,
  load: PanelLoad,
  more: Readonly<Record<string, string>>,
): Promise<Panel> {
  const [coordinator, api] = await Promise.all([
    service.startWorker({ WORKER_ROLES: 'workflows,io', ...more }),
    service.startApi(),
  ]);
  // Pollers that run before find a book that is read after the others within a minute.
  await untilListed(service, load);
  const poller = { WORKER_ROLES: 'poll', WORKER_LIVE_SLOTS: '1000' };
  const pollers = await Promise.all(Array.from({ length: load.pollers }, () => service.startWorker(poller)));
  if (!load.cold) await untilPolled(service);
  if (compiles(load)) await untilCompiled(pollers);
  for (const { pid } of pollers) groups?.limit(pid, load.pollerCores!);
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'panel', plan: 'enterprise', role: 'customer' },
    new Date().toISOString(),
  );
  const callers = fork(join(__dirname, 'steady-callers.ts'), { execArgv: ['--import', 'tsx'] });
  callers.send({ url: api.url, key, perSecond: load.calls });
  const workers = [coordinator, ...pollers];
  const pids = {
    'worker: workflows, io': coordinator.pid,
    ...Object.fromEntries(pollers.map((worker, i) => [`worker: poll ${i + 1}`, worker.pid])),
    api: api.pid,
    PostgreSQL: servers.pids.postgres,
    Redis: servers.pids.redis,
    Temporal: servers.pids.temporal,
    'simulator, bench': process.pid,
    callers: callers.pid!,
  };
  return { service, pids, workers, callers, temporalMetrics: servers.temporalMetrics, groups };
}

const usages = ({ pids }: Panel): Map<string, Usage> =>
  new Map(Object.entries(pids).map(([name, pid]) => [name, name.startsWith('simulator') ? ownUsage() : usageOf(pid)]));

/** This process without its children: they are listed by themselves. */
function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6 };
}

/** Takes a third of a second of this process, which is the simulator's: never while other figures are taken. */
function memories({ pids }: Panel): Map<string, Memory> {
  const all = processes();
  const of = (name: string, pid: number): Memory =>
    name.startsWith('simulator') ? memoryOfOne(pid) : memoryOf(all, pid);
  return new Map(Object.entries(pids).map(([name, pid]) => [name, of(name, pid)]));
}

export const metricsOf = async ({ workers }: Panel): Promise<MetricsPage> => together(await pagesOf(workers));

const pagesOf = (workers: readonly ServiceProcess[]): Promise<MetricsPage[]> =>
  Promise.all(workers.map(({ healthUrl }) => readMetrics(new URL('/metrics', healthUrl).href)));

/** Of all calls since the last `reset`, or of those since the last report of either kind (`read`). */
export async function latencies(callers: ChildProcess, what: 'reset' | 'read'): Promise<Callers> {
  callers.send(what);
  const [received] = await once(callers, 'message');
  return received as Callers;
}

/** Parts of a minute at which lost pollers are looked for: a race that ends has a new epoch. */
const SAMPLES = [0.2, 0.4, 0.6, 0.8, 1];

async function controlled({ service }: Pick<Panel, 'service'>, where: string): Promise<string[]> {
  const { rows } = await service.db.pool.query<{ id: string }>(`SELECT race_id AS id FROM race_control WHERE ${where}`);
  return rows.map(({ id }) => id);
}

const liveRaces = async (panel: Pick<Panel, 'service'>): Promise<number> =>
  (await controlled(panel, `tier = 'live' AND NOT closed`)).length;
/** The attempt of an activity is the end of its fence. */
const retriedRaces = (panel: Panel): Promise<string[]> => controlled(panel, 'holder_attempt % 1000000 > 1');

/** By the server's own counter, which appears with the first timeout. */
async function timeouts({ temporalMetrics }: Panel): Promise<number> {
  const counts = byLabel(await readMetrics(temporalMetrics), 'activity_task_timeout', 'activityType');
  return sumOf(counts);
}

/** By the server's own counter. */
async function workflowChanges({ temporalMetrics }: Panel): Promise<number> {
  return byLabel(await readMetrics(temporalMetrics), 'persistence_requests', 'operation').get(CHANGE) ?? 0;
}
const CHANGE = 'UpdateWorkflowExecution';

/** Lists are read one after the other. */
const LISTED_AFTER_MS = 5000;

/** Until most races are live, and no further book is found for any. */
async function untilListed(service: Service, { races }: Pick<PanelLoad, 'races'>): Promise<void> {
  await waitFor(async () => (await liveRaces({ service })) >= 0.8 * races, 120_000);
  let listed = 0;
  let sinceMs = 0;
  await waitFor(async () => {
    const { rows } = await service.db.pool.query<{ books: number }>('SELECT count(*)::int AS books FROM race_books');
    if (rows[0]!.books > listed) sinceMs = performance.now();
    listed = rows[0]!.books;
    return performance.now() - sinceMs >= LISTED_AFTER_MS;
  }, 120_000);
}

const POLLED = BOOKMAKERS.filter(({ reach }) => reach === 'polled').map(({ key }) => key);
/** Two or three books allow less than the races near their jump take, and far races do not get a first poll there. */
const MOST_UNPOLLED = 0.2;

/** A book's first poll of a race writes its card, and costs several times as much as those after it. */
export async function untilPolled({ db }: Service): Promise<void> {
  await waitFor(async () => {
    const { rows } = await db.pool.query<{ unpolled: number }>(
      `SELECT COALESCE(avg((b.polled_at IS NULL)::int), 1)::float8 AS unpolled
         FROM race_control c JOIN race_books b USING (race_id)
        WHERE c.tier = 'live' AND NOT c.closed AND b.bookmaker_key = ANY ($1)`,
      [POLLED],
    );
    return rows[0]!.unpolled <= MOST_UNPOLLED;
  }, 120_000);
}

/**
 * Wall, from each book's first poll to a worker's limit, by which the card is later: V8 compiles what a poll runs,
 * which takes as much as a small part of a core has. What first polls compile is mostly other code.
 */
const COMPILING_MS = 30_000;

const compiles = ({ pollerCores, cold }: PanelLoad): boolean => pollerCores !== undefined && !cold;

async function untilCompiled(pollers: readonly ServiceProcess[]): Promise<void> {
  await sleep(COMPILING_MS);
  const made = (await pagesOf(pollers)).map((page) => sumOf(byLabel(page, 'racing_polls_total', 'book')));
  console.log(`polls before the limit, by poll worker: ${made.join(', ')}`);
}

/** Until the races are live, each has a poller, and the first rush is over. */
export async function warmUp(panel: Panel, load: PanelLoad): Promise<void> {
  await waitFor(async () => (await liveRaces(panel)) >= 0.8 * load.races, 120_000);
  const unclaimed = "tier = 'live' AND NOT closed AND holder_attempt = 0";
  await waitFor(async () => (await controlled(panel, unclaimed)).length <= 0.05 * load.races, 120_000);
  await sleep(load.settleMs ?? Math.min(MINUTE_MS, 20_000 + MINUTE_MS / load.speed));
}

/** Of the poll workers' pools, from their metrics. */
const queueOf = (metrics: MetricsPage): number =>
  Math.max(0, ...byLabel(metrics, 'db_client_connection_pending_requests', 'db_client_connection_pool_name').values());

async function measure(panel: Panel, load: PanelLoad): Promise<Measured> {
  await warmUp(panel, load);
  await latencies(panel.callers, 'reset');
  const before = { at: performance.now(), metrics: await metricsOf(panel), usage: usages(panel) };
  const timedOutBefore = await timeouts(panel);
  const sessionsBefore = sessionsOf(panel.pids.PostgreSQL!);
  const changesBefore = await workflowChanges(panel);
  const live: number[] = [];
  const retried = new Set<string>();
  let longestQueue = 0;
  const memory: Map<string, Memory>[] = [];
  for (let minute = 1; minute < load.minutes + 1; minute++) {
    const part = Math.min(1, load.minutes - minute + 1);
    for (const at of SAMPLES) {
      await sleep(before.at + (minute - 1 + at * part) * MINUTE_MS - performance.now());
      for (const raceId of await retriedRaces(panel)) retried.add(raceId);
      longestQueue = Math.max(longestQueue, queueOf(await metricsOf(panel)));
    }
    live.push(await liveRaces(panel));
    if (load.minutes > 5) {
      memory.push(memories(panel));
      reportMinute(minute, memory.at(-1)!, await latencies(panel.callers, 'read'));
    }
  }
  const seconds = (performance.now() - before.at) / 1000;
  const metrics = gained(before.metrics, await metricsOf(panel));
  const usage = usages(panel);
  const postgresSeconds = spentBy(sessionsBefore, sessionsOf(panel.pids.PostgreSQL!));
  const callers = await latencies(panel.callers, 'reset');
  const timedOut = (await timeouts(panel)) - timedOutBefore;
  const changes = (await workflowChanges(panel)) - changesBefore;
  memory.push(memories(panel));
  return {
    load,
    seconds,
    metrics,
    cpuSeconds: new Map([...usage].map(([name, now]) => [name, now.cpuSeconds - before.usage.get(name)!.cpuSeconds])),
    memory: new Map([...memory[0]!.keys()].map((name) => [name, largest(memory.map((one) => one.get(name)!))])),
    callers,
    live,
    retried: retried.size,
    timedOut,
    postgresSeconds,
    changes,
    longestQueue,
  };
}

function reportMinute(minute: number, memory: ReadonlyMap<string, Memory>, { p99Ms }: Callers): void {
  const each = [...memory].map(([name, { proportional }]) => `${name} ${proportional.toFixed(0)}`);
  console.log(`minute ${minute}: MB ${each.join(', ')}; API p99 ${p99Ms.toFixed(0)} ms`);
}
