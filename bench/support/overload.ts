// The table of the panel under more races than its poll worker carries (bench/panel.ts --loads), and its targets.
import { loadavg } from 'node:os';
import { type Point, row, secondsOf } from './panel-point';

/** Polls a second, of the best load, or of those that fell due if fewer. */
const LEAST_OF_BEST = 0.9;
/** Polls near their jump, of those that fell due, or of the best polls a second if those are fewer. */
const LEAST_NEAR = 0.75;
/** p99 behind the due time, near the jump. */
const MOST_NEAR_LAG_SECONDS = 5;
/** Of the races: pollers that were lost, and attempts that timed out. */
const MOST_LOST = 0.01;
/** Statements that wait for a connection: about as many as the stores' lanes, whatever the load. */
const LONGEST_QUEUE = 40;

const HEADS = [
  'load',
  'races',
  'polls/s',
  'other/s',
  'of the best',
  'lag p50, p90, p99',
  'near the jump',
  'due/s',
  'near: made of due',
  'pollers lost',
  'timed out',
  'queue',
  'poller MB',
];

/** Prints the table. Whether every load is within the targets; `best`: polls a second of an earlier run, or 0. */
export function reportLoads(points: ReadonlyMap<number, Point>, best: number): boolean {
  const most = Math.max(best, ...[...points.values()].map(({ perSecond }) => perSecond));
  const names = [...[...points.values()][0]!.cores.keys()];
  console.log(`load average ${loadavg()[0]!.toFixed(1)}; by process: cores`);
  console.log(row([...HEADS, ...names]));
  console.log(row([...HEADS, ...names].map(() => '---')));
  for (const [load, point] of points) console.log(row(cellsOf(load, point, most, names)));
  const isCompared = best > 0 || points.size > 1;
  const misses = [...points].flatMap(([load, point]) => missesOf(load, point, most));
  for (const miss of misses) console.log(`missed: ${miss}`);
  if (!isCompared) console.log('polls a second: not compared, because there is one load and no --best');
  else if (misses.length === 0) console.log('every target is met');
  return misses.length === 0;
}

function cellsOf(load: number, point: Point, most: number, names: readonly string[]): string[] {
  const { races, perSecond, otherPerSecond, lag, nearLag, thinned, nearMade, retried, timedOut } = point;
  return [
    `${load}`,
    `${races}`,
    perSecond.toFixed(0),
    otherPerSecond.toFixed(1),
    (perSecond / most).toFixed(2),
    `${secondsOf(lag)} s`,
    `${secondsOf(nearLag)} s`,
    (perSecond + otherPerSecond + thinned).toFixed(0),
    nearMade.toFixed(2),
    `${retried}`,
    `${timedOut}`,
    `${point.longestQueue}`,
    point.pollerMegabytes.toFixed(0),
    ...names.map((name) => (point.cores.get(name) ?? Number.NaN).toFixed(2)),
  ];
}

/** A figure that is not a number is missed too. */
function missesOf(load: number, point: Point, most: number): string[] {
  const { races, perSecond, otherPerSecond, thinned, nearLag, nearDue, nearMade, retried, timedOut, longestQueue } =
    point;
  const due = perSecond + otherPerSecond + thinned;
  const targets: [string, number, number][] = [
    [`load ${load}: p99 near the jump, s`, nearLag[2]!, MOST_NEAR_LAG_SECONDS],
    [`load ${load}: pollers lost`, retried, MOST_LOST * races],
    [`load ${load}: activities timed out`, timedOut, MOST_LOST * races],
    [`load ${load}: statements that wait for a connection`, longestQueue, LONGEST_QUEUE],
    [`load ${load}: near polls a second, of them`, LEAST_NEAR * Math.min(nearDue, most), nearMade * nearDue],
    [`load ${load}: polls a second, of them`, LEAST_OF_BEST * Math.min(due, most), perSecond],
  ];
  return targets.filter(([, is, limit]) => !(is <= limit)).map(([what, is, limit]) => `${what}: ${is} > ${limit}`);
}
