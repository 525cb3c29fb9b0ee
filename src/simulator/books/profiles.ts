// The differences between books: margin, delays, when each opens and closes, and the rungs on which it quotes. Data
// only.
import type { Category } from '../../domain/race/race';
import type { Ladder } from './ladder';

export interface BookProfile {
  readonly key: string;
  /** Separates the books' random draws. */
  readonly index: number;
  /** Two brands of the same company share a trader, so they share the draws of opinion. */
  readonly house: number;
  /** Sum of implied probabilities near the jump. */
  readonly margin: Record<Category, number>;
  /** The range of the delay at which the book reads the market; each race draws its own. */
  readonly priceLagMs: readonly [number, number];
  /** The range of its delay in showing scratchings, later starts, regradings and results. */
  readonly stateLagMs: readonly [number, number];
  readonly opensHoursBefore: Record<Category, number>;
  /** When it closes, relative to the real jump. */
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
  stateLagMs: [2000, 12_000],
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

/** Closes at the real jump: the market-state book (D20). */
export const POINTSBET: BookProfile = {
  key: 'pointsbetau',
  index: 3,
  house: 3,
  margin: { horse: 1.15, harness: 1.17, greyhound: 1.18 },
  priceLagMs: [8000, 35_000],
  stateLagMs: [10_000, 60_000],
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
  stateLagMs: [5000, 45_000],
  opensHoursBefore: { horse: 11, harness: 9, greyhound: 8 },
  closesAfterJumpMs: [-5000, 25_000],
  ladder: 'coarse',
};

export const SPORTSBET: BookProfile = {
  key: 'sportsbet',
  index: 5,
  house: 5,
  margin: { horse: 1.17, harness: 1.19, greyhound: 1.2 },
  priceLagMs: [1000, 12_000],
  stateLagMs: [2000, 15_000],
  opensHoursBefore: OPENS_EARLY,
  closesAfterJumpMs: [-6000, 12_000],
  ladder: 'usual',
};

export const BETR: BookProfile = {
  key: 'betr_au',
  index: 6,
  house: 6,
  margin: { horse: 1.18, harness: 1.2, greyhound: 1.21 },
  priceLagMs: [6000, 25_000],
  stateLagMs: [5000, 40_000],
  opensHoursBefore: { horse: 16, harness: 10, greyhound: 9 },
  closesAfterJumpMs: [-10_000, 15_000],
  ladder: 'usual',
};

/** The same platform with another trader. */
export const BETRIGHT: BookProfile = { ...BETR, key: 'betright', index: 7, house: 7, priceLagMs: [10_000, 40_000] };

export const UNIBET: BookProfile = {
  key: 'unibet',
  index: 8,
  house: 8,
  margin: { horse: 1.18, harness: 1.2, greyhound: 1.2 },
  priceLagMs: [4000, 20_000],
  stateLagMs: [4000, 30_000],
  opensHoursBefore: { horse: 20, harness: 12, greyhound: 10 },
  closesAfterJumpMs: [-8000, 20_000],
  ladder: 'fine',
};

export const PLAYUP: BookProfile = {
  key: 'playup',
  index: 9,
  house: 9,
  margin: { horse: 1.2, harness: 1.22, greyhound: 1.23 },
  priceLagMs: [15_000, 60_000],
  stateLagMs: [15_000, 90_000],
  opensHoursBefore: { horse: 12, harness: 8, greyhound: 8 },
  closesAfterJumpMs: [-15_000, 20_000],
  ladder: 'coarse',
};

export const PALMERBET: BookProfile = {
  key: 'palmerbet',
  index: 10,
  house: 10,
  margin: { horse: 1.18, harness: 1.2, greyhound: 1.21 },
  priceLagMs: [5000, 25_000],
  stateLagMs: [5000, 40_000],
  opensHoursBefore: { horse: 16, harness: 10, greyhound: 9 },
  closesAfterJumpMs: [-8000, 18_000],
  ladder: 'usual',
};

export const BETDELUXE: BookProfile = {
  key: 'betdeluxe',
  index: 11,
  house: 11,
  margin: { horse: 1.19, harness: 1.21, greyhound: 1.22 },
  priceLagMs: [5000, 30_000],
  stateLagMs: [6000, 45_000],
  opensHoursBefore: { horse: 14, harness: 9, greyhound: 8 },
  closesAfterJumpMs: [-10_000, 20_000],
  ladder: 'usual',
};

export const DABBLE: BookProfile = {
  key: 'dabble_au',
  index: 12,
  house: 12,
  margin: { horse: 1.18, harness: 1.2, greyhound: 1.21 },
  priceLagMs: [4000, 20_000],
  stateLagMs: [4000, 30_000],
  opensHoursBefore: { horse: 14, harness: 9, greyhound: 8 },
  closesAfterJumpMs: [-8000, 15_000],
  ladder: 'usual',
};

export const TABTOUCH: BookProfile = {
  key: 'tabtouch',
  index: 13,
  house: 13,
  margin: { horse: 1.2, harness: 1.22, greyhound: 1.22 },
  priceLagMs: [15_000, 60_000],
  stateLagMs: [10_000, 60_000],
  opensHoursBefore: { horse: 11, harness: 9, greyhound: 8 },
  closesAfterJumpMs: [-5000, 25_000],
  ladder: 'coarse',
};

export const BOOSTBET: BookProfile = {
  ...BETDELUXE,
  key: 'boostbet',
  index: 14,
  house: 14,
  priceLagMs: [10_000, 40_000],
};

export const BETGOLD: BookProfile = {
  ...BETDELUXE,
  key: 'betgold',
  index: 15,
  house: 15,
  priceLagMs: [10_000, 45_000],
};

/** The exchange has almost no margin: this is the back side; the lay side is a little above it. */
export const BETFAIR: BookProfile = {
  key: 'betfair_ex_au',
  index: 16,
  house: 16,
  margin: { horse: 1.015, harness: 1.03, greyhound: 1.04 },
  priceLagMs: [0, 2000],
  stateLagMs: [500, 4000],
  opensHoursBefore: { horse: 12, harness: 8, greyhound: 6 },
  closesAfterJumpMs: [0, 3000],
  ladder: 'fine',
};
