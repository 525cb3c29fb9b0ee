// What the pages of sports share: addresses, the ways between them, a price with its book and age, the state of all
// prices of a page.
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';
import type { SuspectReason } from '../../domain/sports/trust/suspect';
import { pricesState } from '../assets/freshness.mjs';
import type { Freshness } from '../board/model';
import { priceText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { age, clockAt, isStaleNow, staleFrom, tag, whileStale } from '../race-parts';
import type { MatchHead, Paged, ShownPrice } from './model';

export const SPORTS_PATH = '/sports';
export const ARBS_PATH = '/sports/arbs';
export const sportPath = (key: string): string => `/sports/${key}`;
export const matchPath = (eventId: string): string => `/sports/match/${eventId}`;

export const linesPath = (eventId: string): string => `${matchPath(eventId)}/lines`;

export const matchName = ({ homeTeam, awayTeam }: Pick<MatchHead, 'homeTeam' | 'awayTeam'>): string =>
  `${homeTeam} v ${awayTeam}`;

export const matchesText = (count: number): string =>
  count === 1 ? '1 match' : `${count.toLocaleString('en-AU')} matches`;

export const asOf = (ms: number): Html => html`as of ${clockAt(ms)}`;

/** A price that missed two reports of its book is stale. */
const OLD_AFTER_MS = (STALE_AFTER_SECONDS + 1) * 1000;

export const pricesFreshness = (newestMs: number | null): Freshness =>
  newestMs === null ? { kind: 'none' } : { kind: 'read', polledMs: newestMs, oldFromMs: newestMs + OLD_AFTER_MS };

/** All prices of a page, with what the browser needs to say how old they are. */
export function pricesBlock(newestMs: number | null, nowMs: number, content: Fragment): Html {
  const freshness = pricesFreshness(newestMs);
  const from =
    freshness.kind === 'read' && html` data-polled="${freshness.polledMs}" data-old-from="${freshness.oldFromMs}"`;
  const { state } = pricesState(freshness, nowMs);
  return html`<div class="sports${state === 'old' && ' unread'}" data-freshness="${freshness.kind}"${from}>${content}</div>`;
}

/** `current`: the address of the page. */
export function sportWays(current: string, more: readonly (readonly [path: string, title: string])[] = []): Html {
  const ways = [[SPORTS_PATH, 'All sports'], [ARBS_PATH, 'Arbs'], ...more] as const;
  return html`<nav class="filters" aria-label="Sports"><ul>${ways.map(([path, title]) => html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${title}</a></li>`)}</ul></nav>`;
}

const SUSPECT_TEXT: Readonly<Record<SuspectReason, string>> = {
  under_round: 'the book’s own prices add up to less than 100%',
  sides_exchanged: 'it would agree with the other books with its sides exchanged',
  sign_turned: 'it would agree with the other books with its handicap turned',
  far_from_others: 'more of the other books contradict it than support it',
  far_from_own_history: 'the book jumped there within 30 minutes',
  far_from_own_line: 'it contradicts the book’s main line',
  implausible_profit: 'with other prices it returns more than books of one match ever do',
};

export const doubtText = (reason: SuspectReason): string => `Probably wrong: ${SUSPECT_TEXT[reason]}`;

/** `stale 42m`, or `3m`. */
export const seenText = (seenMs: number, isStale: boolean, nowMs: number): Html =>
  html`<span class="seen">${whileStale('stale ', isStale)}${age(seenMs, nowMs)}</span>`;

/** The best price of a side, with its book and age. `point`: of its line. */
export function bestPrice(price: ShownPrice | null, nowMs: number, point: Html | false = false): Html {
  if (price === null)
    return html`<span class="bp none"><span>${point}<b class="value">${UNKNOWN}</b></span> <span class="at">no price</span></span>`;
  const { bookmaker, suspect, seenMs, staleFromMs } = price;
  const stale = isStaleNow(price, nowMs);
  const doubt = suspect !== null && html` title="${doubtText(suspect)}"`;
  return html`<span class="bp${suspect !== null && ' suspect'}${stale && ' stale'}"${staleFrom(staleFromMs)}${doubt}><span>${suspect !== null && html`<span class="vh">${doubtText(suspect)}: </span>`}${point}<b class="value">${priceText(price.price)}</b></span> <span class="at">${bookmaker} ${seenText(seenMs, stale, nowMs)}</span></span>`;
}

/** `pathOf`: the address of a page. Every row is on one of them. */
export function pageLinks({ page, pages, total }: Paged, noun: string, pathOf: (page: number) => string): Html | false {
  const link = (to: number, side: 'before' | 'after', text: string): Html =>
    html`<a class="${side}" rel="${side === 'before' ? 'prev' : 'next'}" href="${pathOf(to)}">${text}</a>`;
  return (
    pages > 1 &&
    html`<nav class="days-nav" aria-label="Pages">${page > 1 && link(page - 1, 'before', `Page ${page - 1}`)}<span>Page ${page} of ${pages}, ${total} ${noun}</span>${page < pages && link(page + 1, 'after', `Page ${page + 1}`)}</nav>`
  );
}

export const arbTag = (pct: number): Html => tag('good', `arb ${pct.toFixed(2)}%`);
