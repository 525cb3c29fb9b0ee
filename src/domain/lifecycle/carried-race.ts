// Reads a state that another version of the workflow handed over (continue-as-new, a restart from stored data). Pure.
import type { RaceState } from './race-state';

/** The newest meaning of the state's fields that this version knows. */
const SCHEMA: number = 1;

/** Fields added without a new schema, with the values that a state from before them has. */
const ADDED = { abandonmentVersion: 0 } satisfies Partial<RaceState>;

/** Throws for a newer schema: the workflow task fails and is retried until a worker of that version takes it. */
export function carriedRace(state: RaceState): RaceState {
  if (state.schema > SCHEMA) throw new Error(`this version has no schema ${state.schema} of a race`);
  return { ...ADDED, ...state };
}
