// The whole panel, everything real: own PostgreSQL (durable), Redis and Temporal, the simulated books over HTTP,
// workers, the API with callers beside it. How late polls start behind their due time (D21), what each process costs,
// what the callers wait.
//   node --import tsx bench/panel.ts [--races 156] [--minutes 3] [--speed 1] [--calls 50] [--pollers 1]
//   node --import tsx bench/panel.ts --speeds 1,2,3,4,6 --minutes 1 --races 220
// `--speed 10` is ten times the load: the racing day runs ten times as fast, lag and calls stay wall time. `--speeds`
// runs one after the other and ends with the curve: answered polls a second, lag, and the CPU that a book-poll costs in
// each process, and fails if that is more than its target, all processes together but the API. Both end with the memory
// of each process, and fail if one has more than its target.
//   node --import tsx bench/panel.ts --backfill [--races 120] [--pairs 5] [--minutes 1] [--spacing 150]
// One panel at speed 1, measured in windows of so many minutes with and without 20 backfill jobs beside it, in turn.
// The registry's pages are `--spacing` ms apart, so that the jobs last a window. Fails if the median of the pairs'
// ratios of a p99 is above 1.2. `--minutes 30` prints the memory of every process minute by minute.
//   node --import tsx bench/panel.ts --loads 1,2,4,6,8 [--races 30] [--poller-cores 0.08] [--minutes 0.5] [--best 50]
//     [--cold]
// Loads by more races at one speed: load 1 is `--races`, which must fit, the others are multiples of it. The poll
// worker may use `--poller-cores`, so that the simulator, the callers and PostgreSQL are not what is overloaded. Fails
// if a load makes fewer than 0.9 of the best polls a second, of this run or `--best`, or of those that fell due if they
// are fewer, or misses another target. It is measured after each book's first poll, with `--cold` from the poll
// worker's start.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startOwnServers } from '../test/support/servers/own-servers';
import { useBuiltPrograms } from './support/built-programs';
import { endOnSignal } from './support/end-on-signal';
import { byLabel } from './support/metrics-page';
import { reportLoads } from './support/overload';
import { type Measured, type PanelLoad, runPanel } from './support/panel';
import { reportMemory } from './support/panel-memory';
import { runPairs } from './support/panel-pairs';
import { POSTGRES_FOR_API, type Point, pointOf, row, secondsOf } from './support/panel-point';

const { values } = parseArgs({
  options: {
    races: { type: 'string' },
    minutes: { type: 'string' },
    speed: { type: 'string', default: '1' },
    speeds: { type: 'string' },
    calls: { type: 'string', default: '50' },
    pollers: { type: 'string', default: '1' },
    backfill: { type: 'boolean', default: false },
    pairs: { type: 'string', default: '5' },
    spacing: { type: 'string', default: '150' },
    loads: { type: 'string' },
    best: { type: 'string' },
    cold: { type: 'boolean', default: false },
    'poller-cores': { type: 'string' },
  },
});
const speeds = (values.speeds ?? values.speed).split(',').map(Number);
const loadAt = (speed: number): PanelLoad => ({
  speed,
  races: Number(values.races ?? 156),
  minutes: Number(values.minutes ?? 3),
  calls: Number(values.calls),
  pollers: Number(values.pollers),
  ...(values['poller-cores'] !== undefined && { pollerCores: Number(values['poller-cores']) }),
});

