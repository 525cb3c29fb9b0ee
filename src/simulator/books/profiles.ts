// How each book differs: its margin, how late it learns, when it opens and closes, which rungs it quotes on. Data only.
import type { Category } from '../../domain/race';
import type { Ladder } from './ladder';

export interface BookProfile {
  readonly key: string;
  /** Tells the books' draws apart. */
  readonly index: number;
  /** Two brands of one house share a trader: draws of opinion are the house's. */
  readonly house: number;
  /** Sum of implied probabilities near the jump. */
  readonly margin: Record<Category, number>;
  /** How late the book reads the market, at least and at most; a race draws its own. */
  readonly priceLagMs: readonly [number, number];
  /** How late it hears of scratchings, later starts, regradings and results. */
  readonly newsLagMs: readonly [number, number];
  readonly opensHoursBefore: Record<Category, number>;
  /** When it shuts, counted from the real jump. */
  readonly closesAfterJumpMs: readonly [number, number];
  readonly ladder: Ladder;
}

const OPENS_EARLY = { horse: 30, harness: 20, greyhound: 16 };

export const LADBROKES: BookProfile = {
  key: 'ladbrokes_au',
  index: 1,
  house: 1,
  margin: { horse: 1.18, harness: 1.19, greyhound: 1.2 },
  priceLagMs: [0, 8000],
  newsLagMs: [2000, 12_000],
  opensHoursBefore: OPENS_EARLY,
  closesAfterJumpMs: [-8000, 14_000],
  ladder: 'usual',
};

export const NEDS: BookProfile = {
  ...LADBROKES,
  key: 'neds',
  index: 2,
  margin: { horse: 1.19, harness: 1.2, greyhound: 1.21 },
  priceLagMs: [2000, 14_000],
};

/** Closes at the real jump itself: the market-state book (D20). */
export const POINTSBET: BookProfile = {
  key: 'pointsbetau',
  index: 3,
  house: 3,
  margin: { horse: 1.15, harness: 1.17, greyhound: 1.18 },
  priceLagMs: [8000, 35_000],
  newsLagMs: [10_000, 60_000],
  opensHoursBefore: { horse: 18, harness: 12, greyhound: 10 },
  closesAfterJumpMs: [0, 0],
  ladder: 'fine',
};

export const TAB: BookProfile = {
  key: 'tab',
  index: 4,
  house: 4,
  margin: { horse: 1.2, harness: 1.22, greyhound: 1.22 },
  priceLagMs: [15_000, 60_000],
  newsLagMs: [5000, 45_000],
  opensHoursBefore: { horse: 11, harness: 9, greyhound: 8 },
  closesAfterJumpMs: [-5000, 25_000],
  ladder: 'coarse',
};
