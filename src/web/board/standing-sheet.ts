// The sheet of a race from its prices and those captured before: after the jump prices no longer change, and are
// compared as of it. Pure.
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { RaceSheet } from './model';
import { marksAt } from './price-paths';
import { raceMarketOf } from './race-market';
import { raceSheetOf } from './sheet';
import type { CardChanges, VisibleRace } from './source';

const MOVE_OVER_MS = 5 * 60_000;

export function standingSheetOf(
  race: VisibleRace,
  { captured, changes }: { readonly captured: readonly CapturedPrices[]; readonly changes: CardChanges },
  nowMs: number,
): RaceSheet {
  const atMs = pricesAsOf(race, nowMs);
  const marks = marksAt(captured, atMs - MOVE_OVER_MS);
  return raceSheetOf(race, { marks, changes, market: raceMarketOf(race, captured, atMs) }, nowMs);
}

/** The jump, once it is known. */
export const pricesAsOf = ({ jumpedMs }: VisibleRace, nowMs: number): number =>
  jumpedMs === null ? nowMs : Math.min(nowMs, jumpedMs);
