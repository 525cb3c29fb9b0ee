// Presents the runners of a scan that pass its filters (A 4.6). Rounds before it compares, so that the figures shown
// satisfy the filters.
import type { Static } from '@sinclair/typebox';
import { CAPTURE_MS } from '../../../domain/market/intelligence/captured';
import type { RunnerIntelligence } from '../../../domain/market/intelligence/runner';
import type { Signal } from '../../../domain/market/intelligence/signal';
import type { Category } from '../../../domain/race/race';
import type { BoardRace } from '../../../store/reads/races/board';
import { secsToJump } from '../../wire/present-freshness';
import { presentName } from '../../wire/present-race';
import { roundPct } from '../../wire/rounded';
import type { DIRECTIONS } from '../../wire/vocabulary';
import type { IntelligenceScan, SCAN_WINDOWS } from './intelligence-scan-schema';
import { METHOD, presentRunners } from './present-intelligence';

export interface ScanFilters {
  readonly window: (typeof SCAN_WINDOWS)[number];
  readonly minMovePct: number;
  /** Books with two or more captured prices. */
  readonly minBooks: number;
  readonly direction: (typeof DIRECTIONS)[number] | null;
  readonly signals: readonly Signal[] | null;
  readonly countries: readonly string[] | null;
  readonly categories: readonly Category[] | null;
  readonly limit: number;
}

export interface Analysed {
  readonly race: BoardRace;
  readonly runners: readonly RunnerIntelligence[];
}

/** Without `cached`, which depends on the request. */
export type Scan = Omit<Static<typeof IntelligenceScan>, 'cached'>;
type Result = Scan['results'][number];

interface Mover {
  readonly race: BoardRace;
  readonly runner: RunnerIntelligence;
  readonly movePct: number;
}

const MOVE: Readonly<Record<ScanFilters['window'], (runner: RunnerIntelligence) => number | null>> = {
  '60m': (runner) => runner.moveFromT60Pct,
  '15m': (runner) => runner.moveFromT15Pct,
  '5m': (runner) => runner.moveLast5mPct,
};

export function presentScan(analysed: readonly Analysed[], filters: ScanFilters, nowMs: number): Scan {
  const movers = analysed.flatMap(({ race, runners }) => moversOf(race, runners, filters));
  movers.sort(inOrder);
  return {
    as_of: new Date(nowMs).toISOString(),
    window_minutes: CAPTURE_MS / 60_000,
    races_scanned: analysed.length,
    filters: presentFilters(filters),
    method: METHOD,
    results: movers.slice(0, filters.limit).map((mover) => presentResult(mover, nowMs)),
  };
}

function moversOf(race: BoardRace, runners: readonly RunnerIntelligence[], filters: ScanFilters): Mover[] {
  const { window, minMovePct, minBooks, direction, signals } = filters;
  return runners.flatMap((runner) => {
    const movePct = roundPct(MOVE[window](runner));
    if (movePct === null || Math.abs(movePct) < minMovePct || runner.breadth.withHistory < minBooks) return [];
    if (direction !== null && direction !== (movePct < 0 ? 'firming' : 'drifting')) return [];
    if (signals !== null && !signals.includes(runner.signal)) return [];
    return [{ race, runner, movePct }];
  });
}

/** Of equal moves, next to jump first, then by race and number: a total order, whatever the order of the reads. */
function inOrder(a: Mover, b: Mover): number {
  return (
    Math.abs(b.movePct) - Math.abs(a.movePct) ||
    a.race.startMs - b.race.startMs ||
    (a.race.race_id < b.race.race_id ? -1 : Number(a.race.race_id > b.race.race_id)) ||
    a.runner.number - b.runner.number
  );
}

function presentFilters(filters: ScanFilters): Scan['filters'] {
  const { window, minMovePct, minBooks, direction, signals, countries, categories, limit } = filters;
  return {
    window,
    min_move_pct: minMovePct,
    min_books: minBooks,
    direction,
    signal: signals && [...signals],
    country: countries && [...countries],
    categories: categories && [...categories],
    limit,
  };
}

function presentResult({ race, runner, movePct }: Mover, nowMs: number): Result {
  const [figures] = presentRunners(race, [runner]);
  return {
    race: { ...presentName(race), secs_to_jump: secsToJump(race.startMs, nowMs) },
    move_pct: movePct,
    ...figures!,
  };
}
