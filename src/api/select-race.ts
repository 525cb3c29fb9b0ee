// Selects the one race that a request names (A 4.4). No match is a free 404; two races with the same venue, day and number are a free 409.
import { AppError, type InputProblem } from '../errors';
import type { LiveRace, RaceQuery } from '../store/reads/races/find-races';
import type { Reads } from '../store/reads/reads';
import type { Audience } from './access/visibility';
import { presentName } from './present/race';

export interface RaceSelector {
  readonly race_id?: string;
  readonly venue?: string;
  readonly meeting_date?: string;
  readonly race_number?: number;
}

const BY_NUMBER = ['venue', 'meeting_date', 'race_number'] as const;

/**
 * A request names a race by its id, which is preferred (A 4.4), or by venue, day and number together. `given`: the parameters that were sent,
 * valid or not.
 */
export function raceSelectorRules(given: ReadonlySet<string>): InputProblem[] {
  if (given.has('race_id')) return [];
  const missing = BY_NUMBER.filter((name) => !given.has(name));
  if (missing.length === BY_NUMBER.length) return [{ parameter: 'race_id', detail: SELECT_ONE }];
  return missing.map((parameter) => ({ parameter, detail: missingSentence(parameter) }));
}

const SELECT_ONE = 'Select the race by race_id, or by venue, meeting_date and race_number together.';

const missingSentence = (parameter: string): string =>
  `${parameter} is missing: select the race by race_id, or by venue, meeting_date and race_number together.`;

const selectionOf = (query: RaceSelector): RaceQuery =>
  query.race_id === undefined
    ? { venue: query.venue!, day: query.meeting_date!, raceNumber: query.race_number! }
    : { raceId: query.race_id };

/** The requested race, in any state, with the quotes of these books. Throws `not_found` or `race_ambiguous`. */
export async function selectRace(reads: Reads, query: RaceSelector, bookmakers: readonly string[]): Promise<LiveRace> {
  return only(await reads.findRaces(selectionOf(query), bookmakers), 'not_found');
}

/**
 * The requested race, if it is on the live board (A 3: until ten minutes after the jump), with the quotes of these books. An abandoned race
 * has no market. Throws `race_not_on_board` or `race_ambiguous`.
 */
export async function selectLiveRace(
  reads: Reads,
  query: RaceSelector,
  bookmakers: readonly string[],
): Promise<LiveRace> {
  const races = await reads.findRaces(selectionOf(query), bookmakers);
  return only(
    races.filter((race) => race.left_board_at === null && race.status !== 'abandoned'),
    'race_not_on_board',
  );
}

/** The books whose prices a request compares: the named ones, if they may be compared at all (A 1). */
export const comparedBooks = (named: readonly string[] | undefined, audience: Audience): readonly string[] =>
  (named ?? audience.compared).filter((key) => audience.compared.includes(key));

function only(races: readonly LiveRace[], missing: 'not_found' | 'race_not_on_board'): LiveRace {
  const [race, ...others] = races;
  if (race === undefined) throw new AppError(missing, SENTENCES[missing]);
  if (others.length === 0) return race;
  const detail = `${races.length} races share this venue, meeting_date and race_number. Repeat the request with race_id.`;
  throw new AppError('race_ambiguous', detail, { candidates: races.map(presentName) });
}

const SENTENCES = {
  not_found: 'No race matches the request.',
  race_not_on_board:
    'No matching race has a market on the live board. A race leaves the board ten minutes after the jump; an abandoned race has ' +
    'no market.',
};
