// One match: a table a market with every book's price and its age, the best marked; which books list the match, and
// why. A match that has started has no prices here.
import { sportOf } from '../../../domain/sports/sports';
import { priceText, startText, UNKNOWN, zoneText } from '../../format';
import { type Html, html } from '../../html';
import { counted } from '../../past/words';
import { countdown, isStaleNow, staleFrom, startTime } from '../../race-parts';
import { arbItem } from '../arbs-page';
import type { BestCell, BookCell, BookRow, MarketView, MatchView, SideName } from '../model';
import {
  asOf,
  bestPrice,
  doubtText,
  linesPath,
  matchName,
  pricesBlock,
  seenText,
  sportPath,
  sportWays,
} from '../parts';
import { MATCH_MARKET_NAMES, pointText } from '../selection';
import { listingTable, startsText } from './listing-table';

export function matchMain(view: MatchView, nowMs: number): Html {
  const { sportKey, markets, arbs, newestMs, state } = view;
  const { title } = sportOf(sportKey)!;
  return pricesBlock(
    newestMs,
    nowMs,
    html`${sportWays('', [[sportPath(sportKey), title]])}
${matchHead(view, title, nowMs)}
${state !== 'open' && html`<p class="no-prices">${WITHOUT_PRICES[state]}</p>`}
${markets.length > 0 && html`<div class="markets">${markets.map((one) => marketPanel(one, view.eventId, nowMs))}</div>`}
${arbs.length > 0 && html`<section class="panel arbs" aria-labelledby="match-arbs"><h2 id="match-arbs">Arbs of this match</h2><ol class="arb-list">${arbs.map((one) => arbItem(one, nowMs, false))}</ol></section>`}
${listingTable(view, nowMs)}
${markets.length > 0 && matchNotes()}`,
  );
}

export const WITHOUT_PRICES = {
  started: 'The match has started. Prices are compared until the start, and none is shown after it.',
  unpriced: 'No book has a price of this match that is less than six hours old.',
} as const;

function matchHead(view: MatchView, title: string, nowMs: number): Html {
  const { competition, startMs, state, atMs, listings } = view;
  const clock =
    state !== 'started' &&
    html`<p class="clock"><span class="big">${countdown(startMs, nowMs)}</span><span class="clock-label">to the start</span></p>`;
  return html`<header class="panel sheet-head match-head"><div><p class="kicker">${title}${competition !== null && competition !== title && ` · ${competition}`}</p>
<h1 id="page-title">${matchName(view)}</h1>
<ul class="facts"><li>${startTime(startMs, nowMs)}</li><li>${startsText(startMs, listings)}</li><li>${asOf(atMs)}</li></ul></div>
${clock}</header>`;
}

function marketPanel({ market, sides, bests, books }: MarketView, eventId: string, nowMs: number): Html {
  const id = `market-${market}`;
  const priced = books.filter(({ seen }) => seen !== null).length;
  return html`<section class="panel market-panel" aria-labelledby="${id}"><h2 id="${id}">${MATCH_MARKET_NAMES[market]}<span class="h-note">${counted(priced, 'book')}</span></h2>
<table class="match-prices"><caption class="vh">${MATCH_MARKET_NAMES[market]}: books by sides</caption>
<thead><tr><th scope="col">Book</th>${sides.map(({ name }) => html`<th scope="col" class="c-side">${name}</th>`)}</tr></thead>
<tbody class="best-rows">${bests.map((cells) => bestRow(cells, market, nowMs))}</tbody>
<tbody>${books.map((row) => bookRow(row, sides, market, nowMs))}</tbody></table>${market !== 'h2h' && html`<p class="all-lines"><a href="${linesPath(eventId)}#lines-${market}">All lines<span class="vh"> of the ${MATCH_MARKET_NAMES[market].toLowerCase()}</span></a></p>`}</section>`;
}

const pointOf = (point: number | null, market: MarketView['market']): Html | false =>
  point !== null && html`<span class="point">${pointText(point, market)}</span> `;

const bestRow = (cells: readonly BestCell[], market: MarketView['market'], nowMs: number): Html =>
  html`<tr><th scope="row">Best</th>${cells.map(({ point, best }) => html`<td class="c-side">${bestPrice(best, nowMs, pointOf(point, market))}</td>`)}</tr>`;

function bookRow(row: BookRow, sides: readonly SideName[], market: MarketView['market'], nowMs: number): Html {
  const { bookmaker, seen, another, cells } = row;
  if (seen === null)
    return html`<tr class="none"><th scope="row">${bookmaker}</th>${sides.map(() => html`<td class="c-side"><span class="value">${UNKNOWN}</span></td>`)}</tr>`;
  const stale = isStaleNow(seen, nowMs);
  const note =
    another &&
    html` <span class="another">${sides.length > 2 ? 'without the draw' : 'with a draw'}: another bet</span>`;
  return html`<tr class="${[stale && 'stale', another && 'apart'].filter(Boolean).join(' ')}"${staleFrom(seen.staleFromMs)}><th scope="row"><span class="book">${bookmaker}</span> ${seenText(seen.seenMs, stale, nowMs)}${note}</th>${cells.map((cell) => priceCell(cell, market))}</tr>`;
}

function priceCell(cell: BookCell | null, market: MarketView['market']): Html {
  if (cell === null) return html`<td class="c-side none" data-price=""><span class="value">${UNKNOWN}</span></td>`;
  const { price, point, best, suspect } = cell;
  const marks = [best && 'best', suspect !== null && 'suspect'].filter(Boolean).join(' ');
  const title = suspect !== null && html` title="${doubtText(suspect)}"`;
  const spoken = best ? 'best ' : suspect !== null && `${doubtText(suspect)}: `;
  return html`<td class="c-side ${marks}" data-price="${price}"${title}>${spoken && html`<span class="vh">${spoken}</span>`}${pointOf(point, market)}<span class="value">${priceText(price)}</span></td>`;
}

const matchNotes =
  (): Html => html`<section class="legend" aria-labelledby="match-read"><h2 id="match-read" class="vh">How to read the prices</h2><ul>
<li><span class="key best">1.95</span> <span>the best price of its side, of lines at the same points; none is marked where every book has the same price</span></li>
<li><span class="key">3m</span> <span>since the book last confirmed its prices of the market. Books report about every 15 minutes</span></li>
<li><span class="key is-stale">stale 42m</span> <span>not confirmed for more than 30 minutes: it may be gone, and is never part of an arb</span></li>
<li><span class="key suspect">19.00</span> <span>probably wrong: the other books contradict it. It is best only if there is no other</span></li>
<li><span class="key">Line</span> <span>the main line of each book. More lines are under All lines</span></li>
<li><span class="key">${UNKNOWN}</span> <span>the book has no price of this market or side now: not offered, suspended or taken back</span></li>
</ul></section>`;

/** `Sat 21 Nov, 8:00 pm AEDT`, for the title of the page. */
export const matchTitle = (view: MatchView, nowMs: number): string =>
  `${matchName(view)}, ${startText(view.startMs, nowMs)} ${zoneText(view.startMs)}: odds`;
