// Whether a book's reply is about another race than the one it is filed under: a race renumbered under an id that is made of its number.
// Prices of one race on another cost money, so such a reply is refused whole, never sorted out.
import { isVacantBox, runnerKey } from './runner';

/** The runners of one race as one book names them, by folded name; empty boxes left out. */
export interface NamedField {
  /** Order in which books are believed; lower first, infinite where never. */
  readonly rank: number;
  readonly runnerKeys: readonly string[];
}

/** Fewer names than this prove nothing. */
const LEAST_NAMES = 3;

export const keysOfField = (names: readonly string[]): string[] =>
  names.filter((name) => !isVacantBox(name)).map(runnerKey);

/**
 * Names decide, not numbers: a field redrawn is the same field. It is another race when fewer than half of the names of the shorter
 * field are in the other.
 *
 * @param held what books say of the race, this one's own last word included. The best believed of those that the replying book does not
 *   outrank is the measure; without one the reply is believed.
 */
export function isOtherRace(said: NamedField, held: readonly NamedField[]): boolean {
  const measure = held
    .filter((field) => field.rank <= said.rank && field.runnerKeys.length >= LEAST_NAMES)
    .sort((a, b) => a.rank - b.rank)[0];
  if (!measure || said.runnerKeys.length < LEAST_NAMES) return false;
  const names = new Set(measure.runnerKeys);
  const common = said.runnerKeys.filter((key) => names.has(key)).length;
  return common < Math.min(names.size, said.runnerKeys.length) / 2;
}
