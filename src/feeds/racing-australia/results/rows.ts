// The rows of a results table. Must not lose a runner: a row that ends early (the site omits empty cells at the end) is
// padded, and a row that does not match the columns is counted.
import type { Page, Piece } from '../../reading/html';
import { cellOf, columnsOf, type PageCell, squeezed, type TableRow } from '../page';

export interface ResultRows {
  readonly rows: readonly { readonly cells: TableRow; readonly scratched: boolean }[];
  readonly unreadable: number;
  /** Text that spans the whole table. */
  readonly notes: string;
}

const NEEDED = ['finish', 'no', 'horse'];
const EMPTY: PageCell = { text: '', links: [] };

/** Null if the table has no header row. */
export function readResultRows($: Page, table: Piece): ResultRows | null {
  const columns = columnsOf($, table, NEEDED);
  if (!columns) return null;
  const { names, below } = columns;
  const least = Math.max(...NEEDED.map((name) => names.indexOf(name))) + 1;
  const rows: { cells: TableRow; scratched: boolean }[] = [];
  const notes: string[] = [];
  let unreadable = 0;
  for (const row of below) {
    const cells = row.children('td, th').toArray();
    if (cells.length <= 1) notes.push(squeezed(row.text()));
    else if (cells.length < least || cells.length > names.length) unreadable += 1;
    else {
      const read = names.map((name, i): [string, PageCell] => [name, cells[i] ? cellOf($, $(cells[i])) : EMPTY]);
      rows.push({ cells: new Map(read), scratched: /\bscratched\b/i.test(row.attr('class') ?? '') });
    }
  }
  return { rows, unreadable, notes: notes.join(' ') };
}
