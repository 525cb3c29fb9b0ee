// The refusal of a report without any measurement (A 4.14): what is missing and why, and no number.
import { ExpectedRefusal } from '../../../errors';

export interface Missing {
  readonly name: string;
  readonly reason: string;
}

const RETRY_SECONDS = 60;

export const unmeasurable = (unavailable: readonly Missing[]): ExpectedRefusal =>
  new ExpectedRefusal('unavailable', 'No part of this report can be measured yet.', {
    unavailable,
    retry_after_seconds: RETRY_SECONDS,
  });

/** The names without a value. */
export const missingOf = (parts: object, reasons: Readonly<Record<string, string>>): Missing[] =>
  Object.entries(reasons).flatMap(([name, reason]) =>
    (parts as Readonly<Record<string, unknown>>)[name] == null ? [{ name, reason }] : [],
  );
