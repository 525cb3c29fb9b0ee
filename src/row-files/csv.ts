// A table as CSV (RFC 4180): one header, lines end in CRLF, nothing for null and "" for an empty text.
import { type Cell, type Column, cellCheck, checkWidth, type Row, type RowBatches } from './columns';
import { type InTurn, madeAhead } from './read-ahead';

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

/** Rows of a piece: its text is short enough to be collected with what is young. */
const PIECE_ROWS = 256;

function inPieces(rows: readonly Row[]): (readonly Row[])[] {
  const pieces: (readonly Row[])[] = [];
  for (let from = 0; from < rows.length; from += PIECE_ROWS) pieces.push(rows.slice(from, from + PIECE_ROWS));
  return pieces;
}

/** In chunks. A reader that stops closes the batches too. */
export async function* csvLinesOf(columns: readonly Column[], batches: RowBatches): AsyncGenerator<string> {
  const lines = csvLines(columns);
  for await (const rows of batches) {
    for (const few of inPieces(rows)) yield lines(few);
  }
}

/**
 * In chunks, the header in the first. Each batch is encoded while the one before it is sent and the one after it is read; only chunks wait for a slow
 * reader, never rows. Closes the batches when its reader stops.
 */
export async function* csvOf(
  columns: readonly Column[],
  batches: RowBatches,
  inTurn: InTurn = (work) => work(),
): AsyncGenerator<Buffer> {
  const lines = csvLines(columns);
  let header = csvHeader(columns);
  const chunksOf = (rows: readonly Row[]): readonly Buffer[] =>
    inPieces(rows).map((few) => {
      const text = header + lines(few);
      header = '';
      return Buffer.from(text);
    });
  for await (const chunks of madeAhead(batches, chunksOf, inTurn)) {
    for (const chunk of chunks) yield chunk;
  }
  if (header !== '') yield Buffer.from(header);
}
