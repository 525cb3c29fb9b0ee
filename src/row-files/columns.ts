// The columns of a flat table as it leaves the service: the one description that its JSON rows, CSV, Parquet and
// OpenAPI schema are derived from. Columns are only ever appended.

/** `instant`: ISO 8601 UTC (D2); `day`: `YYYY-MM-DD`; `integer`: within ±2^31; `long`: within ±2^63. */
export const COLUMN_TYPES = ['text', 'integer', 'long', 'number', 'boolean', 'instant', 'day'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether a row may have null. */
  readonly nullable: boolean;
  /** The public sentence. */
  readonly description: string;
}

export type Cell = string | number | bigint | boolean | null;

/** In the order of the columns. */
export type Row = readonly Cell[];

/** Rows as they are read: a batch is read when the previous one has been taken. */
export type RowBatches = AsyncIterable<readonly Row[]>;

/** A value that its column cannot have. The file that it was meant for must not be finished. */
export class CellError extends Error {
  override readonly name = 'CellError';

  constructor({ name, type, nullable }: Column, value: unknown) {
    const needed = nullable ? `${type} or null` : type;
    super(`column ${name} needs ${needed}, not ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)}`);
  }
}

const MOST_INTEGER = 2 ** 31;
const MOST_LONG = 2n ** 63n;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

const FITS: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value) && (value as number) >= -MOST_INTEGER && (value as number) < MOST_INTEGER,
  long: (value) => (typeof value === 'bigint' ? value >= -MOST_LONG && value < MOST_LONG : Number.isSafeInteger(value)),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  instant: (value) => typeof value === 'string' && INSTANT.test(value),
  day: (value) => typeof value === 'string' && DAY.test(value),
};

/** Throws `CellError` for a value that is not of the column. */
export function cellCheck(column: Column): (value: Cell | undefined) => void {
  const fits = FITS[column.type];
  return (value) => {
    if (value === null ? !column.nullable : !fits(value)) throw new CellError(column, value);
  };
}

/** Throws for a row with another number of cells. */
export function checkWidth(columns: readonly Column[], row: Row): void {
  if (row.length !== columns.length) throw new Error(`a row has ${row.length} cells, not ${columns.length}`);
}
