// The part of a stored result that a workflow receives: its placings and since when they stand. No price and no runner
// enters a history.
import type { Instant } from '../domain/race/race';
import type { FieldStatus } from '../domain/results/field-coverage';
import type { StoredResult } from '../store/results/sources';

export interface ResultFacts {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly placingsKey: string;
  readonly placingsSince: Instant;
  readonly protest: boolean;
  readonly overridden: boolean;
  readonly resultedAt: Instant | null;
  readonly fieldStatus: FieldStatus;
}

export const resultFacts = (stored: StoredResult): ResultFacts => ({
  status: stored.status,
  placingsKey: stored.placingsKey,
  placingsSince: stored.placingsSince,
  protest: stored.protest,
  overridden: stored.overridden,
  resultedAt: stored.resultedAt,
  fieldStatus: stored.fieldStatus,
});
