// The figures of one run of the panel (bench/panel.ts), and how they are printed.
import { byLabel, type MetricsPage, quantile, sumOf, withLabel } from './metrics-page';
import type { Measured } from './panel';
import type { Memory } from './process-memory';

const LAG = 'racing_poll_lag';

export interface Point {
  readonly races: number;
  readonly speed: number;
  /** Answered and stored, and the rest: late, refused or failed. */
  readonly perSecond: number;
  readonly otherPerSecond: number;
  /** Behind the due time, seconds: of all polls with a call of their own, and of those near their jump. */
  readonly lag: readonly number[];
  readonly nearLag: readonly number[];
  /** Due polls that were not made, a second. */
  readonly thinned: number;
  readonly nearThinned: number;
  /** Polls near their jump that fell due, a second, and the part of them that was made. */
  readonly nearDue: number;
  readonly nearMade: number;
  readonly retried: number;
  readonly timedOut: number;
  readonly longestQueue: number;
  /** Of an answered book-poll, by process, milliseconds. */
  readonly cpuMs: ReadonlyMap<string, number>;
  /** Of all processes, by process: cores. */
  readonly cores: ReadonlyMap<string, number>;
  /** Of the poll workers, the largest at its peak. */
  readonly pollerMegabytes: number;
  readonly memory: ReadonlyMap<string, Memory>;
}

export const isPoller = (name: string): boolean => name.startsWith('worker: poll');

/** What rides along with a call is late or in time by accident. */
const lagOf = (metrics: MetricsPage): number[] =>
  [0.5, 0.9, 0.99].map((q) => quantile(withLabel(metrics, 'rides', 'false'), LAG, q));

const POSTGRES = 'PostgreSQL';
export const POSTGRES_FOR_API = 'PostgreSQL for the API';

/** What the API's sessions use is the API's: the statements of its calls are no part of a poll. */
function apiApart({ cpuSeconds, postgresSeconds }: Measured): ReadonlyMap<string, number> {
  const forApi = [...postgresSeconds].reduce((sum, [of, used]) => (of.startsWith(API_LOGIN) ? sum + used : sum), 0);
  const split = ([name, used]: [string, number]): [string, number][] =>
    name === POSTGRES
      ? [
          [name, used - forApi],
          [POSTGRES_FOR_API, forApi],
        ]
      : [[name, used]];
  return new Map([...cpuSeconds].flatMap(split));
}
const API_LOGIN = 'racing_api';

const ANSWERED: ReadonlySet<string> = new Set(['written', 'same']);

export function pointOf(measured: Measured): Point {
  const { load, seconds, metrics, memory, retried, timedOut, longestQueue } = measured;
  const cpuSeconds = apiApart(measured);
  const outcomes = byLabel(metrics, 'racing_polls_total', 'outcome');
  const polls = sumOf(new Map([...outcomes].filter(([outcome]) => ANSWERED.has(outcome))));
  const thinned = byLabel(metrics, 'racing_polls_thinned_total', 'urgency');
  const nearThinned = thinned.get('near') ?? 0;
  const near = withLabel(metrics, 'urgency', 'near');
  const nearMade = sumOf(byLabel(near, `${LAG}_count`, 'book'));
  return {
    races: load.races,
    speed: load.speed,
    perSecond: polls / seconds,
    otherPerSecond: (sumOf(outcomes) - polls) / seconds,
    lag: lagOf(metrics),
    nearLag: lagOf(near),
    thinned: sumOf(thinned) / seconds,
    nearThinned: nearThinned / seconds,
    nearDue: (nearMade + nearThinned) / seconds,
    nearMade: nearMade / (nearMade + nearThinned),
    retried,
    timedOut,
    longestQueue,
    cpuMs: new Map([...cpuSeconds].map(([name, used]) => [name, (1000 * used) / polls])),
    cores: new Map([...cpuSeconds].map(([name, used]) => [name, used / seconds])),
    pollerMegabytes: Math.max(...[...memory].filter(([name]) => isPoller(name)).map(([, { peak }]) => peak)),
    memory,
  };
}

export const secondsOf = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(', ');

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
