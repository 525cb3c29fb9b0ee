// Whether a published full field may be used for our race. Numbers, names and placings must agree with ours: bets would
// be settled on the field of a wrong race, on a partial one, or on another winner. Pure; never repairs a field, only
// states the objection.
import { contradictedNumbers, isOtherRace } from '../race/other-race';
import { isVacantBox } from '../race/runner';
import { PLACES_THAT_COUNT } from './placings';
import type { ResultRunner } from './result';

/** A runner of our card. */
export interface CardRunner {
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly emergency: boolean | null;
}

interface Placed {
  readonly position: number;
  readonly number: number;
}

export type FieldObjection = 'another_race' | 'runner_contradicted' | 'number_twice' | 'partial_field';

/**
 * Why the field cannot be our card's; null if it can. An emergency that got no run and a scratched runner may be
 * missing; if any other runner is missing, the field is partial.
 */
export function objectionTo(field: readonly ResultRunner[], card: readonly CardRunner[]): FieldObjection | null {
  const numbers = new Set(field.map(({ number }) => number));
  if (numbers.size < field.length) return 'number_twice';
  const published = { rank: 1, runners: field };
  const ours = { rank: 0, runners: card };
  if (isOtherRace(published, [ours])) return 'another_race';
  if (contradictedNumbers(published, [ours]).length > 0) return 'runner_contradicted';
  const missing = card.some((runner) => mustHaveRun(runner) && !numbers.has(runner.number));
  const won = field.some(({ status, position }) => status === 'ran' && position === 1);
  return missing || !won ? 'partial_field' : null;
}

const mustHaveRun = ({ name, scratched, emergency }: CardRunner): boolean =>
  !scratched && emergency !== true && !isVacantBox(name);

/**
 * Whether the field's order of finish differs from the settled placings, as far as the placings go. It compares ranks,
 * so that a dead heat may be followed by the next position or by the one after it. A race without placings is never
 * contradicted.
 */
export function contradictsPlacings(field: readonly ResultRunner[], placings: readonly Placed[]): boolean {
  const settled = inOrder(placings.filter(({ position }) => position >= 1 && position <= PLACES_THAT_COUNT));
  const official = inOrder(field.filter(hasFinished));
  return settled.some(
    ({ number }, i) => official[i]?.number !== number || sharesWithNext(settled, i) !== sharesWithNext(official, i),
  );
}

type Finisher = ResultRunner & Placed;

const hasFinished = (runner: ResultRunner): runner is Finisher => runner.status === 'ran' && runner.position !== null;

const inOrder = (placed: Placed[]): Placed[] => placed.sort((a, b) => a.position - b.position || a.number - b.number);

const sharesWithNext = (placed: readonly Placed[], i: number): boolean =>
  placed[i + 1]?.position === placed[i]?.position;
