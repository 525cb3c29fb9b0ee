// best-odds for many callers: one API process computes the lines of a query once in 20 seconds (A 8); every response
// fills in the ages of its own second.
import { outageAgeMs } from '../../../store/reads/outage-cache';
import type { BoardQuery } from '../../../store/reads/races/board';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { agedRace, raceText, type SerialisedRaces, serialiseRaces } from '../../wire/aged-race';
import { cacheAgeSeconds } from '../../wire/present-freshness';
import type { BetslipBoard } from '../betslip/betslip-links';
import { bestLines } from './present-best-lines';
import { presentBest } from './present-best-race';

const CACHED_MS = 20_000;
/** Part of the cache key: raise it when the cached races change in form or content. */
const FORM = 'best-odds 2';

/** `key` identifies the query. It excludes the start and end of the window, which move with the clock. */
interface BestOddsQuery {
  readonly key: string;
  readonly betslip: boolean;
  readonly board: BoardQuery;
}

export interface BestOddsBoard {
  /** `forOneOnly`: computed for this request, and marked so (`cached: false`). */
  racesFor(query: BestOddsQuery, nowMs: number): Promise<SerialisedRaces & { readonly forOneOnly: boolean }>;
}

export function createBestOddsBoard(
  reads: Pick<Reads, 'board'>,
  slips: BetslipBoard,
  shared: SharedAnswers,
): BestOddsBoard {
  return {
    async racesFor({ key, betslip, board }, nowMs) {
      const answer = await shared.get(`${FORM} ${betslip} ${key}`, CACHED_MS, nowMs, async () => {
        const races = await reads.board(board);
        const links = betslip ? await slips.linksOf(races) : null;
        const texts = races.map((race) =>
          agedRace(
            race,
            raceText(race, (holes) => presentBest(bestLines(race, nowMs), holes, links)),
          ),
        );
        return { texts, outageMs: outageAgeMs(races) };
      });
      const { texts, outageMs } = answer.value;
      const ageSeconds = cacheAgeSeconds(answer, outageMs, nowMs);
      return { ...serialiseRaces(texts, nowMs, ageSeconds), forOneOnly: ageSeconds === null };
    },
  };
}
