// The closing-line rows of a race (B 2.1): one per runner and book, of the runner that the book has under the number
// now. The close is that of `closingLine`, as everywhere.
import { type ClosingLine, closingLine, isConfirmed, type RaceJump } from '../clv/closing-line';
import { standsOf } from '../clv/stands';
import { openingCapture } from '../market/intelligence/captured';
import type { ArchivedRunner } from './archived-runners';
import { type PlaceClose, placeClose } from './place-close';
import type { Legs, StoredSeries } from './stored-race';

export interface ArchivedLine extends ClosingLine {
  readonly bookmaker: string;
  readonly of: ArchivedRunner;
  readonly openLegs: Legs;
  readonly closeLegs: Legs;
  readonly foundBy: 'tick' | 'poll' | 'none';
  /** Whole seconds from the capture of the closing price to the jump. */
  readonly ageSeconds: number;
  readonly placeClose: PlaceClose | null;
}

/** Null: nothing was captured up to the jump, or another runner has the number now. */
export function archivedLine(stored: StoredSeries, of: ArchivedRunner, jump: RaceJump): ArchivedLine | null {
  if (!stored.current) return null;
  const captured = stored.changes.filter(({ what }) => typeof what === 'number');
  const series = {
    atMs: captured.map(({ atMs }) => atMs),
    prices: captured.map(({ what }) => what as number),
    stands: standsOf(stored.changes, stored.seenMs),
  };
  const line = closingLine(series, jump);
  if (line === null) return null;
  const last = line.points - 1;
  return {
    ...line,
    bookmaker: stored.bookmaker,
    of,
    openLegs: stored.legs[openingCapture(series.atMs, jump.startMs)]!,
    closeLegs: stored.legs[last]!,
    foundBy: !line.isClosingLine ? 'none' : isConfirmed(series, jump.jumpMs) ? 'poll' : 'tick',
    ageSeconds: Math.floor((jump.jumpMs - series.atMs[last]!) / 1000),
    placeClose: placeClose(stored, jump),
  };
}
