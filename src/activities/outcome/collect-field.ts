// One scheduled pass of the registry's collector over a race (A 3 "Result field coverage"): a field that is found is written, a pass without one
// moves the coverage on by its own rules (D25), also where the registry could not be read.
import type { Instant } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';
import type { ResultsCollector } from '../full-field/collector';
import type { ResultFacts } from '../result-facts';
import { callAgainIn } from '../wait';
import { carryOut, type Decision } from './carry-out';

/** `before` and `ifEmpty` are the writes of the decision that asked for the pass, and of the one that an empty pass leads to. */
export interface FieldPass {
  readonly raceId: string;
  readonly before: Decision['effects'];
  readonly ifEmpty: Decision['effects'];
  /** When it became due: what was read since is not read again. Absent in a pass that an older version asked for. */
  readonly dueAt?: Instant;
}

export interface FieldPassed {
  readonly filled: boolean;
  /** Of the writes before the pass, as `carryOut` says it. */
  readonly notFinal: ResultFacts | null;
}

/** Every race of a day has its pass at one instant, and they wait for one page a second: most of them not in a worker's slot. */
const MOST_WAITING = 20;
const CALL_AGAIN_MS = 15_000;

export function createFieldPasses(deps: ActivityDeps, collector: Pick<ResultsCollector, 'pass'>) {
  let waiting = 0;
  return async ({ raceId, before, ifEmpty, dueAt }: FieldPass): Promise<FieldPassed> => {
    if (waiting >= MOST_WAITING) throw callAgainIn(deps, CALL_AGAIN_MS, 'others are being collected');
    waiting += 1;
    try {
      const notFinal = await carryOut(deps, { raceId, effects: before });
      const filled = await collector.pass(raceId, dueAt ?? instantNow(deps));
      if (!filled) await carryOut(deps, { raceId, effects: ifEmpty });
      return { filled, notFinal };
    } finally {
      waiting -= 1;
    }
  };
}
