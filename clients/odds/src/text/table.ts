// A table that fits the terminal: one column shrinks, then columns on the right are left out, by name.
import type { Look, Paint } from './paint.ts';
import { cut, padded, plain, widthOf } from './plain.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Shrinks to so many columns of the terminal before another column is left out. */
  readonly least?: number;
}

export interface Cell {
  readonly text: string;
  readonly look?: Look;
}

export interface Table {
  readonly lines: readonly string[];
  /** Titles of the columns for which there was no room. */
  readonly leftOut: readonly string[];
}

const GAP = 2;

/** `width`: columns of the terminal. The first row is the titles. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paint: Paint,
): Table {
  const safe = rows.map((row) => row.map(({ text, look }) => ({ text: plain(text), look })));
  const titles = columns.map(({ title }) => ({ text: plain(title), look: 'quiet' as const }));
  const widest = columns.map((_, at) => Math.max(...[titles, ...safe].map((row) => widthOf(row[at]?.text ?? ''))));
  const widths = fitted(columns, widest, width);
  const lines = [titles, ...safe].map((row) =>
    widths
      .map((one, at) => {
        const { text, look } = row[at] ?? { text: '' };
        const cell = padded(cut(text, one), one, columns[at]!.align);
        return look === undefined ? cell : paint(look, cell);
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return { lines, leftOut: titles.slice(widths.length).map(({ text }) => text) };
}

/** The widths of the columns that are shown. */
function fitted(columns: readonly Column[], widest: readonly number[], width: number): number[] {
  const least = widest.map((one, at) => Math.min(one, columns[at]!.least ?? one));
  let shown = columns.length;
  while (shown > 1 && total(least.slice(0, shown)) > width) shown -= 1;
  const widths = widest.slice(0, shown);
  for (let at = 0; at < shown; at += 1) {
    const excess = total(widths) - width;
    if (excess > 0) widths[at] = Math.max(least[at]!, widths[at]! - excess);
  }
  if (shown === 1) widths[0] = Math.min(widths[0]!, width);
  return widths;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);
