// States of a result's full field (A 3), and their counts (A 2.12).
import { count, named, oneOf } from '../vocabulary';

export const FIELD_STATUSES = [
  'complete',
  'pending',
  'overdue',
  'unavailable',
  'unsupported',
  'not_applicable',
] as const;

export const FieldStatus = named(
  'FieldStatus',
  oneOf(FIELD_STATUSES, { description: 'Whether `runners` is held, and whether it is still expected.' }),
);

export const FieldSource = named(
  'FieldSource',
  oneOf(['racing_australia', 'topaz'], { description: 'Where the full field comes from.' }),
);

/** The six counts; they sum to `races`. */
export const fieldCounts = {
  races: count(),
  complete: count('The full field is held.'),
  pending: count('A collector’s pass is still to come.'),
  overdue: count('A pass ran without writing the field; the collector still retries.'),
  unavailable: count('Nothing further is scheduled; a late fill may still come.'),
  unsupported: count('No collector exists.'),
  not_applicable: count('The race did not run.'),
};
