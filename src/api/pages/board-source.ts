// The board's source over the store: every read names the books that customers may see, so that a hidden value is not
// even fetched.
import { boardJumpMs, boardState } from '../../domain/race/board-state';
import { venuesOfState } from '../../domain/race/venue';
import type { LiveReads, OffRace, RacePlaces } from '../../store/reads/live-board';
import { captureBound } from '../../store/reads/prices/captured-prices';
import type { LiveRace } from '../../store/reads/races/find-races';
import type { Reads } from '../../store/reads/reads';
import type { JumpedRace } from '../../web/board/model';
import type { RaceFilter } from '../../web/board/race-filter';
import type { BoardSource } from '../../web/board/source';
import { windowOf } from '../kernel/endpoint/board-window';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { meetingRaceOf } from './meeting-source';
import { atJump, capturedBefore, polledSince } from './shown/at-jump';
import { basisOf, outcomeOf, titleOfRow, visibleRaceOf } from './shown/visible-race';

export interface BoardSourceDeps {
  readonly reads: Pick<Reads, 'archive' | 'board' | 'capturedPrices' | 'meetings'>;
  readonly liveReads: LiveReads;
}

const HOURS_AHEAD = 24;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createBoardSource({ reads, liveReads }: BoardSourceDeps): BoardSource {
  const { bookmakers, compared } = CUSTOMERS;

  async function captured(raceId: string, startMs: number, jumpedMs: number | null) {
    const all = await reads.capturedPrices({ raceIds: [raceId], bookmakers: compared, from: captureBound([startMs]) });
    return jumpedMs === null ? all : capturedBefore(all, jumpedMs);
  }

  /**
   * After the jump, recorded or not, its prices and their ages as of the jump: while it is on the board, and afterwards
   * until it is archived.
   */
  async function standing(race: LiveRace, nowMs: number) {
    const state = boardState(race, nowMs);
    if (race.status === 'abandoned' || state === 'ahead') return visibleRaceOf(race, nowMs);
    const jumpedMs = boardJumpMs(race);
    const jumped = { ...race, jumped_at: iso(jumpedMs) };
    if (state === 'over' && (await reads.archive.outcome(race.race_id)) !== null) return visibleRaceOf(jumped, nowMs);
    const since = polledSince(race, jumpedMs);
    const [before, places, polls] = await Promise.all([
      captured(race.race_id, race.startMs, jumpedMs),
      since.length === 0 ? [] : liveReads.placesBefore(race.race_id, since, iso(jumpedMs)),
      since.length === 0 ? [] : liveReads.pollsBefore(race.race_id, since, iso(jumpedMs)),
    ]);
    const stood = atJump(jumped, { captured: before, places, polls }, jumpedMs);
    return visibleRaceOf(stood, Math.min(nowMs, jumpedMs), state === 'jumped', true);
  }

  return {
    async boardRaces(limit, nowMs, filter) {
      const window = { ...windowOf(HOURS_AHEAD, nowMs), ...chosenBy(filter) };
      const races = await reads.board({ ...window, bookmakers, limit });
      // This read returns only races before their jump.
      return races.map((race) => visibleRaceOf({ ...race, jumped_at: null, left_board_at: null }, nowMs, true));
    },
    async race(raceId, nowMs) {
      const race = await liveReads.race(raceId, bookmakers);
      return race && standing(race, nowMs);
    },
    captured: async ({ raceId, startMs, jumpedMs, keepsPrices }) =>
      keepsPrices ? captured(raceId, startMs, jumpedMs) : [],
    async cardChanges(raceId) {
      const { track, deductions } = await liveReads.cardDetails(raceId, bookmakers);
      return { track: track && { atMs: Date.parse(track.at), previous: track.previous }, deductions };
    },
    async jumpedRaces(limit, nowMs, filter) {
      const races = await liveReads.offRaces(iso(nowMs), limit, placesOf(filter));
      return races.map(jumpedRaceOf);
    },
    outcomes: async (limit, nowMs, filter) =>
      (await liveReads.outcomes(iso(nowMs), limit, placesOf(filter))).map(outcomeOf),
    async outcome(raceId) {
      const row = await liveReads.outcome(raceId);
      return row && outcomeOf(row);
    },
    meeting: async (raceId) => (await reads.meetings.ofRace(raceId)).map(meetingRaceOf),
  };
}

/** A race of a state is Australian, or its country is not confirmed yet (A 2.1). */
const chosenBy = ({ code, country, state }: RaceFilter) => ({
  ...(code !== null && { categories: [code] }),
  ...(country !== null && { countries: [country] }),
  ...(state !== null && { countries: ['AU'], venueIds: venuesOfState(state) }),
  includeUnresolved: country === null,
});

const placesOf = ({ code, country, state }: RaceFilter): RacePlaces => ({
  category: code,
  country,
  venueIds: state === null ? null : venuesOfState(state),
});

function jumpedRaceOf(race: OffRace): JumpedRace {
  const jumpedMs = Date.parse(race.jumped_at);
  const title = titleOfRow(race);
  return { ...title, jumpedMs, jumpBasis: basisOf({ ...race, startMs: title.startMs }, jumpedMs) };
}
