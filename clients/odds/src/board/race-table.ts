// One race as a table: runners are rows, books are columns. A price that is stale has its age beside it, and every mark
// is text: colour repeats it.

import type { Paint } from '../text/paint.ts';
import { cut, plain, widthOf } from '../text/plain.ts';
import { type Cell, type Column, tableOf } from '../text/table.ts';
import { ageText, countdownText } from '../text/times.ts';
import { ageOf, type Market, type Moment, type Quote, quotesOn, type Race } from './quotes.ts';

export interface Frame {
  /** Columns of the terminal. */
  readonly width: number;
  readonly paint: Paint;
}

const LEGEND = '* best   !4m stale, with its age   ? placeholder, not compared   - not quoted';

export function raceLines(race: Race, market: Market, moment: Moment, { width, paint }: Frame): string[] {
  const books = booksOf(race, market);
  const rows = race.runners.map((runner): Cell[] => {
    const quotes = quotesOn(runner, market, moment);
    const byBook = books.map((book) => quoteCell(quotes.find((one) => one.book === book)));
    return [{ text: String(runner.number) }, { text: runner.name }, bestCell(quotes), ...byBook];
  });
  const ages = books.map((book) => ageCell(race, book, moment));
  rows.push([{ text: '' }, { text: 'age', look: 'quiet' }, { text: '' }, ...ages]);
  const { lines, leftOut } = tableOf(columnsOf(books, rows), rows, width, paint);
  return [
    paint('strong', cut(headOf(race, moment), width)),
    cut(`${market} prices, ${booksText(books, leftOut)}`, width),
    ...lines,
    ...scratchedLines(race).map((line) => cut(line, width)),
    paint('quiet', cut(LEGEND, width)),
  ];
}

/** The name of a book may be cut, a price never. */
const columnsOf = (books: readonly string[], rows: readonly (readonly Cell[])[]): Column[] => [
  { title: '#', align: 'right' },
  { title: 'runner', align: 'left', least: 10 },
  { title: 'best', align: 'left' },
  ...books.map((book, at): Column => {
    const prices = rows.map((row) => widthOf(row[at + 3]!.text));
    return { title: book, align: 'right', least: Math.max(6, ...prices) };
  }),
];

export const raceName = ({ venue, race_number }: Race): string => plain(`${venue} R${race_number}`);

export const secondsToStart = ({ start_time }: Race, { nowMs }: Moment): number =>
  (Date.parse(start_time) - nowMs) / 1000;

function headOf(race: Race, moment: Moment): string {
  const { category, country, distance_m: distance, track_condition: track, start_time: start } = race;
  const seconds = secondsToStart(race, moment);
  const facts = [category, country, distance == null ? null : `${distance} m`, track];
  const when = `starts ${start.slice(0, 16).replace('T', ' ')} UTC, ${seconds > 0 ? 'in ' : ''}${countdownText(seconds)}`;
  return plain([raceName(race), ...facts, when].filter((one) => one !== null).join(' · '));
}

/** The books that quote this market, by key. */
const booksOf = ({ runners }: Race, market: Market): string[] =>
  [
    ...new Set<string>(
      runners.flatMap(({ bookmakers }) =>
        bookmakers.filter((one) => one[`${market}_price`] != null).map(({ key }) => key),
      ),
    ),
  ].sort();

function booksText(books: readonly string[], leftOut: readonly string[]): string {
  const text = `${books.length} ${books.length === 1 ? 'book' : 'books'}`;
  return leftOut.length === 0 ? text : plain(`${text}, no room for ${leftOut.join(', ')}`);
}

function bestCell(quotes: readonly Quote[]): Cell {
  const best = quotes.find(({ isBest }) => isBest);
  if (!best) return { text: '-', look: 'quiet' };
  return { text: `${priceText(best)} ${best.book}`, look: best.isStale ? 'stale' : 'best' };
}

function quoteCell(quote: Quote | undefined): Cell {
  if (!quote) return { text: '-', look: 'quiet' };
  const text = `${priceText(quote)}${quote.isBest ? '*' : ''}${quote.isPlaceholder ? '?' : ''}`;
  const look = quote.isStale ? 'stale' : quote.isBest ? 'best' : quote.isPlaceholder ? 'quiet' : undefined;
  return look === undefined ? { text } : { text, look };
}

/** A stale price never stands without its age. */
export const priceText = ({ price, isStale, ageSeconds }: Pick<Quote, 'price' | 'isStale' | 'ageSeconds'>): string =>
  `${price.toFixed(2)}${isStale ? `!${ageText(ageSeconds)}` : ''}`;

/** Of the oldest quote of this book. */
function ageCell({ runners }: Race, book: string, moment: Moment): Cell {
  const quotes = runners.flatMap(({ bookmakers }) => bookmakers.filter(({ key }) => key === book));
  return { text: ageText(Math.max(...quotes.map((one) => ageOf(one, moment)))), look: 'quiet' };
}

function scratchedLines({ scratchings }: Race): string[] {
  if (scratchings.length === 0) return [];
  const names = scratchings.map(({ number, name, late }) => `${number} ${name}${late ? ' (late)' : ''}`);
  return [plain(`scratched: ${names.join(', ')}`)];
}
