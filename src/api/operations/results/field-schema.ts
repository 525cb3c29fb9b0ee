// States of a result's full field (A 3), and their counts (A 2.12).
import { count, named, oneOf } from '../../wire/vocabulary';

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
  oneOf(FIELD_STATUSES, {
    description: 'Whether the full field (`runners`) is available, and if not, whether it is still expected.',
  }),
);

export const FieldSource = named(
  'FieldSource',
  oneOf(['racing_australia', 'topaz'], { description: 'Registry that publishes the full field.' }),
);

/** The six counts of races with a result; they sum to `races`. */
export const fieldCounts = {
  races: count(),
  complete: count('The full field is available.'),
  pending: count('A collection pass is still to come.'),
  overdue: count('A collection pass ran without writing the field; the collector keeps retrying.'),
  unavailable: count('No further pass is scheduled; the field may still be written later.'),
  unsupported: count('No registry is collected for this code and country.'),
  not_applicable: count('The race did not run.'),
};
