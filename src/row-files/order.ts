// The order of values in Parquet: text by its bytes, everything else by size.
import type { ColumnType } from './columns';

/** Printable ASCII in JavaScript's order is also in byte order. */
const ASCII = /^[ -~]*$/;

const isTextAfter = (one: unknown, other: unknown): boolean => {
  const a = one as string;
  const b = other as string;
  return ASCII.test(a) && ASCII.test(b) ? a > b : Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;
};

const isNumberAfter = (one: unknown, other: unknown): boolean => (one as number) > (other as number);

/** Of two values that are not null. */
export type IsAfter = (one: unknown, other: unknown) => boolean;

/** Of stored values: instants and days are numbers. */
export const isAfterOf = (type: ColumnType): IsAfter => (type === 'text' ? isTextAfter : isNumberAfter);

/** Of cells: instants and days are texts of one length. */
export const isCellAfterOf = (type: ColumnType): IsAfter =>
  type === 'text' || type === 'instant' || type === 'day' ? isTextAfter : isNumberAfter;
