// A response of rows as CSV or Parquet (D46), generated while it is sent, in batches that are read as the client takes
// them, one ahead.
import { Readable } from 'node:stream';
import type { Column, Row, RowBatches } from '../../../../row-files/columns';
import { csvOf, csvOfLines, type LineBatches } from '../../../../row-files/csv';
import { parquetOf } from '../../../../row-files/parquet/parquet';
import { readAhead } from '../../../../row-files/read-ahead';
import { linkTo } from './next-page';
import type { StreamedReply } from './reply';

export type RowFormat = 'csv' | 'parquet';

export const ROW_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

/** Without parameters. */
export const rowType = (format: RowFormat): string => ROW_TYPES[format].split(';')[0]!;

interface Rows {
  readonly columns: readonly Column[];
  /** Starts the read, which ends when the reader stops. */
  batches(): RowBatches;
  /** The same as lines of CSV. Default: generated from the rows. */
  readonly lines?: () => LineBatches;
  /** The number of rows in the selection. */
  readonly total: number;
  /** The number of rows on the pages before. */
  readonly offset: number;
  /** Address of the next page; null: this is the last. */
  readonly next: string | null;
}

/**
 * `name`: of the file, without an extension. `begin` plans the page: its headers have the total and the next page
 * (D64).
 */
export const rowsReply = (format: RowFormat, name: string, begin: () => Promise<Rows>): StreamedReply => ({
  type: ROW_TYPES[format],
  fileName: `${name}.${format}`,
  ...(format === 'csv' && { compressible: true }),
  async open() {
    const rows = await begin();
    return { source: Readable.from(format === 'csv' ? csv(rows) : parquet(rows)), headers: headersOf(rows) };
  },
});

const headersOf = ({ total, offset, next }: Rows): Record<string, string> => ({
  'X-Total-Rows': `${total}`,
  'X-Rows-Offset': `${offset}`,
  ...(next !== null && { Link: linkTo(next) }),
});

const parquet = ({ columns, batches }: Rows): AsyncIterable<Uint8Array> => parquetOf(columns, readAhead(batches()));

const csv = ({ columns, batches, lines }: Rows): AsyncIterable<string> =>
  lines ? csvOfLines(columns, readAhead(lines())) : csvOf(columns, readAhead(batches()));

/** The batches of a read as cells, in the order of the columns. */
export async function* cellsOf<R>(batches: AsyncIterable<readonly R[]>, cells: (row: R) => Row): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map(cells);
}
