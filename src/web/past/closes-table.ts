// Each book's close on each runner: the price, how it was found, and how old it was at the jump. On a phone folds
// replace the books' columns, as in the price tables.
import { clvPct } from '../../domain/clv/measure';
import type { RaceTitle } from '../board/race-title';
import { ordinalText, priceText, signedPercentText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { raceName, runnerName, tag } from '../race-parts';
import type { CloseCell, ClosesRow, PastRace } from './model';
import { counted, foundSentence, foundText } from './words';

/** More columns than fit a window of 1440 px at their usual width. */
const MOST_WIDE = 10;
const LEADING_COLUMNS = 3;

export function closesTable({ sheet, books, closes }: PastRace): Html {
  const caption = `Closing lines, ${raceName(sheet)}: runners by bookmakers`;
  return html`<div class="table-frame"><div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table class="prices closes${books.length > MOST_WIDE && ' dense'}" id="closes-${sheet.raceId}">
<caption class="vh">${caption}.</caption>
<thead><tr><th scope="col" class="c-no"><abbr title="Number">No</abbr></th><th scope="col" class="c-runner">Runner</th><th scope="col" class="c-best">Best close</th>${books.map((title) => html`<th scope="col" class="c-book"><span class="book">${title}</span></th>`)}</tr></thead>
<tbody>${closes.map((row) => runnerRow(sheet, row, books))}</tbody>
</table>
</div><button type="button" class="beyond" tabindex="-1" aria-hidden="true"></button></div>`;
}

function runnerRow(race: RaceTitle, row: ClosesRow, books: readonly string[]): Html {
  const { number, name, scratched, position } = row;
  const runner = scratched
    ? html`<s class="name">${name}</s>`
    : html`<span class="name">${runnerName(race, name)}</span>`;
  const finished = position !== null && html` ${tag('place', ordinalText(position))}`;
  return html`<tr${scratched && html` class="scratched"`}><td class="c-no"><span class="cloth cloth-${race.category}-${number}">${number}</span></td><th scope="row" class="c-runner">${runner}${finished}${scratched && html`<span class="was-out">Scratched</span>`}</th>${bestCell(row, books)}${row.cells.map(cell)}</tr>
${row.cells.some((one) => one !== null) && fold(row, books)}`;
}

function bestCell({ close, cells }: ClosesRow, books: readonly string[]): Html {
  if (close === null) return html`<td class="c-best">${UNKNOWN}</td>`;
  const [first, ...others] = books.filter((_, i) => cells[i]?.best);
  return html`<td class="c-best"><b>${priceText(close.price)}</b><span class="at">${first}${others.length > 0 && ` +${others.length}`}</span></td>`;
}

const classesOf = ({ best, placeholder, foundBy }: CloseCell): string =>
  [best && 'best', placeholder && 'suspect', foundBy === 'none' && 'last-seen'].filter(Boolean).join(' ');

const marksText = ({ best, placeholder }: CloseCell): string =>
  [best && 'best', placeholder && 'placeholder'].filter(Boolean).join(', ');

/** How the price moved since it was first captured: `opened 5.00 (−16.0%)`. */
const openedText = ({ open, price }: CloseCell): string =>
  `opened ${priceText(open)} (${signedPercentText(clvPct(price, open))})`;

function cell(close: CloseCell | null): Html {
  if (close === null) return html`<td class="c-price none"><span class="value">${UNKNOWN}</span></td>`;
  const title = `${foundSentence(close)}; ${openedText(close)}`;
  return html`<td class="c-price ${classesOf(close)}" title="${title}"><span class="value">${priceText(close.price)}</span><span class="vh"> ${marksText(close)} </span><span class="found" aria-hidden="true">${foundText(close)}</span><span class="vh">${foundSentence(close)}</span></td>`;
}

/** One row under the runner's own, over all columns; the highest close first, last-seen prices after them. */
function fold({ number, name, cells }: ClosesRow, books: readonly string[]): Html {
  const quotes = cells.flatMap((close, i) => (close ? [{ close, title: books[i]! }] : []));
  const rank = ({ close }: { readonly close: CloseCell }): number =>
    Number(close.foundBy === 'none' || close.placeholder);
  quotes.sort((a, b) => rank(a) - rank(b) || b.close.price - a.close.price);
  const lines = quotes.filter((one) => rank(one) === 0).map(({ close }) => close.price);
  const span = lines.length > 0 && `, ${priceText(Math.min(...lines))} to ${priceText(Math.max(...lines))}`;
  return html`<tr class="fold" id="closes-fold-${number}"><td colspan="${LEADING_COLUMNS + books.length}"><details><summary>${counted(lines.length, 'close')}${span}<span class="vh"> of ${name}</span></summary>
<ul class="by-price by-close">${quotes.map(({ close, title }) => html`<li class="${classesOf(close)}"><span class="by">${title}</span><span class="found" aria-hidden="true">${foundText(close)}</span><span class="value">${priceText(close.price)}</span><span class="vh"> ${marksText(close)} ${foundSentence(close)}</span></li>`)}</ul></details></td></tr>`;
}
