// The rows of a results table. No runner may be lost here: a row that ends early (the site leaves out empty cells at the end) is filled up,
// one that cannot be lined up with the columns is counted.
import type { Page, Piece } from '../../reading/html';
import { type Cell, cellOf, columnsOf, squeezed, type TableRow } from '../page';

export interface ResultRows {
  readonly rows: readonly { readonly cells: TableRow; readonly scratched: boolean }[];
  readonly unreadable: number;
  /** What stands across the table. */
  readonly notes: string;
}

const NEEDED = ['finish', 'no', 'horse'];
const EMPTY: Cell = { text: '', links: [] };

/** Null when the table has no row of column names. */
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
      const read = names.map((name, i): [string, Cell] => [name, cells[i] ? cellOf($, $(cells[i])) : EMPTY]);
      rows.push({ cells: new Map(read), scratched: /\bscratched\b/i.test(row.attr('class') ?? '') });
    }
  }
  return { rows, unreadable, notes: notes.join(' ') };
}
