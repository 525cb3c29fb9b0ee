// The market of one race over its capture window (A 2.6): the consensus at fixed marks and now, and which books moved.
// Pure; values are unrounded, the edge rounds. Scratched runners are left out at every mark, so that a scratching moves
// no other runner.
import { type ConsensusRace, type RaceConsensus, raceConsensus } from '../consensus';
import { fieldOf } from '../consensus-field';
import { type BookLines, CAPTURE_MS, type CapturedPrices, countUpTo, linesOf, windowOpensMs } from './captured';
import { isTimely } from './first-mover';
import { MARK_NAMES, type MarkName, marksOf, standingOf } from './marks';
import { type Range, rangesOf } from './range';
import { type FieldHistory, type FreshPrice, type RunnerIntelligence, runnerIntelligence } from './runner';

interface Window {
  /** False when the race is further than 60 minutes from its advertised start: then only the current figures exist. */
  readonly open: boolean;
  readonly firstTickMs: number | null;
  /** Captured prices of the field. */
  readonly ticks: number;
  readonly booksInTicks: number;
  /** Marks at which there is a consensus. */
  readonly marks: readonly MarkName[];
}

export interface RaceIntelligence {
  readonly window: Window;
  readonly minBooks: number;
  /** Books of this race whose moves cannot be attributed now. */
  readonly attributionExcluded: readonly string[];
  /** Sum of implied probabilities at the best prices, in percent. */
  readonly marketPct: { readonly now: number | null; readonly t15: number | null; readonly t60: number | null };
  /** Runner numbers; the first of equals. `changed` compares the two; null while either is unknown. */
  readonly favourite: { readonly now: number | null; readonly t10: number | null; readonly changed: boolean | null };
  readonly booksNow: number;
  /** Null before capture had begun. */
  readonly booksAtT60: number | null;
  /** Every unscratched runner, in the order given. */
  readonly runners: readonly RunnerIntelligence[];
}

/**
 * @param race every book that may be compared, with its last quotes
 * @param captured what was captured of the same books; others are left out
 * @param minBooks books in the consensus without which no runner carries one
 */
export function analyse(
  race: ConsensusRace,
  captured: readonly CapturedPrices[],
  minBooks: number,
  nowMs: number,
): RaceIntelligence {
  const now = raceConsensus(race, { method: 'power', minBooks, includeStale: false }, nowMs);
  const open = race.startMs - nowMs <= CAPTURE_MS;
  const history = historyOf(race, now, open ? captured : [], minBooks, nowMs);
  const { marks } = history;
  const quotes = quotesNow(race, now);
  return {
    window: windowOf(history, open),
    minBooks,
    attributionExcluded: race.books.map((book) => book.bookmaker).filter((key) => !isTimely(key, nowMs, race.startMs)),
    marketPct: { now: now.bestPriceMarketPct, t15: marks.t15?.marketPct ?? null, t60: marks.t60?.marketPct ?? null },
    favourite: favouriteOf(now, history),
    booksNow: now.books.filter(({ reason }) => reason === null).length,
    booksAtT60: marks.t60?.included ?? null,
    runners: now.runners.map((runner) => runnerIntelligence(runner, quotes.get(runner.number) ?? [], history)),
  };
}

function historyOf(
  race: ConsensusRace,
  now: RaceConsensus,
  captured: readonly CapturedPrices[],
  minBooks: number,
  nowMs: number,
): FieldHistory {
  const { startMs } = race;
  const polledAtMs = new Map(race.books.map((book) => [book.bookmaker, book.polledAtMs]));
  const linesFor = (numbers: readonly number[]) => linesOf(captured, numbers, { startMs, nowMs, polledAtMs });
  const numbers = fieldNow(now) ?? fieldThen(race, linesFor);
  const lines = linesFor(numbers);
  const rules = { size: numbers.length, minBooks, nowMs };
  return {
    startMs,
    nowMs,
    numbers,
    lines,
    marks: marksOf(lines, startMs, rules),
    last5m: standingOf(lines, nowMs - 5 * 60_000, rules),
    last2m: standingOf(lines, nowMs - 2 * 60_000, rules),
    ranges: withNow(rangesOf(lines, { ...rules, opensMs: windowOpensMs(startMs) }), numbers, now, nowMs),
  };
}

