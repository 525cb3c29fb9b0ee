// A response of rows as CSV or Parquet (D46): made while it is sent, in batches that are read as the client takes them, one
// ahead.
import { Readable } from 'node:stream';
import type { Column, Row, RowBatches } from '../../../row-files/columns';
import { csvOf, csvOfLines, type LineBatches } from '../../../row-files/csv';
import { parquetOf } from '../../../row-files/parquet';
import { readAhead } from '../../../row-files/read-ahead';
import type { StreamedReply } from './reply';

export type RowFormat = 'csv' | 'parquet';

export const ROW_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

export interface Rows {
  readonly columns: readonly Column[];
  /** Begins to read. A reader that stops ends it. */
  batches(): RowBatches;
  /** The same as lines of CSV. Default: they are made of the rows. */
  readonly lines?: () => LineBatches;
  /** Without an extension. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const rowsReply = (format: RowFormat, rows: Rows): StreamedReply => ({
  type: ROW_TYPES[format],
  fileName: `${rows.name}.${format}`,
  headers: rows.headers,
  ...(format === 'csv' && { compressible: true }),
  open: () => Readable.from(format === 'csv' ? csv(rows) : parquet(rows)),
});

const parquet = ({ columns, batches }: Rows): AsyncIterable<Uint8Array> => parquetOf(columns, readAhead(batches()));

const csv = ({ columns, batches, lines }: Rows): AsyncIterable<string> =>
  lines ? csvOfLines(columns, readAhead(lines())) : csvOf(columns, readAhead(batches()));

/** The batches of a read as cells, in the order of the columns. */
export async function* cellsOf<R>(batches: AsyncIterable<readonly R[]>, cells: (row: R) => Row): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map(cells);
}
