// The members that every page of the archive has in addition to its rows, under the names of its operation.
import { count, instant, nullable, whole } from '../../../wire/vocabulary';

export const rowsReturned = count('Rows in this response.');
export const total = count('Rows of the selection, exact.');
export const bounds = { limit: whole(), offset: whole() };
export const begins = nullable(
  instant('Start of the first race with rows (UTC), whatever the selection; null: there is none.'),
);
export const windowDays = nullable(
  count('Number of days back that your plan reads; the selection was cut to it. Null: all.'),
);