function report(result: Measured, point: Point): void {
  const { load, live, metrics, callers, cpuSeconds, postgresSeconds, memory, seconds, longestQueue, changes } = result;
  const print = (label: string, value: string): void => console.log(label.padEnd(44), value);
  const outcomes = byLabel(metrics, 'racing_polls_total', 'outcome');
  const books = byLabel(metrics, 'racing_polls_total', 'book');
  print('races, live at each minute', `${load.races}, ${live.join(' ')}`);
  print('clock speed, books polled', `${load.speed}, ${[...books.values()].filter((count) => count > 0).length}`);
  print('book-polls a second, answered and other', `${point.perSecond.toFixed(0)}, ${point.otherPerSecond.toFixed(1)}`);
  print('outcomes', [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '));
  print('lag behind due time, p50, p90, p99', `${secondsOf(point.lag)} s`);
  print('the same near the jump', `${secondsOf(point.nearLag)} s`);
  print('due polls thinned a second, near the jump', `${point.thinned.toFixed(0)}, ${point.nearThinned.toFixed(0)}`);
  print('statements that waited for a connection, most', `${longestQueue}`);
  print('races whose poller was lost and retried', `${point.retried}`);
  print('activities of any kind that timed out', `${point.timedOut}`);
  print("Temporal's changes of workflows a second", (changes / seconds).toFixed(1));
  print(
    `API calls at ${load.calls} a second: p50, p99, failed`,
    `${callers.p50Ms.toFixed(1)} ms, ${callers.p99Ms.toFixed(1)} ms, ${callers.failed}`,
  );
  for (const [name, used] of cpuSeconds) {
    const megabytes = memory.get(name)!.proportional.toFixed(0);
    print(`${name}: CPU, memory`, `${((100 * used) / seconds).toFixed(1)} % of a core, ${megabytes} MB`);
  }
  for (const [of, used] of postgresSeconds)
    print(`PostgreSQL for ${of}`, `${((100 * used) / seconds).toFixed(1)} % of a core`);
}

function reportCurve(points: readonly Point[]): void {
  const best = Math.max(...points.map(({ perSecond }) => perSecond));
  const names = [...points[0]!.cpuMs.keys()];
  const heads = [
    'speed',
    'polls/s',
    'other/s',
    'of the best',
    'lag p50, p90, p99',
    'near the jump',
    'pollers lost',
    'timed out',
    ...names,
    'all',
  ];
  console.log('book-polls a second, and milliseconds of CPU for each, by process');
  console.log(row(heads));
  console.log(row(heads.map(() => '---')));
  for (const { speed, perSecond, otherPerSecond, lag, nearLag, retried, timedOut, cpuMs } of points) {
    const all = [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0);
    const rates = [perSecond.toFixed(0), otherPerSecond.toFixed(1), (perSecond / best).toFixed(2)];
    const load = [`${speed}`, ...rates, `${secondsOf(lag)} s`];
    const cpu = [...cpuMs.values(), all].map((ms) => ms.toFixed(2));
    console.log(row([...load, `${secondsOf(nearLag)} s`, `${retried}`, `${timedOut}`, ...cpu]));
  }
}

const TARGET_MS = 1.2;
/** Their share is that of the callers and of the simulated books. */
const APART: ReadonlySet<string> = new Set(['api', POSTGRES_FOR_API, 'simulator, bench', 'callers']);

/** At the speed with the most polls. Whether it is within the target. */
function reportCost(points: readonly Point[]): boolean {
  const { speed, cpuMs } = points.reduce((best, each) => (each.perSecond > best.perSecond ? each : best));
  const ms = [...cpuMs].reduce((sum, [name, each]) => (APART.has(name) ? sum : sum + each), 0);
  const load = loadavg().map((each) => each.toFixed(1));
  console.log(`CPU of a book-poll at speed ${speed}, API apart: ${ms.toFixed(2)} ms, target ${TARGET_MS} ms`);
  const more = cpuMs.get(POSTGRES_FOR_API)!;
  console.log(`with what PostgreSQL does for the API's calls: ${(ms + more).toFixed(2)} ms`);
  console.log(`load average ${load.join(', ')}`);
  return ms <= TARGET_MS;
}

async function besideBackfill(): Promise<void> {
  const pairs = Number(values.pairs);
  const minutes = Number(values.minutes ?? 1);
  const races = Number(values.races ?? 120);
  const servers = await startOwnServers();
  try {
    const load = { ...loadAt(1), races, minutes: 2 * pairs * (minutes + 0.5) };
    const isWithin = await runPairs(servers, load, { pairs, minutes, spacingMs: Number(values.spacing) });
    if (!isWithin) process.exitCode = 1;
  } finally {
    await servers.close();
  }
}

async function measured(load: PanelLoad): Promise<Point> {
  const servers = await startOwnServers();
  try {
    const result = await runPanel(servers, load);
    const point = pointOf(result);
    report(result, point);
    return point;
  } finally {
    await servers.close();
  }
}

/** Wall: the limits of the poll worker settle, and what is near its jump has been polled. */
const SETTLE_MS = 20_000;

async function overloaded(loads: readonly number[]): Promise<void> {
  const fits = Number(values.races ?? 30);
  const pollerCores = Number(values['poller-cores'] ?? 0.08);
  const one = { ...loadAt(speeds[0]!), pollerCores, settleMs: SETTLE_MS, cold: values.cold };
  const points = new Map<number, Point>();
  for (const load of loads)
    points.set(load, await measured({ ...one, races: fits * load, minutes: Number(values.minutes ?? 0.5) }));
  const isWithin = reportLoads(points, values.best === undefined ? 0 : Number(values.best));
  if (!isWithin) process.exitCode = 1;
}

async function main(): Promise<void> {
  await useBuiltPrograms();
  if (values.backfill) return besideBackfill();
  if (values.loads !== undefined) return overloaded(values.loads.split(',').map(Number));
  const points: Point[] = [];
  for (const speed of speeds) points.push(await measured(loadAt(speed)));
  reportCurve(points);
  if (!reportMemory(points)) process.exitCode = 1;
  if (values.speeds && !reportCost(points)) process.exitCode = 1;
}

endOnSignal();
main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
