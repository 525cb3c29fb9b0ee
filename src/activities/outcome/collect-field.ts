// One scheduled pass of the registry's collector over a race (A 3 "Result field coverage"). Writes the field if it is
// published; a pass without one moves the coverage on (D25), even if the registry could not be read.
import type { Instant } from '../../domain/race/race';
import { type ActivityDeps, instantNow } from '../deps';
import type { ResultsCollector } from '../full-field/collector';
import type { ResultFacts } from '../result-facts';
import { callAgainIn } from '../wait';
import { carryOut, type Decision } from './carry-out';

/**
 * `before`: the writes of the decision that scheduled the pass. `ifEmpty`: the writes that follow a pass without a
 * field.
 */
export interface FieldPass {
  readonly raceId: string;
  readonly before: Decision['effects'];
  readonly ifEmpty: Decision['effects'];
  /**
   * When the pass became due: documents read since then are not read again. Absent in a pass scheduled by an older
   * version.
   */
  readonly dueAt?: Instant;
}

export interface FieldPassed {
  readonly filled: boolean;
  /** Of the writes before the pass; see `carryOut`. */
  readonly notFinal: ResultFacts | null;
}

/**
 * All races of a day have their pass at one instant and share one page a second: only this many wait inside a worker's
 * slot.
 */
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
