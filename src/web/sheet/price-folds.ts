// A phone has no room for a column per book: the books' prices are folded under the runner, best first, and the books'
// ages and markets under the table's head. Every book keeps its line whether it quotes or not, so an open list never
// grows or shrinks.
import type { BookColumn, PriceCell, PriceLine, RaceSheet, RunnerRow } from '../board/model';
import { type PriceLink, priceValue } from '../bookmakers/bets';
import { ageText, isOld, percentText, priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { age, beforeJump, isStaleNow, staleFrom, whileStale } from '../race-parts';
import { runnerAlertLink } from './alert-link';
import { bookSort } from './column-head';
import { courseLine } from './course-columns';
import { signalTag } from './market-text';
import { arrow, markClasses, markedFrom, markTitle, screenReaderText } from './price-marks';
import { connections } from './runner-cells';
import { betLinkOf, type Shown } from './shown';

/**
 * Age of a book's last response, marked when it is stale. After the jump: how long before the jump it was. What is
 * around it has the class.
 */
export function freshness(book: BookColumn, race: RaceSheet, nowMs: number): Html {
  const { polledMs } = book;
  const { jumpedMs } = race;
  if (polledMs === null) return html`<span class="fresh">no response yet</span>`;
  const old =
    jumpedMs === null
      ? html`${age(polledMs, nowMs)}<span class="vh"> old</span>`
      : html`<span${isOld(polledMs, jumpedMs) && html` class="old"`}>${ageText(polledMs, jumpedMs)}</span><span class="vh"> ${beforeJump(race)}</span>`;
  return html`<span class="fresh">${whileStale('stale ', isStaleNow(book, nowMs))}${old}</span>`;
}

/** One row of the head, over all columns. */
export function booksFold(race: RaceSheet, nowMs: number, columns: number): Html {
  const { books } = race;
  const stale = books.filter((book) => isStaleNow(book, nowMs)).length;
  return html`<tr class="fold"><td colspan="${columns}"><details><summary><span data-count-all="${counted(books.length, 'book')}">${counted(books.length, 'book')}</span>${stale > 0 && html` <span class="tag tag-warn">${stale} stale</span>`}</summary>
<ul class="by-book">${books.map((book) => html`<li data-bookmaker="${book.key}"${isStaleNow(book, nowMs) && html` class="stale"`}${staleFrom(book.staleFromMs)}><span class="by">${book.title}</span>${freshness(book, race, nowMs)}<span class="market"><span class="vh">market </span>${percentText(book.marketPct)}</span>${bookSort(book)}</li>`)}</ul></details><p class="ordered" role="status"></p><button type="button" class="fold-all" hidden>Show all prices</button></td></tr>`;
}

/** One row under the runner's own, over all columns. */
export function pricesFold(
  id: string,
  shown: Shown,
  runner: RunnerRow,
  market: 'win' | 'place',
  columns: number,
): Html {
  const { race } = shown;
  const line = runner[market];
  const quotes = bestFirst(line, race.books);
  const context = { shared: line.best?.shared === true, nowMs: shown.nowMs, link: betLinkOf(shown, runner) };
  const signal = market === 'win' && runner.hour && signalTag(runner.hour);
  return html`<tr class="fold" id="fold-${id}"><td colspan="${columns}">${market === 'win' && html`<p class="who-below">${connections(shown, runner)}</p>${courseLine(runner, race)}`}<details><summary>${summary(quotes)}${signal}<span class="vh"> for ${runner.name}</span></summary>
<ul class="by-price">${quotes.map((quote) => quoteItem(quote, context))}</ul>${runnerAlertLink(race, runner.number, runner.name, market)}</details></td></tr>`;
}

/** What a price of a runner is shown with. */
export interface CellContext {
  readonly shared: boolean;
  readonly nowMs: number;
  readonly link: PriceLink | null;
}

interface Quote {
  readonly book: BookColumn;
  readonly cell: PriceCell | null;
}

/** Placeholders after other prices, books without a price last; equal prices in the order of the table. */
function bestFirst({ cells }: PriceLine, books: readonly BookColumn[]): Quote[] {
  const quotes = books.map((book, i) => ({ book, cell: cells[i] ?? null }));
  return quotes.sort((a, b) => rank(a) - rank(b) || (b.cell?.price ?? 0) - (a.cell?.price ?? 0));
}

function rank({ cell }: Quote): number {
  if (cell === null) return 2;
  return cell.suspectAgainst === null ? 0 : 1;
}

/** `14 prices, 5.00 to 6.00`; placeholders are not part of the span. */
function summary(quotes: readonly Quote[]): Html {
  const prices = quotes.flatMap(({ cell }) => (cell ? [cell] : []));
  const offered = prices.filter((cell) => cell.suspectAgainst === null).map((cell) => cell.price);
  const span = offered.length === 0 ? '' : `, ${spanText(Math.min(...offered), Math.max(...offered))}`;
  const all = counted(prices.length, 'price');
  return html`<span data-count-all="${all}" data-span="${span}">${all}${span}</span>`;
}

const spanText = (low: number, high: number): string =>
  low === high ? priceText(low) : `${priceText(low)} to ${priceText(high)}`;

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

function quoteItem({ book, cell }: Quote, { shared, nowMs, link }: CellContext): Html {
  const mark = { shared, stale: isStaleNow(book, nowMs) };
  const by = html`<span class="by">${book.title}</span>${mark.stale && html`<span class="tag tag-warn">stale</span>`}`;
  const of = html` data-bookmaker="${book.key}"`;
  if (cell === null)
    return html`<li class="none"${of} data-quote="none">${by}<span class="value">${UNKNOWN}</span></li>`;
  return html`<li class="${markClasses(cell, mark)}"${of} data-quote="${cell.price}"${markedFrom(cell, mark, book)}${markTitle(cell)}>${by}${priceValue(book, link, html`${priceText(cell.price)}${arrow(cell)}`)}${screenReaderText(cell, { shared, stale: mark.stale && cell.best })}</li>`;
}
