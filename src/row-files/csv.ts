// A table as CSV (RFC 4180): one header, lines end in CRLF, nothing for null and "" for an empty text. Keeps one batch
// of rows, and reads the next when the reader has taken the previous one.
import { type Cell, type Column, cellCheck, checkWidth, type Row, type RowBatches } from './columns';

const NEEDS_QUOTES = /[",\r\n]/;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const textCell = (text: string): string => (text === '' || NEEDS_QUOTES.test(text) ? quoted(text) : text);

type Write = (value: Cell) => string;

function writerOf(column: Column): Write {
  const check = cellCheck(column);
  return sameAgain((value) => {
    check(value);
    if (value === null) return '';
    return column.type === 'text' ? textCell(value as string) : String(value);
  });
}

/** Sorted rows repeat values: the last one is kept. */
function sameAgain(write: Write): Write {
  let last: Cell | undefined;
  let text = '';
  return (value) => {
    if (value === last && value !== undefined) return text;
    text = write(value);
    last = value;
    return text;
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

/** Lines of CSV as they are read: texts of whole lines. Short ones are garbage-collected while young. */
export type LineBatches = AsyncIterable<readonly string[]>;

const CHUNK_ROWS = 256;

/** A reader that stops closes the batches too. */
export async function* csvLinesOf(columns: readonly Column[], batches: RowBatches): AsyncGenerator<readonly string[]> {
  const lines = csvLines(columns);
  for await (const rows of batches) {
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) yield [lines(rows.slice(from, from + CHUNK_ROWS))];
  }
}

/** The header with the first rows, then the rest. */
export const csvOf = (columns: readonly Column[], batches: RowBatches): AsyncGenerator<string> =>
  csvOfLines(columns, csvLinesOf(columns, batches));

/** Long enough for few writes, short enough to be garbage-collected while young. */
const CHUNK_CHARACTERS = 65_536;

/** The same for existing lines. */
export async function* csvOfLines(columns: readonly Column[], batches: LineBatches): AsyncGenerator<string> {
  let chunk = csvHeader(columns);
  for await (const texts of batches) {
    for (const text of texts) {
      if (chunk !== '' && chunk.length + text.length > CHUNK_CHARACTERS) {
        yield chunk;
        chunk = '';
      }
      chunk += text;
    }
    if (chunk !== '') yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
