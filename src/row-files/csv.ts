// A table as CSV (RFC 4180): one header, lines end in CRLF, nothing for null and "" for an empty text. Holds one batch of rows, and reads the
// next when the reader has taken the one before.
import { type Cell, CellError, type Column, cellCheck, checkWidth, type Row, type RowBatches } from './columns';

const NEEDS_QUOTES = /[",\r\n]/;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const textCell = (text: string): string => (text === '' || NEEDS_QUOTES.test(text) ? quoted(text) : text);

type Write = (value: Cell) => string;

function writerOf(column: Column): Write {
  const check = cellCheck(column);
  if (column.type === 'text') {
    return (value) => {
      if (typeof value === 'string') return textCell(value);
      if (value === null && column.nullable) return '';
      throw new CellError(column, value);
    };
  }
  return (value) => {
    check(value);
    return value === null ? '' : String(value);
  };
}

export const csvHeader = (columns: readonly Column[]): string =>
  `${columns.map(({ name }) => textCell(name)).join(',')}\r\n`;

/** The lines of these rows. Throws `CellError`. */
export function csvLines(columns: readonly Column[]): (rows: readonly Row[]) => string {
  const writers = columns.map(writerOf);
  return (rows) => {
    let text = '';
    for (const row of rows) {
      checkWidth(columns, row);
      for (let i = 0; i < writers.length; i++) text += (i === 0 ? '' : ',') + writers[i]!(row[i]!);
      text += '\r\n';
    }
    return text;
  };
}

/** The header with the first rows, then a chunk per batch. Whoever stops reading closes the batches too. */
export async function* csvOf(columns: readonly Column[], batches: RowBatches): AsyncGenerator<Buffer> {
  const lines = csvLines(columns);
  let header = csvHeader(columns);
  for await (const rows of batches) {
    yield Buffer.from(header + lines(rows));
    header = '';
  }
  if (header !== '') yield Buffer.from(header);
}
