// The board's source over the store: every read names the books that customers may see, so that a hidden value is not even fetched.
import type { LiveReads } from '../../../store/reads/live-board';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import type { Reads } from '../../../store/reads/reads';
import type { BoardSource } from '../../../web/board/source';
import { CUSTOMERS } from '../../access/visibility';
import { outcomeOf, titleOfRow, visibleRaceOf } from './visible-race';

export interface BoardSourceDeps {
  readonly reads: Pick<Reads, 'board' | 'capturedPrices'>;
  readonly liveReads: LiveReads;
}

const HOUR_MS = 3_600_000;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createBoardSource({ reads, liveReads }: BoardSourceDeps): BoardSource {
  const { bookmakers, compared } = CUSTOMERS;
  return {
    async boardRaces(limit, nowMs) {
      const races = await reads.board({
        from: iso(nowMs - HOUR_MS),
        until: iso(nowMs + 24 * HOUR_MS),
        includeUnresolved: true,
        bookmakers,
        limit,
      });
      // This read returns only races that have neither jumped nor left the board.
      return races.map((race) => visibleRaceOf({ ...race, jumped_at: null, left_board_at: null }, nowMs));
    },
    async race(raceId, nowMs) {
      const race = await liveReads.race(raceId, bookmakers);
      return race && visibleRaceOf(race, nowMs);
    },
    async captured({ raceId, startMs, onBoard }) {
      if (!onBoard) return [];
      return reads.capturedPrices({ raceIds: [raceId], bookmakers: compared, from: captureBound([startMs]) });
    },
    async cardChanges(raceId) {
      const { track, deductions } = await liveReads.cardDetails(raceId, bookmakers);
      return { track: track && { atMs: Date.parse(track.at), previous: track.previous }, deductions };
    },
    async jumpedRaces(limit, nowMs) {
      const races = await liveReads.offRaces(iso(nowMs), bookmakers, limit);
      return races.map((race) => ({ ...titleOfRow(race), jumpedMs: Date.parse(race.jumped_at) }));
    },
    outcomes: async (limit, nowMs) => (await liveReads.outcomes(iso(nowMs), limit)).map(outcomeOf),
    async outcome(raceId) {
      const row = await liveReads.outcome(raceId);
      return row && outcomeOf(row);
    },
  };
}
