// Whether a book's response is about another race than expected, or one of its rows about another runner: numbers are
// reassigned, names are not. A price on the wrong horse costs money, so such a response or row is refused, never
// repaired.
import { isVacantBox, runnerKey } from './runner';

/** The runners of one race as one book names them. */
export interface NamedField {
  /** Precedence of the book (`factsRank`); lower first, infinite if it has none. */
  readonly rank: number;
  /** A null number: the book reports none. Names may already be folded. */
  readonly runners: readonly { readonly number: number | null; readonly name: string }[];
}

/** A field with fewer names proves nothing. */
const LEAST_NAMES = 3;
/**
 * Two spellings of one horse share far more of their letters than this (a typing error, a truncation, a breed mark),
 * two horses share far less.
 */
const LEAST_LIKENESS = 0.4;

const keysOf = ({ runners }: NamedField): ReadonlySet<string> =>
  new Set(runners.filter(({ name }) => !isVacantBox(name)).map(({ name }) => runnerKey(name)));

const byRank = (fields: readonly NamedField[]): readonly NamedField[] => [...fields].sort((a, b) => a.rank - b.rank);

/**
 * It is another race if fewer than half of the names of the shorter field are in the other. Numbers do not matter: a
 * redrawn field is the same field.
 *
 * @param stored the books' stored fields of the race, this book's own included. The report is compared with the
 *   highest-ranked field that the reporting book does not outrank; if there is none, it is accepted.
 */
export function isOtherRace(report: NamedField, stored: readonly NamedField[]): boolean {
  const names = keysOf(report);
  if (names.size < LEAST_NAMES) return false;
  const measure = firstNamed(byRank(stored.filter((field) => field.rank <= report.rank)));
  if (!measure) return false;
  const common = [...names].filter((name) => measure.has(name)).length;
  return common < Math.min(names.size, measure.size) / 2;
}

/** The names of the first field that has enough of them to prove something. */
function firstNamed(fields: readonly NamedField[]): ReadonlySet<string> | null {
  for (const field of fields) {
    const keys = keysOf(field);
    if (keys.size >= LEAST_NAMES) return keys;
  }
  return null;
}

/**
 * Numbers for which the report has a different runner than the highest-ranked field that outranks the reporting book.
 */
export function contradictedNumbers(report: NamedField, stored: readonly NamedField[]): readonly number[] {
  const [measure] = byRank(stored.filter((field) => field.rank < report.rank));
  const names = new Map(measure?.runners.map(({ number, name }) => [number, name]));
  return report.runners.flatMap(({ number, name }) => {
    const expected = number === null ? undefined : names.get(number);
    return number !== null && expected !== undefined && areDifferentRunners(name, expected) ? [number] : [];
  });
}

/**
 * Whether two names belong to two runners: no typing error or abbreviation explains the difference. A vacant box
 * differs from no name.
 */
export function areDifferentRunners(a: string, b: string): boolean {
  return !isVacantBox(a) && !isVacantBox(b) && likeness(runnerKey(a), runnerKey(b)) < LEAST_LIKENESS;
}

/**
 * Dice's coefficient over the pairs of neighbouring letters: 1 for equal texts, 0 for texts without a pair in common.
 */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = pairsOf(a);
  const others = pairsOf(b);
  const common = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * common) / Math.max(1, pairs.size + others.size);
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));
