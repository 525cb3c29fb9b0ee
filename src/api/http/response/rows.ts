// A response of rows as CSV or Parquet (D46): made while it is sent, in batches that are read as the client takes them, one
// ahead.
import { Readable } from 'node:stream';
import type { Column, Row, RowBatches } from '../../../row-files/columns';
import { csvOf } from '../../../row-files/csv';
import { parquetOf } from '../../../row-files/parquet';
import { readAhead } from '../../../row-files/read-ahead';
import type { StreamedReply } from './reply';

export type RowFormat = 'csv' | 'parquet';

export const ROW_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

const FORMATS = { csv: csvOf, parquet: parquetOf } as const;

export interface Rows {
  readonly columns: readonly Column[];
  /** Begins to read. A reader that stops ends it. */
  batches(): RowBatches;
  /** Without an extension. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const rowsReply = (format: RowFormat, { columns, batches, name, headers }: Rows): StreamedReply => ({
  type: ROW_TYPES[format],
  fileName: `${name}.${format}`,
  headers,
  ...(format === 'csv' && { compressible: true }),
  open: () => Readable.from(FORMATS[format](columns, readAhead(batches())), { objectMode: false }),
});

/** The batches of a read as cells, in the order of the columns. */
export async function* cellsOf<R>(batches: AsyncIterable<readonly R[]>, cells: (row: R) => Row): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map(cells);
}
