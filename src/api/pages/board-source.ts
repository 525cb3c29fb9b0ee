// The board's source over the store: every read names the books that customers may see, so that a hidden value is not
// even fetched.
import { venuesOfState } from '../../domain/race/venue';
import type { LiveReads, OffRace, RacePlaces } from '../../store/reads/live-board';
import type { Reads } from '../../store/reads/reads';
import type { JumpedRace } from '../../web/board/model';
import type { RaceFilter } from '../../web/board/race-filter';
import type { BoardSource } from '../../web/board/source';
import { windowOf } from '../kernel/endpoint/board-window';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { meetingRaceOf } from './meeting-source';
import { capturedOf, standingRaces } from './shown/standing';
import { basisOf, outcomeOf, titleOfRow, visibleRaceOf } from './shown/visible-race';

export interface BoardSourceDeps {
  readonly reads: Pick<Reads, 'archive' | 'board' | 'capturedPrices' | 'meetings'>;
  readonly liveReads: LiveReads;
}

const HOURS_AHEAD = 24;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createBoardSource({ reads, liveReads }: BoardSourceDeps): BoardSource {
  const { bookmakers } = CUSTOMERS;

  const one = {
    ...{ reads, liveReads },
    archived: async ([raceId]: readonly string[]) =>
      new Set((await reads.archive.outcome(raceId!)) === null ? [] : [raceId!]),
  };

  return {
    async boardRaces(limit, nowMs, filter) {
      const window = { ...windowOf(HOURS_AHEAD, nowMs), ...chosenBy(filter) };
      const races = await reads.board({ ...window, bookmakers, limit });
      // This read returns only races before their jump.
      return races.map((race) => visibleRaceOf({ ...race, jumped_at: null, left_board_at: null }, nowMs, true));
    },
    async race(raceId, nowMs) {
      const race = await liveReads.race(raceId, bookmakers);
      return race && (await standingRaces(one, [race], nowMs))[0]!;
    },
    captured: async (race) => (race.keepsPrices ? (await capturedOf(reads, [race]))(race.raceId) : []),
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
