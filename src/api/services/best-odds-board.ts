// best-odds for many callers: the lines of a question are computed once in 20 seconds by one of the API processes (A 8), and said again
// with the ages of each second in which they are asked for.
import type { BoardQuery } from '../../store/reads/races/board';
import type { Reads } from '../../store/reads/reads';
import type { SharedAnswers } from '../../store/redis/shared-answers';
import { agedRace, raceText, type SerialisedRaces, serialiseRaces } from '../present/aged-race';
import { bestLines } from '../present/prices/best-lines';
import { presentBest } from '../present/prices/best-race';
import type { BetslipBoard } from './betslip-links';

const HELD_MS = 20_000;
/** To be raised when the races lie in the shared answers in another form, or say something else. */
const FORM = 'best-odds 1';

/** What tells two questions apart: the window's own instants move with the clock and are not part of it. */
interface BestOddsQuery {
  readonly key: string;
  readonly betslip: boolean;
  readonly board: BoardQuery;
}

export interface BestOddsBoard {
  /** Whoever had it computed is told so, and nobody else is. */
  racesFor(question: BestOddsQuery, nowMs: number): Promise<SerialisedRaces & { readonly forOneOnly: boolean }>;
}

export function createBestOddsBoard(
  reads: Pick<Reads, 'board'>,
  slips: BetslipBoard,
  shared: SharedAnswers,
): BestOddsBoard {
  return {
    async racesFor({ key, betslip, board }, nowMs) {
      const { value, fresh, computedAtMs } = await shared.get(`${FORM} ${betslip} ${key}`, HELD_MS, nowMs, async () => {
        const races = await reads.board(board);
        const links = betslip ? await slips.linksOf(races) : null;
        return races.map((race) =>
          agedRace(
            race,
            raceText(race, (holes) => presentBest(bestLines(race, nowMs), holes, links)),
          ),
        );
      });
      const heldSeconds = fresh ? null : Math.max(0, Math.floor(nowMs / 1000) - Math.floor(computedAtMs / 1000));
      return { ...serialiseRaces(value, nowMs, heldSeconds), forOneOnly: fresh };
    },
  };
}
