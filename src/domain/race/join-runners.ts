// Joins runners by name for books that report no numbers (Dabble, TABtouch, BlackStream); never by their place in a
// list. A runner whose name matches no runner, or two, is left out, and the caller counts it.
import type { BookRunner, FeedRunner } from './feed-race';
import { runnerKey } from './runner';

export interface NumberedRunner {
  readonly number: number;
  readonly name: string;
}

/**
 * The book's runners with the card's numbers. A number that the book reports is kept.
 *
 * @param card the race's runners as other books name them
 * @returns runners in the book's order, and how many had to be left out
 */
export function numberRunners(
  runners: readonly BookRunner[],
  card: readonly NumberedRunner[],
): { readonly runners: readonly FeedRunner[]; readonly unjoined: number } {
  if (areInOrder(runners)) return { runners, unjoined: 0 };
  const joined = runners.every(isNumbered) ? runners : joinedByName(runners, card);
  const times = new Map<number, number>();
  for (const { number } of joined) if (number !== null) times.set(number, (times.get(number) ?? 0) + 1);
  // The very array, if all of them have a number of their own: an equal reply then stays the same object.
  if (joined.every(isNumbered) && times.size === joined.length) return { runners: joined, unjoined: 0 };
  const sure = joined.filter(isNumbered);
  const own = times.size === sure.length ? sure : sure.filter(({ number }) => times.get(number) === 1);
  return { runners: own, unjoined: runners.length - own.length };
}

/** As almost every book lists them: each has a number of its own. */
function areInOrder(runners: readonly BookRunner[]): runners is readonly FeedRunner[] {
  let last = Number.NEGATIVE_INFINITY;
  for (const { number } of runners) {
    if (number === null || !(number > last)) return false;
    last = number;
  }
  return true;
}

const isNumbered = (runner: BookRunner): runner is FeedRunner => runner.number !== null;

function joinedByName(runners: readonly BookRunner[], card: readonly NumberedRunner[]): readonly BookRunner[] {
  const numbers = numbersByName(card);
  return runners.map((runner) =>
    isNumbered(runner) ? runner : { ...runner, number: numbers.get(runnerKey(runner.name)) ?? null },
  );
}

/** Folded name → number; null for a name that two runners share (two vacant boxes). */
function numbersByName(card: readonly NumberedRunner[]): ReadonlyMap<string, number | null> {
  const numbers = new Map<string, number | null>();
  for (const { number, name } of card) {
    const key = runnerKey(name);
    numbers.set(key, numbers.has(key) ? null : number);
  }
  return numbers;
}
