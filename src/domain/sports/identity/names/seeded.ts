// The names that a fresh database begins with. Where there is a database, its own count (`store/sports/names.ts`);
// these serve what has none, such as the names of selections within one pushed match.
import { SEED } from '../teams/seed';
import { compileNames, type NameTable, type SportNames } from './sport-names';

const EMPTY: NameTable = { teams: [], spellings: [], apart: [] };

/** Each sport is compiled when it is first read. */
export function namesOf(tables: Readonly<Record<string, NameTable>>): (sportKey: string) => SportNames {
  const compiled = new Map<string, SportNames>();
  return (sportKey) => {
    const known = compiled.get(sportKey) ?? compileNames(sportKey, tables[sportKey] ?? EMPTY);
    compiled.set(sportKey, known);
    return known;
  };
}

export const SEEDED_NAMES = namesOf(SEED);
