// Creates one race's story: starts that move, scratchings, the jump, the placings, the protest and the dividends.
// Everything is drawn once from the race's seed; a plot (the day's plan, or a script) fixes the parts that it names.
import type { Category } from '../../../domain/race/race';
import type { Placing, Promotion, Protest, Runner, RunnerMishap, Story, WorldScratching } from '../race';
import { mix, type Sequence, sequence } from '../random';
import { afterMishaps, drawnMishaps } from './mishaps';
import { firstPairSwapped } from './placings';
import { createScratchings, type ScratchingPlot } from './scratchings';
import { chances, type Truth } from './truth';

export interface Plot {
  /** Later starts: announced `beforeMs` before the start advertised at that time, `byMs` later. Drawn if absent. */
  readonly moves?: readonly { readonly beforeMs: number; readonly byMs: number }[];
  /** Replaces every drawn scratching. */
  readonly scratchings?: readonly ScratchingPlot[];
  /** Adds one late and one barrier scratching to those drawn. */
  readonly lateScratching?: boolean;
  readonly barrierScratching?: boolean;
  readonly abandoned?: { readonly atMs: number; readonly note: string };
  readonly protest?: 'upheld' | 'dismissed';
  /** The position that two runners share. */
  readonly deadHeat?: number;
  /** Numbers first past the post, in order; the rest follow in the drawn order. */
  readonly order?: readonly number[];
  /** Mishaps, only for runners beyond the first four; drawn if absent. */
  readonly mishaps?: readonly RunnerMishap[];
  readonly jumpDelayMs?: number;
  readonly interimAfterMs?: number;
  readonly finalAfterMs?: number;
}

export interface StoryRequest {
  readonly truth: Truth;
  readonly category: Category;
  readonly distanceM: number;
  readonly plot: Plot;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Metres per second over a whole race. */
const PACE: Record<Category, number> = { horse: 16.2, harness: 14.1, greyhound: 17.1 };

export function createStory(request: StoryRequest): Story {
  const { truth, plot, category } = request;
  const draw = sequence(mix(truth.seed, 77));
  const advertised = advertisedStarts(truth.firstStartMs, plot, draw);
  const jumpMs = advertised.at(-1)!.startMs + (plot.jumpDelayMs ?? draw.between(12, 84) * SECOND_MS);
  const { scratchings, promotions } = createScratchings({ ...request, jumpMs });
  const order = finish(truth, runnersAtJump(truth.runners, scratchings, promotions), jumpMs, plot);
  const mishaps = plot.mishaps ?? drawnMishaps(truth.seed, category, order);
  const crossed = afterMishaps(order, mishaps);
  return {
    advertised,
    scratchings,
    promotions,
    abandoned: plot.abandoned ?? null,
    shut: [],
    pricesStandFromMs: null,
    deadHeat: plot.deadHeat !== undefined,
    correctedMs: null,
    mishaps,
    document: { lateByMs: 0, lacking: null },
    jumpMs,
    crossed,
    settled: plot.protest === 'upheld' ? firstPairSwapped(crossed) : crossed,
    ...timeline(request, jumpMs, draw),
  };
}

function advertisedStarts(firstMs: number, plot: Plot, draw: Sequence): { fromMs: number; startMs: number }[] {
  const starts = [{ fromMs: 0, startMs: firstMs }];
  for (const move of plot.abandoned ? [] : (plot.moves ?? drawnMoves(draw))) {
    const last = starts.at(-1)!;
    starts.push({ fromMs: Math.max(last.fromMs, last.startMs - move.beforeMs), startMs: last.startMs + move.byMs });
  }
  return starts;
}

function drawnMoves(draw: Sequence): { beforeMs: number; byMs: number }[] {
  if (!draw.chance(0.22)) return [];
  const first = { beforeMs: draw.between(4, 28) * MINUTE_MS, byMs: draw.between(1, 6) * MINUTE_MS };
  return draw.chance(0.25)
    ? [first, { beforeMs: draw.between(1, 4) * MINUTE_MS, byMs: draw.between(1, 4) * MINUTE_MS }]
    : [first];
}

type Timeline = Pick<
  Story,
  'finishMs' | 'interimMs' | 'straightDividendsMs' | 'exoticDividendsMs' | 'finalMs' | 'protest'
>;

function timeline({ category, distanceM, plot }: StoryRequest, jumpMs: number, draw: Sequence): Timeline {
  const finishMs = jumpMs + Math.round((distanceM / PACE[category]) * SECOND_MS);
  const interimMs = Math.max(
    finishMs + 20 * SECOND_MS,
    jumpMs + (plot.interimAfterMs ?? draw.between(125, 235) * SECOND_MS),
  );
  const protest = protestOf(plot, interimMs, draw);
  const judgedMs = protest?.decidedMs ?? interimMs;
  const straightDividendsMs = judgedMs + draw.between(30, 100) * SECOND_MS;
  const finalMs = Math.max(
    straightDividendsMs + 5000,
    jumpMs + (plot.finalAfterMs ?? draw.between(245, 470) * SECOND_MS),
  );
  return {
    finishMs,
    interimMs,
    protest,
    straightDividendsMs,
    finalMs,
    exoticDividendsMs: straightDividendsMs + draw.between(40, 240) * SECOND_MS,
  };
}

function protestOf(plot: Plot, interimMs: number, draw: Sequence): Protest | null {
  if (!plot.protest) return null;
  const lodgedMs = interimMs + draw.between(20, 60) * SECOND_MS;
  return { lodgedMs, decidedMs: lodgedMs + draw.between(150, 320) * SECOND_MS, upheld: plot.protest === 'upheld' };
}

/** Indexes of the runners that jump. */
function runnersAtJump(
  runners: readonly Runner[],
  out: readonly WorldScratching[],
  promoted: readonly Promotion[],
): number[] {
  const gone = new Set(out.map((scratching) => scratching.number));
  const given = new Set(promoted.map((promotion) => promotion.number));
  return runners.flatMap((runner, i) =>
    !gone.has(runner.number) && (!runner.emergency || given.has(runner.number)) ? [i] : [],
  );
}

/** The finishing order: each runner's time is exponential with its chance as the rate, which matches the prices. */
function finish(truth: Truth, starters: readonly number[], jumpMs: number, plot: Plot): Placing[] {
  const starting = new Set(starters);
  const win = chances(truth, jumpMs, (i) => starting.has(i));
  const draw = sequence(mix(truth.seed, 99));
  const drawn = starters
    .map((i) => ({ number: truth.runners[i]!.number, time: -Math.log(1 - draw.next()) / win[i]! }))
    .sort((a, b) => a.time - b.time)
    .map((row) => row.number);
  const fixed = (plot.order ?? []).filter((number) => drawn.includes(number));
  return withPositions([...fixed, ...drawn.filter((number) => !fixed.includes(number))], plot.deadHeat, draw);
}

function withPositions(order: readonly number[], deadHeat: number | undefined, draw: Sequence): Placing[] {
  let margin = 0;
  return order.map((number, i) => {
    const level = deadHeat !== undefined && i === deadHeat;
    if (i > 0 && !level) margin = Math.round((margin + 0.1 - Math.log(1 - draw.next()) * 1.1) * 10) / 10;
    return { position: level ? i : i + 1, number, margin };
  });
}
