// Runners by books: one table per market. The best price is marked by text as well as by colour; a placeholder quote is
// marked and never best; a scratched runner is struck out and never priced (A 2.4). On a phone folds replace the books'
// columns.
import type { PersonRole } from '../../domain/race/person';
import type { BookColumn, PriceCell, PriceLine, RaceSheet, RunnerRow, ShownScratching } from '../board/model';
import { priceValue } from '../bookmakers/bets';
import { centsText, lastRunsText, ordinalText, percentText, priceText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { isStaleNow, personName, raceName, runnerName, staleFrom, startTime, tag, whileStale } from '../race-parts';
import { againstConsensus, consensusBeside, consensusCell, consensusFoot, consensusHead } from './consensus-column';
import { betLinkOf, booksFold, type CellContext, freshness, pricesFold, type Shown } from './price-folds';
import { arrow, markClasses, markedFrom, markTitle, screenReaderText } from './price-marks';

export type WinOrPlace = 'win' | 'place';

/**
 * With at most this many books the table is beside the results on a 1440 px screen; with more it takes the whole width.
 */
const BESIDE_RESULTS = 6;
/** This many columns fit that width; more are narrowed, up to fifteen. */
const FULL_WIDTH_COLUMNS = 10;

export const isWide = ({ books }: RaceSheet): boolean => books.length > BESIDE_RESULTS;

/** Number, runner, best, and on the win market the consensus. */
const leadingColumns = (market: WinOrPlace): number => (market === 'win' ? 4 : 3);

/** Not on the board, where the path to the next race would be long for a keyboard. */
interface TableLinks {
  /** Names link to the runners' pages. */
  readonly named: boolean;
  /** Prices link to the bookmakers. */
  readonly bets: boolean;
}

export function priceTable(race: RaceSheet, market: WinOrPlace, nowMs: number, { named, bets }: TableLinks): Html {
  const caption = `${market === 'win' ? 'Win' : 'Place'} prices, ${raceName(race)}: runners by bookmakers`;
  const columns = leadingColumns(market) + race.books.length;
  return html`<div class="table-frame"><div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table class="prices${race.books.length > FULL_WIDTH_COLUMNS && ' dense'}" id="${market}-${race.raceId}">
<caption class="vh">${caption}. Times are Sydney time where no other zone stands.</caption>
<thead><tr><th scope="col" class="c-no"><abbr title="Number">No</abbr></th><th scope="col" class="c-runner">Runner</th><th scope="col" class="c-best">Best ${market}</th>${market === 'win' && consensusHead()}${race.books.map((book) => bookHead(book, race, market, nowMs))}</tr>${booksFold(race, nowMs, columns)}</thead>
<tbody>${race.runners.map((runner) => runnerRows({ race, nowMs, bets: bets ? market : null }, runner, market, named))}</tbody>
${market === 'win' && marketRow(race)}
</table>
</div><button type="button" class="beyond" tabindex="-1" aria-hidden="true"></button></div>`;
}

const bookHead = (book: BookColumn, race: RaceSheet, market: WinOrPlace, nowMs: number): Html =>
  html`<th scope="col" class="c-book${isStaleNow(book, nowMs) && ' stale'}" data-bookmaker="${book.key}"${staleFrom(book.staleFromMs)}>${bookName(book, market, race)}${freshness(book, race, nowMs)}</th>`;

/** On the win market a button: it picks the book's line of the chart. */
const bookName = ({ key, title }: BookColumn, market: WinOrPlace, race: RaceSheet): Html =>
  market === 'win'
    ? html`<button type="button" class="book" id="book-${race.raceId}-${key}" data-book="${title}" aria-pressed="false" title="Show ${title} on the chart">${title}</button>`
    : html`<span class="book">${title}</span>`;

function runnerRows(shown: Shown, runner: RunnerRow, market: WinOrPlace, named: boolean): Html {
  const { race, nowMs } = shown;
  const line = runner[market];
  const id = `${market}-${race.raceId}-${runner.number}`;
  const columns = leadingColumns(market) + race.books.length;
  const link = betLinkOf(shown, runner);
  const cells = runner.scratching
    ? html`<td class="c-out" colspan="${columns - 2}"><span>${scratchingText(runner.scratching, nowMs)}</span></td>`
    : html`${bestCell(line, market === 'win' ? runner : null, nowMs)}${market === 'win' && consensusCell(runner)}${line.cells.map((cell, i) => priceCell(cell, race.books[i]!, { shared: line.best?.shared === true, nowMs, link }))}`;
  return html`<tr id="${id}"${runner.scratching && html` class="scratched"`}><td class="c-no"><span class="cloth cloth-${race.category}-${runner.number}">${runner.number}</span></td><th scope="row" class="c-runner">${runnerText(race, runner, named)}${runner.scratching && html`<span class="out-beside">${scratchingText(runner.scratching, nowMs)}</span>`}</th>${cells}</tr>${!runner.scratching && pricesFold(id, shown, runner, line, columns)}`;
}

function runnerText(race: RaceSheet, runner: RunnerRow, named: boolean): Html {
  const name = runner.scratching
    ? html`<s class="name">${runner.name}</s>`
    : html`<span class="name">${named ? runnerName(race, runner.name) : runner.name}</span>`;
  const barrier =
    race.category === 'greyhound' || runner.barrier === null
      ? null
      : html` <span class="barrier"><span class="vh">barrier </span>(${runner.barrier})</span>`;
  const finished = runner.position !== null && html` ${tag('place', ordinalText(runner.position))}`;
  return html`${name}${barrier}${finished}${runner.emergency && html` ${tag('quiet', 'emergency')}`}${runner.favourite && html` ${tag('fav', 'fav')}`}<span class="who">${connections(race, runner, named)}</span>`;
}

function connections(race: RaceSheet, runner: RunnerRow, named: boolean): Html {
  const person = (role: PersonRole, name: string): Fragment => (named ? personName(race, role, name) : name);
  const rider = race.category === 'harness' ? 'Driver' : 'Jockey';
  const parts = [
    runner.jockey && html`<abbr title="${rider}">${rider[0]}:</abbr>\u00a0${person('rider', runner.jockey)}`,
    runner.trainer && html`<abbr title="Trainer">T:</abbr>\u00a0${person('trainer', runner.trainer)}`,
    runner.weightKg && html`${runner.weightKg}\u00a0kg`,
    runner.form && html`<abbr title="Form, latest last: ${runner.form}">F:</abbr>\u00a0${lastRunsText(runner.form)}`,
  ].filter((part) => part instanceof Object);
  return html`${parts.map((part) => html`<span>${part}</span>`)}`;
}

function scratchingText({ atMs, late, winDeduction, placeDeduction }: ShownScratching, nowMs: number): Html {
  const at = atMs !== null && html` ${startTime(atMs, nowMs)}`;
  const off = deductionText(winDeduction, placeDeduction);
  return html`Scratched${at}${late && html` ${tag('warn', 'late')}`}${off !== null && html`<span class="deduction">${off}</span>`}`;
}

/** Null while no book publishes it. */
function deductionText(win: number | null, place: number | null): string | null {
  if (!win && !place) return win === null && place === null ? null : 'no deduction';
  const parts = [win !== null && `${centsText(win)} win`, place !== null && `${centsText(place)} place`];
  return `deduction ${parts.filter(Boolean).join(', ')}`;
}

/** `against`: the runner whose consensus is shown beside it, if any. */
function bestCell({ best }: PriceLine, against: RunnerRow | null, nowMs: number): Html {
  if (best === null) return html`<td class="c-best" data-price="">${UNKNOWN}</td>`;
  const [first, ...others] = best.books;
  const stale = isStaleNow(best, nowMs);
  return html`<td class="c-best${stale && ' stale'}"${staleFrom(best.staleFromMs)} data-price="${best.price}" title="${best.books.join(', ')}"><b>${priceText(best.price)}</b> ${against && againstConsensus(against.consensus)}<span class="at">${whileStale('stale: ', stale)}${best.shared ? 'all books' : first}${!best.shared && others.length > 0 && ` +${others.length}`}</span>${against && consensusBeside(against)}</td>`;
}

function priceCell(cell: PriceCell | null, book: BookColumn, { shared, nowMs, link }: CellContext): Html {
  if (cell === null)
    return html`<td class="c-price none" data-bookmaker="${book.key}" data-price=""><span class="value">${UNKNOWN}</span></td>`;
  const mark = { shared, stale: isStaleNow(book, nowMs) };
  return html`<td class="c-price ${markClasses(cell, mark)}" data-bookmaker="${book.key}"${markedFrom(cell, mark, book)} data-price="${cell.price}"${markTitle(cell)}>${priceValue(book, link, html`${priceText(cell.price)}${arrow(cell)}`)}${screenReaderText(cell, mark)}</td>`;
}

function marketRow(race: RaceSheet): Html {
  return html`<tfoot><tr><td class="c-no"></td><th scope="row" class="c-runner">Market</th><td class="c-best"><b>${percentText(race.bestMarketPct)}</b></td>${consensusFoot(race)}${race.books.map(
    (book) =>
      html`<td class="c-price" data-bookmaker="${book.key}"><span class="value">${percentText(book.marketPct)}<i class="move"></i></span></td>`,
  )}</tr></tfoot>`;
}
