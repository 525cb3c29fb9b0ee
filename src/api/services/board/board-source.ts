// The board's source over the store: every read names the books that customers may see, so that a hidden value is not even fetched.
import type { LiveReads } from '../../../store/reads/live-board';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { Reads } from '../../../store/reads/reads';
import type { BoardSource } from '../../../web/board/source';
import { CUSTOMERS } from '../../access/visibility';
import { atJump, capturedBefore, polledSince } from './at-jump';
import { outcomeOf, titleOfRow, visibleRaceOf } from './visible-race';

export interface BoardSourceDeps {
  readonly reads: Pick<Reads, 'board' | 'capturedPrices'>;
  readonly liveReads: LiveReads;
}

const HOUR_MS = 3_600_000;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createBoardSource({ reads, liveReads }: BoardSourceDeps): BoardSource {
  const { bookmakers, compared } = CUSTOMERS;

  async function captured(raceId: string, startMs: number, jumpedMs: number | null) {
    const all = await reads.capturedPrices({ raceIds: [raceId], bookmakers: compared, from: captureBound([startMs]) });
    return jumpedMs === null ? all : capturedBefore(all, jumpedMs);
  }

  /** After the jump, its prices and their ages as of the jump. */
  async function standing(race: LiveRace, nowMs: number) {
    const jumpedMs = race.jumped_at === null ? null : Date.parse(race.jumped_at);
    if (jumpedMs === null || race.left_board_at !== null) return visibleRaceOf(race, nowMs);
    const since = polledSince(race, jumpedMs);
    const [before, places] = await Promise.all([
      captured(race.race_id, race.startMs, jumpedMs),
      since.length === 0 ? [] : liveReads.placesBefore(race.race_id, since, iso(jumpedMs)),
    ]);
    return visibleRaceOf(atJump(race, before, places, jumpedMs), Math.min(nowMs, jumpedMs));
  }

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
      return race && standing(race, nowMs);
    },
    captured: async ({ raceId, startMs, jumpedMs, onBoard }) => (onBoard ? captured(raceId, startMs, jumpedMs) : []),
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
