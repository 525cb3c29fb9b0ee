// Book-polls a second of 1 to 4 pollers, each on a part of a core of its own and with more races than it can poll. One
// service throughout: its races move from the pollers of one round to those of the next.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOOKMAKERS } from '../../../src/domain/bookmakers';
import type { OwnServers } from '../../../test/support/servers/own-servers';
import { type ServiceProcess, waitFor } from '../../../test/support/servers/service';
import { byLabel, gained, type MetricsPage, readMetrics, together } from '../metrics-page';
import { openPanel, type Panel } from '../panel';
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

const POLLED = BOOKMAKERS.filter(({ reach }) => reach === 'polled').map(({ key }) => key);
const SETTLE_MS = 10_000;
const WITHIN_MS = 120_000;
/** A book's first poll writes its card and costs more: the first round has few of them, as those after it. */
const MOST_UNPOLLED = 0.05;
/** The heartbeats of a starved poller are late, and a race must not be lost for that. */
const ENVIRONMENT = { WORKER_ROLES: 'poll', WORKER_LIVE_SLOTS: '1000', HEARTBEAT_TIMEOUT_SECONDS: '60' };

export async function measurePollers(
  servers: OwnServers,
  groups: CpuGroups,
  load: PollerLoad,
  done: (round: PollerRound) => void,
): Promise<readonly PollerRound[]> {
  const panelLoad = { ...load, minutes: 1 + load.rounds.length, calls: 2, pollers: 0 };
  let panel: Panel | null = null;
  try {
    panel = await openPanel(servers, panelLoad, { HEARTBEAT_TIMEOUT_SECONDS: '60' });
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
  await waitFor(async () => (await unheld(service.db.pool, sinceMs)) === 0, WITHIN_MS);
  await waitFor(async () => (await unpolledShare(service.db.pool)) <= MOST_UNPOLLED, WITHIN_MS);
  for (const { pid } of workers) groups.limit(pid, cores);
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

/** Of the live races' books. */
async function unpolledShare(pool: Panel['service']['db']['pool']): Promise<number> {
  const { rows } = await pool.query<{ share: number }>(
    `SELECT COALESCE(avg((b.polled_at IS NULL)::int), 1)::float8 AS share FROM race_control c JOIN race_books b USING (race_id)
      WHERE c.tier = 'live' AND NOT c.closed AND b.bookmaker_key = ANY ($1)`,
    [POLLED],
  );
  return rows[0]!.share;
}

/** Since the machine's start, of all its cores: everything but idle and waiting for disks. */
function busySeconds(): number {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.trim().split(/\s+/).map(Number);
  const [user, nice, system, , , irq, softirq] = fields;
  return (user! + nice! + system! + irq! + softirq!) / 100;
}
