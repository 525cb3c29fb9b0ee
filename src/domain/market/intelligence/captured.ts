// Captured win prices of a race, changes only, and the prices that stand at an instant (A 2.6). No consensus here.
import { bookmaker } from '../../bookmakers';
import { tierAt } from '../../time/cadence';
import { ageSeconds, isStale, staleAfterSeconds } from '../../time/staleness';
import type { BookPrices } from '../field-consensus';

/** One runner's captured prices at one book; at least one. */
export interface CapturedRunner {
  readonly number: number;
  /** Epoch milliseconds of race time, ascending, no two alike; aligned to `prices`. */
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
  /** When the book withdrew the last of them; null while it quotes. */
  readonly withdrawnAtMs: number | null;
}

export interface CapturedPrices {
  readonly bookmaker: string;
  /** By number. */
  readonly runners: readonly CapturedRunner[];
}

/** One runner's prices at one book, in order of time. */
export interface PriceLine {
  readonly atMs: readonly number[];
  readonly prices: readonly number[];
  /**
   * When the first price began to stand: its own instant, or the opening of the window if it was captured shortly
   * after.
   */
  readonly fromMs: number;
  /** When the last price ceased to stand. */
  readonly untilMs: number;
}

/** Aligned to the field; null if nothing was captured. */
export interface BookLines {
  readonly bookmaker: string;
  readonly lines: readonly (PriceLine | null)[];
}

/** The capture window (A 2.6 rule 1); `capture_window()` in SQL. */
export const CAPTURE_MS = 60 * 60_000;
/**
 * A book is polled every 20 seconds when the window opens (D21), so its first price is captured shortly after: a price
 * captured within this time of the opening counts as the price at the opening.
 */
const OPENING_MS = 60_000;

export interface Capture {
  readonly startMs: number;
  readonly nowMs: number;
  /** Last poll of each book that may be compared, epoch milliseconds; others are left out. */
  readonly polledAtMs: ReadonlyMap<string, number>;
}

/**
 * A race whose start moved later has captured prices from before its window. A larger move would mean another day's
 * race.
 */
const START_MOVED_MS = 6 * 60 * 60_000;

/** An instant before every captured price of a race with this start. */
export const oldestCaptureMs = (startMs: number): number => startMs - CAPTURE_MS - START_MOVED_MS;

export const windowOpensMs = (startMs: number): number => startMs - CAPTURE_MS;

/** Whether a price first captured at `firstMs` stood when the window opened. */
export const stoodAtOpening = (firstMs: number, startMs: number): boolean =>
  firstMs <= windowOpensMs(startMs) + OPENING_MS;

/**
 * Which capture, of at least one, opens the window: the last one before the window if the start was put back, otherwise
 * the first.
 */
export const openingCapture = (atMs: readonly number[], startMs: number): number =>
  Math.max(0, countUpTo(atMs, windowOpensMs(startMs)) - 1);

/** The lines of these runners, by book; a book without any is left out. Captures after `nowMs` do not exist yet. */
export function linesOf(captured: readonly CapturedPrices[], field: readonly number[], capture: Capture): BookLines[] {
  return captured.flatMap(({ bookmaker: key, runners }) => {
    const polledAtMs = capture.polledAtMs.get(key);
    if (polledAtMs === undefined) return [];
    const lostMs = lostAtMs(key, polledAtMs, capture);
    const lines = field.map((number) => {
      const runner = runners.find((one) => one.number === number);
      return runner && runner.atMs[0]! <= capture.nowMs ? lineOf(runner, lostMs, windowOpensMs(capture.startMs)) : null;
    });
    return lines.some((line) => line !== null) ? [{ bookmaker: key, lines }] : [];
  });
}

function lineOf({ atMs, prices, withdrawnAtMs }: CapturedRunner, lostMs: number, opensMs: number): PriceLine {
  const first = atMs[0]!;
  const fromMs = first > opensMs && first <= opensMs + OPENING_MS ? opensMs : first;
  return { atMs, prices, fromMs, untilMs: Math.min(lostMs, withdrawnAtMs ?? Number.POSITIVE_INFINITY) };
}

/** When a book without a recent poll became stale; infinite while it is fresh. */
function lostAtMs(key: string, polledAtMs: number, { startMs, nowMs }: Capture): number {
  const tier = (atMs: number) => tierAt(Math.floor((startMs - atMs) / 1000), bookmaker(key));
  if (!isStale(ageSeconds(polledAtMs, nowMs), tier(nowMs))) return Number.POSITIVE_INFINITY;
  // A poll that is ahead of now proves nothing about now.
  return Math.min(nowMs, polledAtMs + staleAfterSeconds(tier(polledAtMs)) * 1000);
}

/** The price that stands at an instant; null if there is none. */
function priceAt(line: PriceLine, atMs: number): number | null {
  if (atMs < line.fromMs || atMs >= line.untilMs) return null;
  return line.prices[Math.max(0, countUpTo(line.atMs, atMs) - 1)]!;
}

/** How many of these ascending instants are at or before `atMs`. */
export function countUpTo(instants: readonly number[], atMs: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instants[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every book's prices at an instant, aligned to the field; a book without any is left out. */
export function standingAt(books: readonly BookLines[], atMs: number): BookPrices[] {
  return books.flatMap(({ bookmaker: key, lines }) => {
    const prices = lines.map((line) => line && priceAt(line, atMs));
    return prices.some((price) => price !== null) ? [{ bookmaker: key, prices }] : [];
  });
}

/**
 * The price against which a book's moves are measured: its price when the window opened, or its first price if it
 * joined later (A 2.6 rule 2).
 */
export function openingPrice(line: PriceLine, opensMs: number): number {
  return priceAt(line, opensMs) ?? line.prices[0]!;
}
