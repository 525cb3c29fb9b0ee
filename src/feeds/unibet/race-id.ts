// Our id of a Unibet race: the letter of the code, then the event key, because the race reply has no code and the key
// is opaque.
import type { Category } from '../../domain/race/race';
import { categoryOfLetter } from '../reading/read';

export const raceIdOf = (letter: string, eventKey: string): string => `${letter}:${eventKey}`;

/** Null if it is not such an id. */
export function parseRaceId(id: string): { readonly category: Category; readonly eventKey: string } | null {
  const category = categoryOfLetter(id.charAt(0));
  const eventKey = id.slice(2);
  return category && id.charAt(1) === ':' && eventKey !== '' ? { category, eventKey } : null;
}
