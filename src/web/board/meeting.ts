// The races of a meeting and the state that each has at an instant, from stored facts and the time alone. Pure.
import { type BoardFacts, boardState } from '../../domain/race/board-state';
import type { Day } from '../../domain/race/race';
import { resultExpectedMs } from '../../domain/results/expected-result';
import type { RaceTitle } from './race-title';

export interface MeetingRace extends RaceTitle {
  /** Of the meeting. */
  readonly day: Day;
  readonly venueId: string;
  /** Of a venue with two meetings of a code on a day, which one. */
  readonly card: number;
  /** Of an Australian venue: `NSW`. Null where it is unknown. */
  readonly state: string | null;
  readonly facts: BoardFacts;
  readonly trackCondition: string | null;
  /** Null: no change was seen. */
  readonly trackChangedMs: number | null;
  readonly weather: string | null;
  readonly result: MeetingResult | null;
}

interface MeetingResult {
  readonly status: 'interim' | 'final' | 'abandoned';
  /** The first place; dead heats have several. */
  readonly winners: readonly { readonly number: number; readonly name: string | null }[];
}

/** `unresulted`: it has run, and its result is overdue. */
export type MeetingRaceState = 'ahead' | 'jumped' | 'resulted' | 'unresulted' | 'abandoned';

function meetingRaceState({ facts, result, country, startMs }: MeetingRace, nowMs: number): MeetingRaceState {
  if (facts.status === 'abandoned' || result?.status === 'abandoned') return 'abandoned';
  if (result !== null) return 'resulted';
  if (boardState(facts, nowMs) === 'ahead') return 'ahead';
  return country === 'HK' || nowMs < resultExpectedMs(startMs) ? 'jumped' : 'unresulted';
}

/** A race of a meeting as it stands at an instant. */
export interface MeetingCell extends RaceTitle {
  readonly stands: MeetingRaceState;
  /** The first place, once there is a result. */
  readonly winners: MeetingResult['winners'];
  readonly isInterim: boolean;
}

export function meetingCell(race: MeetingRace, nowMs: number): MeetingCell {
  const { raceId, category, country, venue, raceNumber, startMs, result } = race;
  return {
    ...{ raceId, category, country, venue, raceNumber, startMs },
    stands: meetingRaceState(race, nowMs),
    winners: result?.winners ?? [],
    isInterim: result?.status === 'interim',
  };
}

/** The meeting of a race. */
export interface RaceMeeting {
  readonly day: Day;
  /** By number. */
  readonly races: readonly MeetingCell[];
}

export function raceMeeting(races: readonly MeetingRace[], nowMs: number): RaceMeeting | null {
  const first = races[0];
  return first === undefined ? null : { day: first.day, races: races.map((race) => meetingCell(race, nowMs)) };
}

/** The first to jump of those that are still to jump; null: there is none. */
export function nextToJump(cells: readonly MeetingCell[]): MeetingCell | null {
  let next: MeetingCell | null = null;
  for (const cell of cells) if (cell.stands === 'ahead' && (next === null || cell.startMs < next.startMs)) next = cell;
  return next;
}
