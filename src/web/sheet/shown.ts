import type { RaceSheet, RunnerRow } from '../board/model';
import type { BetMarket, PriceLink } from '../bookmakers/bets';

/** A race at an instant, in a table. */
export interface Shown {
  readonly race: RaceSheet;
  readonly nowMs: number;
  /** Names link to the pages of runners and people. Not on the board, where the path to the next race would be long. */
  readonly named: boolean;
  /** The market whose prices link to the bookmakers; null: none does. */
  readonly bets: BetMarket | null;
}

export const betLinkOf = ({ race: { raceId }, bets }: Shown, { number }: RunnerRow): PriceLink | null =>
  bets && { raceId, number, market: bets };
