// Arbs: what prices of different books return beyond the stakes, whichever side wins, with their age and confidence.
import { sportOf } from '../../domain/sports/sports';
import { percentText } from '../format';
import { type Html, html } from '../html';
import { counted } from '../past/words';
import { countdown, startTime } from '../race-parts';
import type { ArbLeg, ArbRow, ArbsView } from './model';
import {
  ARBS_PATH,
  arbTag,
  asOf,
  bestPrice,
  matchName,
  matchPath,
  pageLinks,
  pricesBlock,
  sportPath,
  sportWays,
} from './parts';
import { MATCH_MARKET_NAMES, selectionText } from './selection';

export const arbsPath = (page: number): string => (page > 1 ? `${ARBS_PATH}?page=${page}` : ARBS_PATH);

export function arbsMain(view: ArbsView, nowMs: number): Html {
  const { rows, total, atMs, newestMs } = view;
  return pricesBlock(
    newestMs,
    nowMs,
    html`<header class="day-head"><h1 id="page-title">Sports arbs</h1>
<p>${counted(total, 'arb')}, highest return first · ${asOf(atMs)}</p></header>
${sportWays(ARBS_PATH)}
<section class="panel arbs" aria-labelledby="page-title">${rows.length === 0 ? html`<p class="empty">No fresh prices return more than they cost.</p>` : html`<ol class="arb-list">${rows.map((row) => arbItem(row, nowMs))}</ol>`}</section>
${pageLinks(view, 'arbs', arbsPath)}
${arbNotes()}`,
  );
}

/** `named`: with its match. */
export function arbItem(row: ArbRow, nowMs: number, named = true): Html {
  const { eventId, sportKey, market, profitPct, competition, startMs, legs } = row;
  const match =
    named &&
    html`<a href="${matchPath(eventId)}">${matchName(row)}</a><span class="match-facts"><a href="${sportPath(sportKey)}">${competition ?? sportOf(sportKey)!.title}</a> · ${startTime(startMs, nowMs)} ${countdown(startMs, nowMs)}</span>`;
  return html`<li><p class="arb-pct">${arbTag(profitPct)}</p>
<p class="arb-who">${match}<span class="arb-market">${MATCH_MARKET_NAMES[market]}</span></p>
<ul class="match-bests">${legs.map((leg) => legItem(leg, row, nowMs))}</ul>
<p class="arb-trust">${trust(row)}</p></li>`;
}

const legItem = ({ name, point, price, stake }: ArbLeg, { market }: ArbRow, nowMs: number): Html =>
  html`<li><span class="bp-side">${selectionText(name, point, market)}</span> ${bestPrice(price, nowMs)} <span class="arb-stake">${stake.toFixed(1)}% of the stakes</span></li>`;

/** The confidence and the figures that make it; the fourth, the age, stands beside each price. */
const trust = ({ confidence, books, distance, movedShare }: ArbRow): Html =>
  html`<b>Confidence ${confidence.toFixed(2)}</b> of 1: ${counted(books, 'book')} compared, a leg at most ${(distance * 100).toFixed(1)} points from the others, ${percentText(movedShare * 100, 0)} of its book’s prices move within ten minutes`;

const arbNotes =
  (): Html => html`<section class="legend" aria-labelledby="arbs-read"><h2 id="arbs-read" class="vh">How to read the arbs</h2><ul>
<li><span class="key">arb</span> <span>fresh prices of every outcome, at different books, that return more than they cost. Prices older than 30 minutes and prices that are probably wrong are never part of one</span></li>
<li><span class="key">Confidence</span> <span>how far it may be trusted: less with few books, old prices, a price far from the others and a book whose prices move soon</span></li>
<li><span class="key">30 s</span> <span>prices are read at most every 30 seconds, and books report about every 15 minutes: check each price at its book before you bet</span></li>
<li><span class="key">API</span> <span>every plan has the same arbs, the free one included: <a href="/docs/sports-arb">head to head</a> and <a href="/docs/lines-arb">lines and totals</a>. A line arb here is the best of its match and market; the API has the others, and middles</span></li>
</ul></section>`;
