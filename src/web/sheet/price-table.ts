// Runners by books: one table per market. The win table has what decides a bet before the books: the course of the best
// price, the best win price now, the best place price beside it, and the consensus. The best price is marked by text as
// well as by colour; a placeholder quote is marked and never best; a scratched runner is struck out and never priced
// (A 2.4). On a phone folds replace the books' columns.
import type { BookColumn, PriceCell, RaceSheet, RunnerRow } from '../board/model';
import { priceValue } from '../bookmakers/bets';
import { percentText, priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { isStaleNow, raceName, staleFrom } from '../race-parts';
import { bestCell } from './best-cells';
import { bookSort, sortHead } from './column-head';
import { consensusCell, consensusFoot, consensusHead } from './consensus-column';
import { COURSE_COLUMNS, courseCells, courseHeads, moveCell, moveHead } from './course-columns';
import { booksFold, type CellContext, freshness, pricesFold } from './price-folds';
import { arrow, markClasses, markedFrom, markTitle, screenReaderText } from './price-marks';
import { runnerCells, runnerHeads } from './runner-cells';
import { betLinkOf, type Shown } from './shown';

export type WinOrPlace = 'win' | 'place';

/** More are narrowed, under names that stand upright: up to fifteen fit a screen of 1440 px. */
const FULL_WIDTH_COLUMNS = 8;

/** Before the books, after number and runner: on the win market the course, both best prices and the consensus. */
const leadingColumns = (market: WinOrPlace): number => (market === 'win' ? COURSE_COLUMNS + 3 : 1);

export function priceTable(shown: Shown, market: WinOrPlace): Html {
  const { race, nowMs } = shown;
  const caption = `${market === 'win' ? 'Win' : 'Place'} prices, ${raceName(race)}: runners by bookmakers`;
  const columns = 2 + leadingColumns(market) + race.books.length;
  const heads = market === 'win' ? winHeads() : sortHead('place', 'c-best c-place', 'Best place');
  return html`<div class="table-frame"><div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table class="prices of-${market}${race.books.length > FULL_WIDTH_COLUMNS && ' dense'}" id="${market}-${race.raceId}">
<caption class="vh">${caption}. Times are Sydney time where no other zone stands.</caption>
<thead><tr>${runnerHeads()}${heads}${race.books.map((book) => bookHead(book, race, market, nowMs))}</tr>${booksFold(race, nowMs, columns)}</thead>
<tbody>${race.runners.map((runner) => runnerRows(shown, runner, market))}</tbody>
${market === 'win' && marketRow(race)}
</table>
</div><button type="button" class="beyond" tabindex="-1" aria-hidden="true"></button></div>`;
}

const winHeads = (): Html =>
  html`${courseHeads()}${moveHead()}${sortHead('win', 'c-best c-win', html`<span class="vh">Best </span>Win`)}${sortHead('place', 'c-best c-place', html`<span class="vh">Best </span>Place`)}${consensusHead()}`;

const bookHead = (book: BookColumn, race: RaceSheet, market: WinOrPlace, nowMs: number): Html =>
  html`<th scope="col" class="c-book${isStaleNow(book, nowMs) && ' stale'}" data-bookmaker="${book.key}"${staleFrom(book.staleFromMs)}>${bookName(book, market, race)}${freshness(book, race, nowMs)}${bookSort(book)}</th>`;

/** On the win market a button: it picks the book's line of the chart. */
const bookName = ({ key, title }: BookColumn, market: WinOrPlace, race: RaceSheet): Html =>
  market === 'win'
    ? html`<button type="button" class="book" id="book-${race.raceId}-${key}" data-line="${title}" aria-pressed="false" title="Show ${title} on the chart">${title}</button>`
    : html`<span class="book">${title}</span>`;

function runnerRows(shown: Shown, runner: RunnerRow, market: WinOrPlace): Html {
  const { race } = shown;
  const line = runner[market];
  const id = `${market}-${race.raceId}-${runner.number}`;
  const columns = leadingColumns(market) + race.books.length;
  const lead = runnerCells(shown, runner, columns);
  if (runner.scratching) return html`<tr id="${id}" class="scratched">${lead}</tr>`;
  const best = market === 'win' ? winCells(runner, shown) : bestCell(line.best, 'c-place', shown);
  const context = { shared: line.best?.shared === true, nowMs: shown.nowMs, link: betLinkOf(shown, runner) };
  const prices = line.cells.map((cell, i) => priceCell(cell, race.books[i]!, context));
  return html`<tr id="${id}">${lead}${best}${prices}</tr>${pricesFold(id, shown, runner, market, columns + 2)}`;
}

function winCells(runner: RunnerRow, shown: Shown): Html {
  const { win, place } = runner;
  const best = bestCell(win.best, 'c-win', shown, true);
  const placed = bestCell(place.best, 'c-place', shown, true);
  return html`${courseCells(runner, shown.race)}${moveCell(runner)}${best}${placed}${consensusCell(runner)}`;
}

function priceCell(cell: PriceCell | null, book: BookColumn, { shared, nowMs, link }: CellContext): Html {
  const of = html` data-bookmaker="${book.key}"`;
  if (cell === null)
    return html`<td class="c-price none"${of} data-price=""><span class="value">${UNKNOWN}</span></td>`;
  const mark = { shared, stale: isStaleNow(book, nowMs) };
  return html`<td class="c-price ${markClasses(cell, mark)}"${of}${markedFrom(cell, mark, book)} data-price="${cell.price}"${markTitle(cell)}>${priceValue(book, link, html`${priceText(cell.price)}${arrow(cell)}`)}${screenReaderText(cell, mark)}</td>`;
}

function marketRow(race: RaceSheet): Html {
  return html`<tfoot><tr><td class="c-no"></td><th scope="row" class="c-runner">Market</th><td class="c-course" colspan="${COURSE_COLUMNS}"></td><td class="c-best c-win"><b>${percentText(race.bestMarketPct)}</b></td><td class="c-best c-place"></td>${consensusFoot(race)}${race.books.map(
    (book) =>
      html`<td class="c-price" data-bookmaker="${book.key}"><span class="value">${percentText(book.marketPct)}<i class="move"></i></span></td>`,
  )}</tr></tfoot>`;
}
