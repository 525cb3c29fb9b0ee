// Selects the one race that a request names (A 4.4). No match is a free 404; two races with the same venue, day and
// number are a free 409.
import { isShown } from '../../domain/race/board-state';
import { AppError, type InputProblem } from '../../errors';
import type { LiveRace, RaceQuery } from '../../store/reads/races/find-races';
import type { Reads } from '../../store/reads/reads';
import type { Audience } from '../kernel/endpoint/visibility';
import { presentName } from './present-race';

export interface RaceSelector {
  readonly race_id?: string;
  readonly venue?: string;
  readonly meeting_date?: string;
  readonly race_number?: number;
}

/**
 * A request names a race by its id, which is preferred (A 4.4), or by venue, day and number together. `given`: the
 * parameters that were sent, valid or not. `day`: the parameter of the day.
 */
export function raceSelectorRules(
  given: ReadonlySet<string>,
  day: 'meeting_date' | 'date' = 'meeting_date',
): InputProblem[] {
  if (given.has('race_id')) return [];
  const needed = ['venue', day, 'race_number'];
  const missing = needed.filter((name) => !given.has(name));
  const fix = `elect the race by race_id, or by venue, ${day} and race_number together.`;
  if (missing.length === needed.length) return [{ parameter: 'race_id', detail: `S${fix}` }];
  return missing.map((parameter) => ({ parameter, detail: `${parameter} is missing: s${fix}` }));
}

const selectionOf = (query: RaceSelector): RaceQuery =>
  query.race_id === undefined
    ? { venue: query.venue!, day: query.meeting_date!, raceNumber: query.race_number! }
    : { raceId: query.race_id };

/** The requested race, in any state, with the quotes of these books. Throws `not_found` or `race_ambiguous`. */
export async function selectRace(reads: Reads, query: RaceSelector, bookmakers: readonly string[]): Promise<LiveRace> {
  return only(await reads.findRaces(selectionOf(query), bookmakers), 'not_found');
}

/**
 * The requested race, if it is on the live board now (A 3: until ten minutes after the jump), with the quotes of these
 * books. An abandoned race has no market. Throws `race_not_on_board` or `race_ambiguous`.
 */
export async function selectLiveRace(
  reads: Reads,
  query: RaceSelector,
  bookmakers: readonly string[],
  nowMs: number,
): Promise<LiveRace> {
  const races = await reads.findRaces(selectionOf(query), bookmakers);
  return only(
    races.filter((race) => isShown('analysis', race, nowMs)),
    'race_not_on_board',
  );
}

/** The books whose prices a request compares: the named ones, if they may be compared at all (A 1). */
export const comparedBooks = (named: readonly string[] | undefined, audience: Audience): readonly string[] =>
  (named ?? audience.compared).filter((key) => audience.compared.includes(key));

/** Among the races that a request matches. Throws `missing` or `race_ambiguous`. */
export function only<R extends Parameters<typeof presentName>[0]>(
  races: readonly R[],
  missing: 'not_found' | 'race_not_on_board',
): R {
  const [race, ...others] = races;
  if (race === undefined) throw new AppError(missing, SENTENCES[missing]);
  if (others.length === 0) return race;
  const detail = `${races.length} races share this venue, day and race_number. Repeat the request with race_id.`;
  throw new AppError('race_ambiguous', detail, { candidates: races.map(presentName) });
}

const SENTENCES = {
  not_found: 'No race matches the request.',
  race_not_on_board:
    'No matching race has a market on the live board. A race leaves the board ten minutes after the jump; an abandoned race has ' +
    'no market.',
};
