// The races among some rows that are still to jump, with the prices of the books that customers may see.
import { type BoardFacts, boardState } from '../../../domain/race/board-state';
import type { Reads } from '../../../store/reads/reads';
import type { VisibleRace } from '../../../web/board/source';
import { CUSTOMERS } from '../../kernel/endpoint/visibility';
import { visibleRaceOf } from './visible-race';

const MOST_RACES = 120;

/** `rows`: any order; of very many races some are read, the first to start. */
export async function racesAhead(
  { people }: Pick<Reads, 'people'>,
  rows: readonly (BoardFacts & { readonly race_id: string })[],
  nowMs: number,
): Promise<readonly VisibleRace[]> {
  const ahead = rows
    .filter((row) => boardState(row, nowMs) === 'ahead')
    .sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  const raceIds = [...new Set(ahead.map(({ race_id }) => race_id))].slice(0, MOST_RACES);
  return (await people.races(raceIds, CUSTOMERS.bookmakers)).map((race) => visibleRaceOf(race, nowMs));
}
