// The whole panel, everything real: own PostgreSQL (durable), Redis and Temporal, the simulated books over HTTP, workers, the API with
// callers beside it. How late polls start behind their due time (D21), what each process costs, what the callers wait.
//   node --import tsx bench/panel.ts [--races 156] [--minutes 3] [--speed 1] [--calls 50] [--pollers 1]
// `--speed 10` is ten times the load: the racing day runs ten times as fast, lag and calls stay wall time.
// `--minutes 30` prints the memory of every process minute by minute.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { issueKey } from '../src/ops/issue-key';
import type { RaceScript } from '../src/simulator/world/scripts';
import { AU_GREYHOUND, AU_HARNESS, AU_HORSE, NZ_HARNESS, NZ_HORSE } from '../src/simulator/world/tracks';
import { createKeyStore } from '../src/store/keys';
import { type OwnServers, startOwnServers } from '../test/support/servers/own-servers';
import { type Service, type ServiceProcess, startService, waitFor } from '../test/support/servers/service';
import { byLabel, gained, type MetricsPage, quantile, readMetrics, together } from './support/metrics-page';
import { type Usage, usageOf } from './support/process-usage';

const MINUTE_MS = 60_000;
/** Races jump at an even pace over this long (race time) at any moment of the run: inside ten minutes a book is polled every 15 s, then 8 s. */
const AHEAD_MINUTES = 10;
const TRACKS = [...AU_HORSE, ...AU_GREYHOUND, ...AU_HARNESS, ...NZ_HORSE, ...NZ_HARNESS];

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '156' },
    minutes: { type: 'string', default: '3' },
    speed: { type: 'string', default: '1' },
    calls: { type: 'string', default: '50' },
    pollers: { type: 'string', default: '1' },
  },
});
const races = Number(values.races);
const minutes = Number(values.minutes);
const speed = Number(values.speed);
const calls = Number(values.calls);

interface Callers {
  readonly calls: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The running service, with handles to measure it. */
interface Panel {
  readonly service: Service;
  readonly pids: Readonly<Record<string, number>>;
  readonly workers: readonly ServiceProcess[];
  readonly callers: ChildProcess;
}

/** Warm-up and run together, then ten minutes more, so that the last minute is like the first. */
function card(nowMs: number): RaceScript[] {
  const raceMinutes = AHEAD_MINUTES + (minutes + 1) * speed;
  return Array.from({ length: races }, (_, i) => {
    const { name: venue, category } = TRACKS[i % TRACKS.length]!;
    return { startMs: nowMs + (1 + ((i + 1) * raceMinutes) / races) * MINUTE_MS, venue, category, runners: 11 };
  });
}

async function openPanel(servers: OwnServers): Promise<Panel> {
  process.env.DATABASE_URL = servers.databaseUrl;
  process.env.REDIS_URL = servers.redisUrl;
  process.env.TEMPORAL_ADDRESS = servers.temporalAddress;
  const service = await startService(speed, card);
  const pollers = Array.from({ length: Number(values.pollers) }, () => service.startWorker({ WORKER_ROLES: 'poll' }));
  const workers = await Promise.all([service.startWorker({ WORKER_ROLES: 'workflows,io' }), ...pollers]);
  const api = await service.startApi();
  const key = await issueKey(
    createKeyStore(service.db.pool),
    { label: 'panel', plan: 'enterprise', role: 'customer' },
    new Date().toISOString(),
  );
  const callers = fork(join(__dirname, 'support/steady-callers.ts'), { execArgv: ['--import', 'tsx'] });
  callers.send({ url: api.url, key, perSecond: calls });
  const [coordinator, ...others] = workers;
  const pids = {
    'worker: workflows, io': coordinator!.pid,
    ...Object.fromEntries(others.map((worker, i) => [`worker: poll ${i + 1}`, worker.pid])),
    api: api.pid,
    PostgreSQL: servers.pids.postgres,
    Redis: servers.pids.redis,
    Temporal: servers.pids.temporal,
    'simulator, bench': process.pid,
    callers: callers.pid!,
  };
  return { service, pids, workers, callers };
}

const usages = ({ pids }: Panel): Map<string, Usage> =>
  new Map(Object.entries(pids).map(([name, pid]) => [name, name.startsWith('simulator') ? ownUsage() : usageOf(pid)]));

/** This process without its children: they are listed by themselves. */
function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, rssMegabytes: process.memoryUsage().rss / 1024 ** 2 };
}

