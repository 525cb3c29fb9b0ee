// The sports with matches to come, and the next match of each.
import { type Html, html } from '../html';
import { counted } from '../past/words';
import { age, countdown } from '../race-parts';
import type { SportCount, SportsIndex } from './model';
import { asOf, matchesText, matchName, matchPath, pricesBlock, SPORTS_PATH, sportPath, sportWays } from './parts';

export function sportsMain({ atMs, newestMs, sports }: SportsIndex, nowMs: number): Html {
  const open = sports.filter(({ matches }) => matches > 0);
  const closed = sports.filter(({ matches }) => matches === 0);
  const matches = open.reduce((sum, one) => sum + one.matches, 0);
  const newest = newestMs !== null && html` · newest price ${age(newestMs, nowMs)} old`;
  return pricesBlock(
    newestMs,
    nowMs,
    html`<header class="day-head"><h1 id="page-title">Sports</h1>
<p>${matchesText(matches)} to come, priced by Australian books: head to head, line and total${newest} · ${asOf(atMs)}</p></header>
${sportWays(SPORTS_PATH)}
<section class="panel" aria-labelledby="page-title">${open.length === 0 ? html`<p class="empty">No book prices a match to come.</p>` : html`<ul class="sport-list">${open.map((one) => sportItem(one, nowMs))}</ul>`}</section>
${closed.length > 0 && html`<p class="sport-none">Without a priced match: ${closed.map(({ title }) => title).join(', ')}.</p>`}`,
  );
}

const sportItem = ({ key, title, group, matches, books, next }: SportCount, nowMs: number): Html =>
  html`<li><h2><a href="${sportPath(key)}">${title}</a>${group !== title && html` <span class="country">${group}</span>`}</h2>
<p class="sport-counts">${matchesText(matches)} · ${counted(books, 'book')}</p>
${next && html`<p class="sport-next"><span class="h-soft">Next:</span> <a href="${matchPath(next.eventId)}">${matchName(next)}</a> in ${countdown(next.startMs, nowMs)}</p>`}</li>`;
