// The place close of a series, against which `clv` measures place bets: found as from the ticks (`closing-prices.ts`),
// because the archive has neither withdrawals nor polls. A place price is captured with each change of the win price.
import { closingLine, type RaceJump } from '../clv/closing-line';
import { type SeriesChange, standsOf } from '../clv/stands';
import type { StoredSeries } from './stored-race';

export interface PlaceClose {
  readonly price: number;
  /** Whole seconds from its last observation to the jump; 0: it stood at the jump. */
  readonly secsToJump: number;
}

/** Null: no place price was captured up to the jump. */
export function placeClose(stored: StoredSeries, jump: RaceJump): PlaceClose | null {
  const changes = placeChanges(stored);
  const captured = changes.filter(({ what }) => typeof what === 'number');
  if (captured.length === 0) return null;
  const prices = captured.map(({ what }) => what as number);
  // A place price that moved alone is not stored, so it is unknown which poll last saw the captured one.
  const seenMs = stored.placeShown === prices.at(-1) ? stored.seenMs : Number.NaN;
  const series = { atMs: captured.map(({ atMs }) => atMs), prices, stands: standsOf(changes, seenMs) };
  const line = closingLine(series, jump);
  return line && { price: line.closePrice, secsToJump: line.closeSecsToJump };
}

/** A capture without a place price ends the previous one; everything before the first price is left out. */
function placeChanges({ changes, legs }: StoredSeries): SeriesChange[] {
  let captures = 0;
  let quoted = false;
  return changes.flatMap((change): SeriesChange[] => {
    if (typeof change.what !== 'number') return quoted ? [change] : [];
    const { place } = legs[captures++]!;
    quoted = place !== null;
    return [{ ...change, what: place ?? 'gone' }];
  });
}
