// A registry page as tables whose columns are found by name. Knows HTML, nothing of racing.
// Never find a column by its position: ASP.NET reorders columns between documents.
import type { Page, Piece } from '../reading/html';
import { textOf } from '../reading/read';

export type PageCell = { readonly text: string; readonly links: readonly string[] };
/** A row by folded column name: `Last 10` is `last10`, never `lastten`. */
export type TableRow = ReadonlyMap<string, PageCell>;

/** Far above any cell or title of a real page. Bounds the work of every expression that reads one. */
const LONGEST_TEXT = 10_000;

/** On one line, and no longer than the expressions that read it can handle. */
export const squeezed = (text: string): string =>
  text
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
    .slice(0, LONGEST_TEXT);

const columnName = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The header row that has all of `needed` (folded names), and the rows below it; null if there is no such header. */
export function columnsOf(
  $: Page,
  table: Piece,
  needed: readonly string[],
): { readonly names: readonly string[]; readonly below: readonly Piece[] } | null {
  const rows = table
    .find('tr')
    .toArray()
    .map((row) => $(row));
  const at = rows.findIndex((row) => {
    const names = namesOf($, row);
    return needed.every((name) => names.includes(name));
  });
  return at < 0 ? null : { names: namesOf($, rows[at]!), below: rows.slice(at + 1) };
}

/** The rows under the header that has all of `needed`; null if there is no such header. */
export function readRows($: Page, table: Piece, needed: readonly string[]): readonly TableRow[] | null {
  const columns = columnsOf($, table, needed);
  if (!columns) return null;
  const { names, below } = columns;
  return below.flatMap((row) => {
    const cells = row.children('td, th').toArray();
    // A row with another number of cells (a note across the table) is not a runner.
    if (cells.length !== names.length) return [];
    return [new Map(cells.map((cell, i) => [names[i]!, cellOf($, $(cell))]))];
  });
}

const namesOf = ($: Page, row: Piece): string[] =>
  row
    .children('td, th')
    .toArray()
    .map((cell) => columnName($(cell).text()));

export const cellOf = ($: Page, cell: Piece): PageCell => ({ text: squeezed(cell.text()), links: linksIn($, cell) });

export const linksIn = ($: Page, piece: Piece): readonly string[] =>
  piece
    .find('a[href]')
    .toArray()
    .map((link) => $(link).attr('href')!);

/** The cell's text; null if it is blank, a dash or `N/A`. */
export function cellText(text: string | undefined): string | null {
  const value = textOf(squeezed(text ?? ''));
  return value === null || value === '-' || /^n\/?a$/i.test(value) ? null : value;
}

/** Text with a space between elements, so that two cells do not merge. */
export function spaced($: Page, piece: Piece): string {
  const parts = piece
    .contents()
    .toArray()
    .map((node) => (node.type === 'text' ? $(node).text() : spaced($, $(node) as Piece)));
  return squeezed(parts.join(' '));
}
