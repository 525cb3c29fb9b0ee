// The scratchings of a race, their times and deductions, and which emergency gets the start.
import type { Category } from '../../../domain/race/race';
import type { Promotion, Runner, WorldScratching } from '../race';
import { mix, type Sequence, sequence } from '../random';
import { chances, type Truth } from './truth';

export interface ScratchingPlot {
  readonly number: number;
  readonly atMs: number;
  readonly kind: WorldScratching['kind'];
}

export interface ScratchingRequest {
  readonly truth: Truth;
  readonly category: Category;
  readonly jumpMs: number;
  readonly plot: {
    readonly scratchings?: readonly ScratchingPlot[];
    readonly lateScratching?: boolean;
    readonly barrierScratching?: boolean;
  };
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EARLY_CHANCE: Record<Category, number> = { horse: 0.06, harness: 0.045, greyhound: 0.035 };
const LATE_CHANCE = 0.12;
const BARRIER_CHANCE = 0.03;
/** Scratchings never leave fewer runners than this. */
const LEAST_RUNNERS = 5;
/** When emergencies without a start are taken out. */
const EMERGENCIES_DECIDED_MS = 4 * HOUR_MS;

export function createScratchings(request: ScratchingRequest): {
  scratchings: WorldScratching[];
  promotions: Promotion[];
} {
  const { truth, plot } = request;
  const vacant = truth.runners.filter((runner) => runner.vacant).map((runner) => out(runner, 0, 'vacant'));
  const chosen = plot.scratchings ?? drawnScratchings(request);
  const promotions = promote(truth, chosen);
  const started = new Set(promotions.map((promotion) => promotion.number));
  const emergencies = truth.runners
    .filter(
      (runner) =>
        runner.emergency && !started.has(runner.number) && !chosen.some((row) => row.number === runner.number),
    )
    .map((runner) => out(runner, truth.firstStartMs - EMERGENCIES_DECIDED_MS, 'emergency'));
  const all = [...vacant, ...chosen, ...emergencies].sort((a, b) => a.atMs - b.atMs || a.number - b.number);
  return { scratchings: all.map((row) => scratchingOf(truth, row, all)), promotions };
}

const out = (runner: Runner, atMs: number, kind: WorldScratching['kind']): ScratchingPlot => ({
  number: runner.number,
  atMs,
  kind,
});

function drawnScratchings({ truth, category, jumpMs, plot }: ScratchingRequest): ScratchingPlot[] {
  const draw = sequence(mix(truth.seed, 55));
  const field = truth.runners.filter((runner) => !runner.emergency && !runner.vacant);
  let left = field.length - LEAST_RUNNERS;
  const taken: ScratchingPlot[] = [];
  const take = (runner: Runner, atMs: number, kind: WorldScratching['kind']): void => {
    if (left <= 0 || taken.some((row) => row.number === runner.number)) return;
    left -= 1;
    taken.push(out(runner, atMs, kind));
  };
  const late = plot.lateScratching || draw.chance(LATE_CHANCE);
  const barrier = plot.barrierScratching || draw.chance(BARRIER_CHANCE);
  if (late) take(draw.pick(field), truth.firstStartMs - draw.between(3 * 60, 45 * 60) * SECOND_MS, 'late');
  if (barrier) take(draw.pick(field), jumpMs - draw.between(8, 50) * SECOND_MS, 'barrier');
  for (const runner of field) if (draw.chance(EARLY_CHANCE[category])) take(runner, earlyInstant(truth, draw), 'early');
  return taken;
}

function earlyInstant(truth: Truth, draw: Sequence): number {
  return truth.firstStartMs - draw.between(3 * 60, 26 * 60) * MINUTE_MS;
}

/** The first emergency replaces the first starter scratched in time, and so on. */
function promote(truth: Truth, chosen: readonly ScratchingPlot[]): Promotion[] {
  const waiting = truth.runners.filter((runner) => runner.emergency);
  const decidedMs = truth.firstStartMs - EMERGENCIES_DECIDED_MS;
  const gaps = chosen.filter((row) => row.kind === 'early' && row.atMs < decidedMs).sort((a, b) => a.atMs - b.atMs);
  return gaps.slice(0, waiting.length).map((gap, i) => ({
    number: waiting[i]!.number,
    atMs: gap.atMs,
    barrier: truth.runners.find((runner) => runner.number === gap.number)?.barrier ?? null,
  }));
}

/**
 * Adds the deductions: earlier bets lose a share of the winning dollar that follows from the runner's chance among the
 * runners still in. `all` may include the row itself.
 */
export function scratchingOf(truth: Truth, row: ScratchingPlot, all: readonly ScratchingPlot[]): WorldScratching {
  const free = row.kind === 'vacant' || row.kind === 'emergency';
  if (free) return { ...row, winDeduction: 0, placeDeduction: 0 };
  const gone = new Set(all.filter((other) => other.atMs < row.atMs).map((other) => other.number));
  const isIn = (i: number): boolean => !gone.has(truth.runners[i]!.number) && !truth.runners[i]!.emergency;
  const chance = chances(truth, row.atMs, isIn)[truth.runners.findIndex((runner) => runner.number === row.number)] ?? 0;
  return { ...row, winDeduction: cents(chance * 0.9), placeDeduction: cents(Math.min(0.33, chance * 0.7)) };
}

const cents = (fraction: number): number => Math.min(0.75, Math.round(fraction * 100) / 100);
