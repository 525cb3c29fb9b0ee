// Records over stored runs (B 2.6, B 4.8): only starts count, so a scratching changes no percentage.
import type { StoredRun } from './stored-run';

export interface RunStats {
  readonly starts: number;
  readonly wins: number;
  /** Finishes from first to third, however many places were paid. */
  readonly places: number;
  /** Of 100; null without a start. */
  readonly winPct: number | null;
  readonly placePct: number | null;
}

const LAST_PLACE = 3;

export function runStats(runs: readonly Pick<StoredRun, 'status' | 'position'>[]): RunStats {
  const started = runs.filter(({ status }) => status === 'ran');
  const within = (place: number): number =>
    started.filter(({ position }) => position !== null && position <= place).length;
  const starts = started.length;
  const wins = within(1);
  const places = within(LAST_PLACE);
  const pct = (count: number): number | null => (starts === 0 ? null : (100 * count) / starts);
  return { starts, wins, places, winPct: pct(wins), placePct: pct(places) };
}

export const DIMENSIONS = ['track', 'distance', 'box', 'grade'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface RunGroup extends RunStats {
  /** Null in dimensions that the runs are not grouped by, and where it was not published. */
  readonly track: string | null;
  readonly distanceM: number | null;
  readonly box: number | null;
  readonly grade: string | null;
  readonly avgTimeS: number | null;
  readonly bestTimeS: number | null;
  readonly avgFirstSplitS: number | null;
}

/** A track is one under all its spellings, and has that of the newest run. */
const KEYS: Readonly<Record<Dimension, (run: StoredRun) => string | number | null>> = {
  track: (run) => run.venue_site,
  distance: (run) => run.distance_m,
  box: (run) => run.box,
  grade: (run) => run.grade,
};

/**
 * The starts of one animal, crossed by these dimensions: most starts first, then as the newest run. `runs`: newest
 * first.
 */
export function groupedRuns(runs: readonly StoredRun[], by: readonly Dimension[]): readonly RunGroup[] {
  const groups = new Map<string, StoredRun[]>();
  for (const run of runs.filter(({ status }) => status === 'ran')) {
    const key = JSON.stringify(by.map((dimension) => KEYS[dimension](run)));
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => groupOf(group, by)).sort((a, b) => b.starts - a.starts);
}

function groupOf(runs: readonly StoredRun[], by: readonly Dimension[]): RunGroup {
  const [newest] = runs as [StoredRun, ...StoredRun[]];
  const of = <T>(dimension: Dimension, value: T): T | null => (by.includes(dimension) ? value : null);
  const times = runs.flatMap(({ time_s }) => time_s ?? []);
  return {
    track: of('track', newest.venue),
    distanceM: of('distance', newest.distance_m),
    box: of('box', newest.box),
    grade: of('grade', newest.grade),
    ...runStats(runs),
    avgTimeS: mean(times),
    bestTimeS: times.length === 0 ? null : Math.min(...times),
    avgFirstSplitS: mean(runs.flatMap(({ first_split_s }) => first_split_s ?? [])),
  };
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
