// One scheduled pass of the registry collector over a race (A 3 "Result field coverage"). No registry has a collector yet: the pass
// writes nothing and says so, and the coverage moves on by its own rules (D25).
import { carryOut, type Decision } from './carry-out';
import type { ActivityDeps } from './deps';

/** A collector returns true when it wrote the race's full field. */
export type FieldCollector = (deps: ActivityDeps, raceId: string) => Promise<boolean>;

export const FIELD_COLLECTORS: readonly FieldCollector[] = [];

/** `before` and `ifEmpty` are the writes of the decision that asked for the pass, and of the one that an empty pass leads to. */
export interface FieldPass {
  readonly raceId: string;
  readonly before: Decision['effects'];
  readonly ifEmpty: Decision['effects'];
}

export async function collectField(deps: ActivityDeps, pass: FieldPass): Promise<{ readonly filled: boolean }> {
  const { raceId } = pass;
  await carryOut(deps, { raceId, effects: pass.before });
  for (const collect of FIELD_COLLECTORS) if (await collect(deps, raceId)) return { filled: true };
  // A fill by hand may have come first.
  if ((await deps.stores.results.held(raceId))?.fieldStatus === 'complete') return { filled: true };
  await carryOut(deps, { raceId, effects: pass.ifEmpty });
  return { filled: false };
}
