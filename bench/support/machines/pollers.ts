// Book-polls a second of 1 to 4 pollers, each on a part of a core of its own and with more races than it can poll. One
// service throughout: its races move from the pollers of one round to those of the next.
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
const WITHIN_MS = 120_000;
/** Races far from their jump wait for the tenth part of a full poller's turns. */
const MOST_UNHELD = 10;
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
    const first = await panel.service.startWorker(ENVIRONMENT);
    await untilPolled(panel.service);
    await first.kill('SIGTERM');
    const rounds: PollerRound[] = [];
    for (const pollers of load.rounds) {
      const round = await measureRound(panel, groups, load, pollers);
      done(round);
      rounds.push(round);
    }
    return rounds;
  } finally {
    panel?.callers.kill();
    await panel?.service.close();
  }
}

async function measureRound(
  { service }: Panel,
  groups: CpuGroups,
  { cores, seconds }: PollerLoad,
  pollers: number,
): Promise<PollerRound> {
  const sinceMs = service.now();
  const workers = await Promise.all(Array.from({ length: pollers }, () => service.startWorker(ENVIRONMENT)));
  // At once: several without a limit would starve the books, and be without them until the breakers close.
  for (const { pid } of workers) groups.limit(pid, cores);
  await waitFor(async () => (await unheld(service.db.pool, sinceMs)) <= MOST_UNHELD, WITHIN_MS);
  await sleep(SETTLE_MS);
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
  for (const { pid } of workers) groups.free(pid);
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  return {
    pollers,
    perSecond: done / took,
    failedShare: all === 0 ? 1 : 1 - done / all,
    usedShare: usedSeconds / (seconds * cores * pollers),
    busyCores: busyCores / seconds,
  };
}

const metricsOf = async (workers: readonly ServiceProcess[]): Promise<MetricsPage> =>
  together(await Promise.all(workers.map(({ healthUrl }) => readMetrics(new URL('/metrics', healthUrl).href))));

const used = (workers: readonly ServiceProcess[]): number =>
  workers.reduce((sum, { pid }) => sum + usageOf(pid).cpuSeconds, 0);

/** Live races of which no book was polled since: the last round's pollers have ended. */
async function unheld(pool: Panel['service']['db']['pool'], sinceMs: number): Promise<number> {
  const { rows } = await pool.query<{ races: number }>(
    `SELECT count(*)::int AS races FROM race_control c
      WHERE c.tier = 'live' AND NOT c.closed AND NOT EXISTS (
        SELECT FROM race_books b WHERE b.race_id = c.race_id AND b.polled_at > to_timestamp($1 / 1000.0))`,
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
