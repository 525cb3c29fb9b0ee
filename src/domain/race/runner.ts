// Who a runner is across books: folded names, the persistent horse reference, vacant boxes. Never a person's name,
// never a guess.
import type { Category } from './race';

/** A registry's country of birth after the name: `Zabeel Prince (NZ)`, `Gold Trip (FR)`. Two or three letters. */
const COUNTRY_SUFFIX = /\s*\([a-z]{2,3}\)\s*$/i;
const MARKS = /[\u0300-\u036f]/g;
/** Printable ASCII: almost all names are, and so is a decomposed name except for its marks. */
const PLAIN = /^[ -~]*$/;
const VACANT = new Set(['', 'vacantbox', 'vacant']);

const unmarked = (text: string): string => (PLAIN.test(text) ? text : text.normalize('NFKD').replace(MARKS, ''));
const fold = (text: string): string =>
  unmarked(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/**
 * Folded runner name: lowercase letters and digits (A 2.1). A trailing country parenthetical is left out here too,
 * because only some books print it, and all spellings of a horse must have the same key. Empty for a name without a
 * letter or digit.
 */
export function runnerKey(name: string): string {
  return fold(name.includes('(') ? name.replace(COUNTRY_SUFFIX, '') : name);
}

/** `pe:<name>` for a thoroughbred (A 2.1); null for greyhound and harness, and if the name is missing. */
export function horseRef(name: string | null, category: Category): string | null {
  if (category !== 'horse' || name === null) return null;
  const key = runnerKey(name);
  return key === '' ? null : `pe:${key}`;
}

/** A greyhound card's placeholder for an empty box: a literal `....` or `Vacant Box` (A 2.2). */
export function isVacantBox(name: string): boolean {
  return VACANT.has(fold(name));
}

/** Vacant boxes can be neither backed nor scratched, and are not starters. */
export const withoutVacantBoxes = <R extends { readonly name: string }>(runners: readonly R[]): readonly R[] =>
  runners.filter(({ name }) => !isVacantBox(name));

/**
 * Whether two books mean the same runner of a race: the saddlecloth or rug number decides, the name can only contradict
 * it (a reserve that took another's number). A placeholder or missing name contradicts nothing.
 */
export function sameRunner(
  a: { readonly number: number; readonly name: string },
  b: { readonly number: number; readonly name: string },
): boolean {
  if (a.number !== b.number) return false;
  if (isVacantBox(a.name) || isVacantBox(b.name)) return true;
  return runnerKey(a.name) === runnerKey(b.name);
}