/** The field of the consensus; null without one. */
function fieldNow({ runners }: RaceConsensus): readonly number[] | null {
  const field = runners.filter((runner) => runner.probability !== null).map((runner) => runner.number);
  return field.length === 0 ? null : field;
}

/** The field if too few books price the whole field now, as after the jump: the runners of the last captured prices. */
function fieldThen(race: ConsensusRace, linesFor: (numbers: readonly number[]) => BookLines[]): readonly number[] {
  const runners = race.runners.filter((runner) => !runner.scratched);
  const numbers = runners.map((runner) => runner.number);
  const last = linesFor(numbers).map(({ bookmaker, lines }) => {
    return { bookmaker, prices: lines.map((line) => line && line.prices.at(-1)!) };
  });
  return fieldOf(runners, last).map((at) => numbers[at]!);
}

/**
 * Adds the current consensus to the ranges: it can differ from the last captured one, because a book that went stale no
 * longer counts.
 */
function withNow(
  ranges: readonly (Range | null)[],
  numbers: readonly number[],
  { runners }: RaceConsensus,
  nowMs: number,
): readonly (Range | null)[] {
  const probabilities = new Map(runners.map((runner) => [runner.number, runner.probability]));
  return ranges.map((range, at) => {
    const probability = probabilities.get(numbers[at]!) ?? null;
    if (range === null || probability === null) return range;
    const here = { probability, atMs: nowMs };
    return {
      high: probability < range.high.probability ? here : range.high,
      low: probability > range.low.probability ? here : range.low,
    };
  });
}

/** By runner number. */
function quotesNow({ books }: ConsensusRace, now: RaceConsensus): ReadonlyMap<number, readonly FreshPrice[]> {
  const fresh = new Set(now.books.filter((book) => !book.stale).map((book) => book.bookmaker));
  const quotes = new Map<number, FreshPrice[]>();
  for (const { bookmaker, numbers, win } of books) {
    if (!fresh.has(bookmaker)) continue;
    numbers.forEach((number, i) => {
      const price = win[i] ?? null;
      if (price === null) return;
      const others = quotes.get(number);
      if (others) others.push({ bookmaker, price });
      else quotes.set(number, [{ bookmaker, price }]);
    });
  }
  return quotes;
}

function windowOf({ lines, marks, nowMs }: FieldHistory, open: boolean): Window {
  let firstTickMs: number | null = null;
  let ticks = 0;
  for (const book of lines) {
    for (const line of book.lines) {
      if (line === null) continue;
      ticks += countUpTo(line.atMs, nowMs);
      if (firstTickMs === null || line.atMs[0]! < firstTickMs) firstTickMs = line.atMs[0]!;
    }
  }
  const available = MARK_NAMES.filter((name) => marks[name]?.probabilities.some((one) => one !== null));
  return { open, firstTickMs, ticks, booksInTicks: lines.length, marks: available };
}

function favouriteOf({ runners }: RaceConsensus, { numbers, marks }: FieldHistory): RaceIntelligence['favourite'] {
  const now = runners[likeliest(runners.map((runner) => runner.probability))]?.number ?? null;
  const t10 = numbers[likeliest(marks.t10?.probabilities ?? [])] ?? null;
  return { now, t10, changed: now === null || t10 === null ? null : now !== t10 };
}

/** The index of the highest probability; -1 if there is none. */
function likeliest(probabilities: readonly (number | null)[]): number {
  let most = -1;
  probabilities.forEach((probability, at) => {
    if (probability !== null && (most < 0 || probability > probabilities[most]!)) most = at;
  });
  return most;
}
