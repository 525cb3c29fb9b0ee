// Every line of a match: a table a market, a row a line with both its sides, a column a book. On a narrow screen the
// books scroll within their table, and the lines stay.
import { sportOf } from '../../../domain/sports/sports';
import { priceText, UNKNOWN } from '../../format';
import { type Html, html } from '../../html';
import { counted } from '../../past/words';
import { countdown, isStaleNow, staleFrom, startTime } from '../../race-parts';
import type { BestCell, LineCell, LineRow, LinesView, LineTable, SideCell } from '../model';
import {
  asOf,
  bestPrice,
  doubtText,
  matchName,
  matchPath,
  pricesBlock,
  seenText,
  sportPath,
  sportWays,
} from '../parts';
import { MATCH_MARKET_NAMES, pointText } from '../selection';
import { WITHOUT_PRICES } from './match-page';

export const linesTitle = (view: LinesView): string => `${matchName(view)}: all lines and totals`;

export function linesMain(view: LinesView, nowMs: number): Html {
  const { eventId, sportKey, competition, startMs, state, atMs, newestMs, tables } = view;
  const { title } = sportOf(sportKey)!;
  const ways = [
    [sportPath(sportKey), title],
    [matchPath(eventId), matchName(view)],
  ] as const;
  const left = state !== 'started' && html` · ${countdown(startMs, nowMs)} to the start`;
  return pricesBlock(
    newestMs,
    nowMs,
    html`<header class="day-head"><h1 id="page-title">${matchName(view)}: all lines</h1>
<p>${competition ?? title} · ${startTime(startMs, nowMs)}${left} · ${asOf(atMs)}</p></header>
${sportWays('', ways)}
${state !== 'open' && html`<p class="no-prices">${WITHOUT_PRICES[state]}</p>`}
${state === 'open' && tables.length === 0 && html`<p class="empty">No book has a line of this match.</p>`}
${tables.map((table) => linesPanel(table, nowMs))}
${tables.length > 0 && linesNotes()}`,
  );
}

function linesPanel(table: LineTable, nowMs: number): Html {
  const { market, home, away, books, rows, left } = table;
  const id = `lines-${market}`;
  const name = MATCH_MARKET_NAMES[market];
  return html`<section class="panel lines" aria-labelledby="${id}"><h2 id="${id}">${name}<span class="h-note">${counted(rows.length, 'line')}, ${counted(books.length, 'book')}</span></h2>
<div class="scroller" role="region" aria-label="${name}: lines by books" tabindex="0"><table class="line-prices"><caption class="vh">${name}: lines by books. In each cell ${home} is above ${away}.</caption>
<thead><tr><th scope="col" class="c-line">${home}<br>${away}</th><th scope="col" class="c-bests">Best</th>${books.map((book) => html`<th scope="col">${book}</th>`)}</tr></thead>
<tbody>${rows.map((row) => lineRow(row, table, nowMs))}</tbody></table></div>
${left > 0 && html`<p class="found-note">The main lines and those that most books offer: ${rows.length} in all; ${left} more are in the <a href="/docs/get-event-odds">API</a>.</p>`}</section>`;
}

function lineRow(row: LineRow, { market }: LineTable, nowMs: number): Html {
  const { mainOf, home, away, cells } = row;
  const point = ({ point: at }: BestCell, name: string): Html =>
    html`<span class="point">${market === 'totals' && `${name} `}${pointText(at!, market)}</span> `;
  const main = mainOf > 0 && html`<span class="main-of">main of ${mainOf}</span>`;
  return html`<tr><th scope="row" class="c-line">${point(home, 'Over')}${point(away, 'Under')}${main}</th><td class="c-bests">${bestPrice(home.best, nowMs)}${bestPrice(away.best, nowMs)}</td>${cells.map((cell) => bookCell(cell, nowMs))}</tr>`;
}

function bookCell(cell: LineCell | null, nowMs: number): Html {
  if (cell === null) return html`<td class="none" data-price="">${UNKNOWN}</td>`;
  const { seen, home, away } = cell;
  const stale = isStaleNow(seen, nowMs);
  return html`<td${stale && html` class="stale"`}${staleFrom(seen.staleFromMs)}>${sideText(home)}${sideText(away)}${seenText(seen.seenMs, stale, nowMs)}</td>`;
}

function sideText(side: SideCell | null): Html {
  if (side === null) return html`<span class="side"><span class="value">${UNKNOWN}</span></span>`;
  const { price, best, suspect } = side;
  const marks = [best && ' best', suspect !== null && ' suspect'];
  const title = suspect !== null && html` title="${doubtText(suspect)}"`;
  const spoken = best ? 'best ' : suspect !== null && `${doubtText(suspect)}: `;
  return html`<span class="side${marks}" data-price="${price}"${title}>${spoken && html`<span class="vh">${spoken}</span>`}<span class="value">${priceText(price)}</span></span>`;
}

const linesNotes =
  (): Html => html`<section class="legend" aria-labelledby="lines-read"><h2 id="lines-read" class="vh">How to read the lines</h2><ul>
<li><span class="key best">1.95</span> <span>the best price of its side of that line; none is marked where every book has the same price</span></li>
<li><span class="key">3m</span> <span>since the book last confirmed the line. Books report about every 15 minutes</span></li>
<li><span class="key is-stale">stale 42m</span> <span>not confirmed for more than 30 minutes: it may be gone</span></li>
<li><span class="key suspect">19.00</span> <span>probably wrong: other prices contradict it. It is best only if there is no other</span></li>
<li><span class="key">main of 4</span> <span>the main line of so many books; every other is an alternate</span></li>
<li><span class="key">${UNKNOWN}</span> <span>the book has no price of this line or side now</span></li>
</ul></section>`;