const metricsOf = async ({ workers }: Panel): Promise<MetricsPage> =>
  together(await Promise.all(workers.map(({ healthUrl }) => readMetrics(new URL('/metrics', healthUrl).href))));

/** Of all calls since the last `reset`, or of those since the last report of either kind (`read`). */
async function latencies(callers: ChildProcess, what: 'reset' | 'read'): Promise<Callers> {
  callers.send(what);
  const [received] = await once(callers, 'message');
  return received as Callers;
}

async function liveRaces({ service }: Panel): Promise<number> {
  const { rows } = await service.db.pool.query<{ n: number }>(
    `SELECT count(*)::int n FROM race_control WHERE tier = 'live' AND NOT closed`,
  );
  return rows[0]!.n;
}

async function measure(panel: Panel): Promise<void> {
  await waitFor(async () => (await liveRaces(panel)) >= 0.8 * races, 120_000);
  await sleep(Math.min(MINUTE_MS, 20_000 + MINUTE_MS / speed));
  await latencies(panel.callers, 'reset');
  const before = { at: performance.now(), metrics: await metricsOf(panel), usage: usages(panel) };
  const live: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(before.at + minute * MINUTE_MS - performance.now());
    live.push(await liveRaces(panel));
    if (minutes > 5) reportMinute(minute, usages(panel), await latencies(panel.callers, 'read'));
  }
  const seconds = (performance.now() - before.at) / 1000;
  const metrics = gained(before.metrics, await metricsOf(panel));
  report(panel, { seconds, metrics, before: before.usage, callers: await latencies(panel.callers, 'reset'), live });
}

function reportMinute(minute: number, usage: ReadonlyMap<string, Usage>, { p99Ms }: Callers): void {
  const each = [...usage].map(([name, { rssMegabytes }]) => `${name} ${rssMegabytes.toFixed(0)}`);
  console.log(`minute ${minute}: MB ${each.join(', ')}; API p99 ${p99Ms.toFixed(0)} ms`);
}

interface Measured {
  readonly seconds: number;
  readonly metrics: MetricsPage;
  readonly before: ReadonlyMap<string, Usage>;
  readonly callers: Callers;
  readonly live: readonly number[];
}

function report(panel: Panel, { seconds, metrics, before, callers, live }: Measured): void {
  const print = (label: string, value: string): void => console.log(label.padEnd(44), value);
  const outcomes = byLabel(metrics, 'racing_polls_total', 'outcome');
  const books = byLabel(metrics, 'racing_polls_total', 'book');
  const polls = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  print('races, live at each minute', `${races}, ${live.join(' ')}`);
  print('clock speed, books polled', `${speed}, ${[...books.values()].filter((count) => count > 0).length}`);
  print('book-polls per second', (polls / seconds).toFixed(0));
  print('outcomes', [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '));
  for (const q of [0.5, 0.9, 0.99]) {
    print(`lag behind due time, p${q * 100}`, `${quantile(metrics, 'racing_poll_lag', q).toFixed(3)} s`);
  }
  print(
    `API calls at ${calls} a second: p50, p99, failed`,
    `${callers.p50Ms.toFixed(1)} ms, ${callers.p99Ms.toFixed(1)} ms, ${callers.failed}`,
  );
  for (const [name, now] of usages(panel)) {
    const cpu = ((now.cpuSeconds - before.get(name)!.cpuSeconds) / seconds) * 100;
    print(`${name}: CPU, memory`, `${cpu.toFixed(1)} % of a core, ${now.rssMegabytes.toFixed(0)} MB`);
  }
}

async function main(): Promise<void> {
  const servers = await startOwnServers();
  let panel: Panel | null = null;
  try {
    panel = await openPanel(servers);
    await measure(panel);
  } finally {
    panel?.callers.kill();
    await panel?.service.close();
    await servers.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
