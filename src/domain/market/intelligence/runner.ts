// One runner of the analysis (A 2.6): its consensus at the marks and its range, its moves, and which books made them.
import type { ConsensusRunner } from '../consensus';
import { type BookNow, type Breadth, breadthOf } from './breadth';
import { type BookLines, countUpTo, openingPrice, windowOpensMs } from './captured';
import { type FirstMover, firstMoverOf } from './first-mover';
import { MARK_NAMES, type MarketStanding, type MarkName } from './marks';
import type { Extreme, Range } from './range';
import { type Signal, signalOf } from './signal';

/** A consensus price and when it began to stand. */
export interface PricedAt {
  readonly price: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

type Marked<T> = Readonly<Record<MarkName, T>>;

export interface RunnerIntelligence {
  readonly number: number;
  /** The books in its consensus; null before capture had begun, 0 outside the field. */
  readonly booksAt: { readonly now: number; readonly t60: number | null; readonly t15: number | null };
  /** Prices without a margin: 1 / probability. */
  readonly consensus: Marked<number | null> & {
    readonly now: number | null;
    readonly high: PricedAt | null;
    readonly low: PricedAt | null;
  };
  /** Percent of the consensus price at that mark; negative: it shortened. */
  readonly moveFromT60Pct: number | null;
  readonly moveFromT15Pct: number | null;
  readonly moveLast5mPct: number | null;
  readonly moveLast2mPct: number | null;
  readonly ticksLast5m: number;
  readonly best: {
    readonly price: number;
    readonly bookmaker: string;
    readonly vsConsensusPct: number | null;
  } | null;
  readonly breadth: Breadth;
  readonly firstMover: FirstMover;
  readonly signal: Signal;
}

/** One fresh book's price. */
export interface FreshPrice {
  readonly bookmaker: string;
  readonly price: number;
}

/** The field's captured prices and standings, aligned to its runners. */
export interface FieldHistory {
  readonly startMs: number;
  readonly nowMs: number;
  readonly numbers: readonly number[];
  readonly lines: readonly BookLines[];
  readonly marks: Marked<MarketStanding | null>;
  readonly last5m: MarketStanding | null;
  readonly last2m: MarketStanding | null;
  readonly ranges: readonly (Range | null)[];
}

const LAST_5M_MS = 5 * 60_000;

/** `quotes`: of every fresh book that prices the runner, placeholders included. */
export function runnerIntelligence(
  runner: ConsensusRunner,
  quotes: readonly FreshPrice[],
  history: FieldHistory,
): RunnerIntelligence {
  const { number, probability: now, best } = runner;
  const at = history.numbers.indexOf(number);
  const then = (standing: MarketStanding | null) => standing?.probabilities[at] ?? null;
  const { marks } = history;
  const moveFromT60Pct = movePct(then(marks.t60), now);
  const breadth = breadthOf(quotes.map((quote) => bookNow(quote, at, history)));
  return {
    number,
    booksAt: { now: runner.books, t60: booksOf(marks.t60, at), t15: booksOf(marks.t15, at) },
    consensus: {
      now: priceOf(now),
      ...(Object.fromEntries(MARK_NAMES.map((name) => [name, priceOf(then(marks[name]))])) as Marked<number | null>),
      high: pricedAt(history.ranges[at]?.high),
      low: pricedAt(history.ranges[at]?.low),
    },
    moveFromT60Pct,
    moveFromT15Pct: movePct(then(marks.t15), now),
    moveLast5mPct: movePct(then(history.last5m), now),
    moveLast2mPct: movePct(then(history.last2m), now),
    ticksLast5m: ticksSince(history.nowMs - LAST_5M_MS, at, history),
    best: best && { price: best.price, bookmaker: best.bookmaker, vsConsensusPct: runner.bestVsConsensusPct },
    breadth,
    firstMover: firstMoverOf(history.lines, at, moveFromT60Pct, history),
    signal: signalOf(moveFromT60Pct, breadth),
  };
}

const priceOf = (probability: number | null): number | null => probability && 1 / probability;

const pricedAt = (extreme: Extreme | undefined): PricedAt | null =>
  extreme ? { price: 1 / extreme.probability, atMs: extreme.atMs } : null;

const booksOf = (standing: MarketStanding | null, at: number): number | null =>
  standing && (at < 0 ? 0 : standing.included);

function bookNow({ bookmaker, price }: FreshPrice, at: number, { lines, startMs, nowMs }: FieldHistory): BookNow {
  const line = lines.find((book) => book.bookmaker === bookmaker)?.lines[at] ?? null;
  if (line === null) return { price, opening: null, captured: 0 };
  return { price, opening: openingPrice(line, windowOpensMs(startMs)), captured: countUpTo(line.atMs, nowMs) };
}

/** Prices of the runner captured after `sinceMs`. */
function ticksSince(sinceMs: number, at: number, { lines, nowMs }: FieldHistory): number {
  let ticks = 0;
  for (const book of lines) {
    const line = book.lines[at];
    if (line) ticks += countUpTo(line.atMs, nowMs) - countUpTo(line.atMs, sinceMs);
  }
  return ticks;
}

/**
 * The move of a price in percent (A 2.6 rule 1); negative: the runner shortened. Computed from win probabilities,
 * because a price is the inverse of one; null where either is unknown.
 */
function movePct(then: number | null, now: number | null): number | null {
  return then === null || now === null ? null : (then / now - 1) * 100;
}
