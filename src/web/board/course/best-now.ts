// The best win price of a runner now, as on the page of its race, for a list of runners of several races. Pure.
import type { RaceSheet } from '../model';
import { raceMarketOf } from '../race-market';
import { raceSheetOf } from '../sheet';
import type { VisibleRace } from '../source';

export interface BestNow {
  readonly price: number;
  /** By title; the first is one with a fresh response. */
  readonly books: readonly string[];
  readonly stale: boolean;
  /** When it becomes so, unless the book is read again. */
  readonly staleFromMs: number | null;
  /** The last poll of the first of these books. */
  readonly polledMs: number | null;
}

interface OfRace {
  readonly race: { readonly raceId: string };
  readonly number: number;
  readonly runner: string;
}

/** Null: no book quotes it, its race is not among these, or another runner has the number. */
export function bestNow(races: readonly VisibleRace[], nowMs: number): (of: OfRace) => BestNow | null {
  const sheets = new Map<string, RaceSheet>();
  for (const race of races) {
    const market = raceMarketOf(race, [], nowMs);
    const readings = { marks: () => null, changes: { track: null, deductions: [] }, market };
    sheets.set(race.raceId, raceSheetOf(race, readings, nowMs));
  }
  return ({ race, number, runner }) => {
    const sheet = sheets.get(race.raceId);
    const best = sheet?.runners.find((one) => one.number === number && one.name === runner)?.win.best;
    if (!best) return null;
    const { price, books, stale, staleFromMs } = best;
    const polledMs = sheet!.books.find(({ title }) => title === books[0])?.polledMs ?? null;
    return { price, books, stale, staleFromMs, polledMs };
  };
}
