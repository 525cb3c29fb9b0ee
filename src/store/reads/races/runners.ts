// Runners of a race as one JSON column: arrays rather than objects, because a board has thousands of runners.
import type { RunnerDetails } from '../../../domain/race/feed-race';
import type { Instant } from '../../../domain/race/race';
import { IS_INTERNATIONAL } from './international';

export interface RunnerRow extends RunnerDetails {
  readonly number: number;
  readonly name: string;
  readonly runnerRef: string | null;
  readonly emergency: boolean | null;
  readonly scratched: boolean;
  readonly scratchedAt: Instant | null;
  readonly late: boolean | null;
}

/** Epoch milliseconds of a column, rounded down as `instantOf` does. */
export const millis = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)`;

const tupleOf = (details: string): string => `json_build_array(u.number, u.name, ${details},
    u.emergency, u.scratched, ${millis('u.scratched_at')}, u.late)`;

/** A subquery: the runners of `races r` for which `only` is true, by number, or null if there are none. */
export const runnersColumn = (only = 'true'): string => `(
  SELECT json_agg(CASE WHEN ${IS_INTERNATIONAL} THEN ${tupleOf('NULL, NULL, NULL, NULL, NULL, NULL')}
    ELSE ${tupleOf('u.barrier, u.jockey, u.trainer, u.weight_kg, u.form, u.runner_ref')} END ORDER BY u.number)
  FROM race_runners u WHERE u.race_id = r.race_id AND ${only})`;

export type RunnerTuple = [
  number,
  string,
  number | null,
  string | null,
  string | null,
  number | null,
  string | null,
  string | null,
  boolean | null,
  boolean,
  number | null,
  boolean | null,
];

export function runnerOf(tuple: RunnerTuple): RunnerRow {
  const [number, name, barrier, jockey, trainer, weightKg, form, runnerRef, emergency, scratched, at, late] = tuple;
  const scratchedAt = at === null ? null : new Date(at).toISOString();
  return { number, name, barrier, jockey, trainer, weightKg, form, runnerRef, emergency, scratched, scratchedAt, late };
}
