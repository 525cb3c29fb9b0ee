// Which runner of a race a bet is on: the one that matches everything the bet states. Two matches are refused, never
// guessed between.
import { runnerKey } from '../race/runner';

/** How a bet identifies its runner; at least one member is set. */
export interface NamedRunner {
  readonly runnerRef?: string | undefined;
  readonly number?: number | undefined;
  /** In any spelling: compared folded (A 2.1). */
  readonly name?: string | undefined;
}

/** A runner as the card or the result has it. */
export interface CandidateRunner {
  readonly number: number;
  readonly name: string;
  readonly runnerRef: string | null;
}

/** Returns its number. One number may occur twice among the candidates, from the card and from the result. */
export function findRunner(
  candidates: readonly CandidateRunner[],
  named: NamedRunner,
): number | 'not_found' | 'ambiguous' {
  const key = named.name === undefined ? null : runnerKey(named.name);
  const numbers = [...new Set(candidates.map(({ number }) => number))].filter((number) => {
    const entries = candidates.filter((one) => one.number === number);
    return (
      (named.number === undefined || named.number === number) &&
      (named.runnerRef === undefined || entries.some(({ runnerRef }) => runnerRef === named.runnerRef)) &&
      (key === null || (key !== '' && entries.some(({ name }) => runnerKey(name) === key)))
    );
  });
  if (numbers.length > 1) return 'ambiguous';
  return numbers[0] ?? 'not_found';
}
