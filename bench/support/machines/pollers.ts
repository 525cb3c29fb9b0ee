// Book-polls a second of 1 to 4 pollers, each on a part of a core of its own and with more races than it can poll. One
// service throughout: its races move from the pollers of one round to those of the next, which have all started by then
// and have their limits, because a poller that is alone for a second takes every race.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnServers } from '../../../test/support/servers/own-servers';
import { type ServiceProcess, waitFor } from '../../../test/support/servers/service';
import { byLabel, gained, type MetricsPage, readMetrics, together } from '../metrics-page';
import { openPanel, type Panel, untilPolled } from '../panel';
import { usageOf } from '../process-usage';
import type { CpuGroups } from './cpu-groups';

export interface PollerLoad {
  readonly cores: number;
  readonly races: number;
  readonly speed: number;
  readonly seconds: number;
  /** Pollers of each round. */
  readonly rounds: readonly number[];
}

export interface PollerRound {
  readonly pollers: number;
  /** Polls whose prices were stored, or were the stored ones. */
  readonly perSecond: number;
  /** Of all polls, those that failed or that another poller's fenced out. */
  readonly failedShare: number;
  /** Of what its pollers were given. */
  readonly usedShare: number;
  /** Of the machine, all processes. */
  readonly busyCores: number;
}

/** Wall: most races are live to the end, or the last rounds have too few polls due for their pollers. */
const CARD_MINUTES = 16;
const SETTLE_MS = 10_000;
const WITHIN_MS = 60_000;
/** The heartbeats of a starved poller are late, and a race must not be lost for that. */
const ENVIRONMENT = { WORKER_ROLES: 'poll', WORKER_LIVE_SLOTS: '1000', HEARTBEAT_TIMEOUT_SECONDS: '60' };

export async function measurePollers(
  servers: OwnServers,
  groups: CpuGroups,
  load: PollerLoad,
  done: (round: PollerRound) => void,
): Promise<readonly PollerRound[]> {
  const panelLoad = { ...load, minutes: CARD_MINUTES, calls: 2, pollers: 0 };
  let panel: Panel | null = null;
  try {
    panel = await openPanel(servers, panelLoad, { HEARTBEAT_TIMEOUT_SECONDS: '60' });
    let workers = [await panel.service.startWorker(ENVIRONMENT)];
    await untilPolled(panel.service);
    const rounds: PollerRound[] = [];
    for (const pollers of load.rounds) {
      workers = await handOver(panel, groups, load, { from: workers, pollers });
      const round = await measureRound(workers, load);
      done(round);
      rounds.push(round);
    }
    return rounds;
  } finally {
    panel?.callers.kill();
    await panel?.service.close();
  }
}

interface HandOver {
  readonly from: readonly ServiceProcess[];
  readonly pollers: number;
}

/** Until the pollers of the next round have every race. */
async function handOver(
  { service }: Panel,
  groups: CpuGroups,
  { cores }: PollerLoad,
  { from, pollers }: HandOver,
): Promise<ServiceProcess[]> {
  const workers = await Promise.all(Array.from({ length: pollers }, () => service.startWorker(ENVIRONMENT)));
  for (const { pid } of workers) groups.limit(pid, cores);
  for (const { pid } of from) groups.free(pid);
  const sinceMs = service.now();
  await Promise.all(from.map((worker) => worker.kill('SIGTERM')));
  await waitFor(async () => (await unclaimed(service.db.pool, sinceMs)) === 0, WITHIN_MS);
  await sleep(SETTLE_MS);
  return workers;
}

async function measureRound(workers: readonly ServiceProcess[], { cores, seconds }: PollerLoad): Promise<PollerRound> {
  const before = { ms: performance.now(), metrics: await metricsOf(workers), busy: busySeconds(), used: used(workers) };
  await sleep(seconds * 1000);
  // Of the page's instant: a starved poller answers late.
  const usedSeconds = used(workers) - before.used;
  const busyCores = busySeconds() - before.busy;
  const metrics = await metricsOf(workers);
  const took = (performance.now() - before.ms) / 1000;
  const polls = byLabel(gained(before.metrics, metrics), 'racing_polls_total', 'outcome');
  const all = [...polls.values()].reduce((sum, count) => sum + count, 0);
  const done = (polls.get('written') ?? 0) + (polls.get('same') ?? 0);
  return {
    pollers: workers.length,
    perSecond: done / took,
    failedShare: all === 0 ? 1 : 1 - done / all,
    usedShare: usedSeconds / (seconds * cores * workers.length),
    busyCores: busyCores / seconds,
  };
}

const metricsOf = async (workers: readonly ServiceProcess[]): Promise<MetricsPage> =>
  together(await Promise.all(workers.map(({ healthUrl }) => readMetrics(new URL('/metrics', healthUrl).href))));

const used = (workers: readonly ServiceProcess[]): number =>
  workers.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);

/** Live races that no poller has claimed since. */
async function unclaimed(pool: Panel['service']['db']['pool'], sinceMs: number): Promise<number> {
  const { rows } = await pool.query<{ races: number }>(
    `SELECT count(*)::int AS races FROM race_control
      WHERE tier = 'live' AND NOT closed AND (holder_attempt = 0 OR updated_at < to_timestamp($1 / 1000.0))`,
    [sinceMs],
  );
  return rows[0]!.races;
}

/** Since the machine's start, of all its cores: everything but idle and waiting for disks. */
function busySeconds(): number {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).map(Number);
  const [user, nice, system, , , irq, softirq] = fields;
  return (user! + nice! + system! + irq! + softirq!) / 100;
}
