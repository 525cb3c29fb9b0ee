// The current data that the API serves of a race: the reading of its operations for one race, with the bookmakers that
// customers may see (D14).
import { CUSTOMER_BOOKMAKER_KEYS, isCompared } from '../../domain/bookmakers';
import { type ServedRace, servedOf } from '../../domain/quality/served';
import { isShown } from '../../domain/race/board-state';
import type { ActivityDeps } from '../deps';

/** Never the exchange. */
export const SERVED_BOOKS: readonly string[] = CUSTOMER_BOOKMAKER_KEYS.filter(isCompared);

/** Null: it has jumped, was abandoned or left the board. */
export async function servedRace(
  { boardReads, now }: Pick<ActivityDeps, 'boardReads' | 'now'>,
  raceId: string,
): Promise<ServedRace | null> {
  const [race] = await boardReads.findRaces({ raceId }, SERVED_BOOKS);
  return race && isShown('checks', race, now()) ? servedOf(race, now()) : null;
}
