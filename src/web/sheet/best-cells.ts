// The best price of a leg with the book that has it, the age of its quote, and room for what a stake returns there. A
// price that is stale says so in its place; where nothing can be bet, nothing is returned.
import type { ToteEstimate } from '../board/course/course';
import type { PriceLine, RaceSheet } from '../board/model';
import { ageText, dividendText, isOld, priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { age, beforeJump, isStaleNow, staleFrom, whileStale } from '../race-parts';
import type { Shown } from './shown';

/** Only while the market is open: later there is no bet. Of this bet alone: the best place is often another book's. */
const returnOf = ({ state }: RaceSheet): Html | false =>
  state === 'open' && html`<span class="return" data-return></span>`;

/** `returns`: what a stake returns there is shown. */
export function bestCell(best: PriceLine['best'], column: string, shown: Shown, returns = false): Html {
  if (best === null) return html`<td class="c-best ${column} none" data-price=""><b>${UNKNOWN}</b></td>`;
  const { race, nowMs } = shown;
  const [first, ...others] = best.books;
  const stale = isStaleNow(best, nowMs);
  const names = best.shared ? 'all books' : html`${first}${others.length > 0 && ` +${others.length}`}`;
  const at = html`<span class="at">${whileStale('stale: ', stale)}${names}</span>`;
  return html`<td class="c-best ${column}${stale && ' stale'}"${staleFrom(best.staleFromMs)} data-price="${best.price}" title="${best.books.join(', ')}"><b>${priceText(best.price)}</b> ${quoteAge(best.polledMs, shown)}${at}${returns && returnOf(race)}</td>`;
}

/** Of the quote: now, or before the jump. */
function quoteAge(polledMs: number, { race, nowMs }: Shown): Html {
  const { jumpedMs } = race;
  const old =
    jumpedMs === null
      ? html`${age(polledMs, nowMs)}<span class="vh"> old</span>`
      : html`<span${isOld(polledMs, jumpedMs) && html` class="old"`}>${ageText(polledMs, jumpedMs)}</span><span class="vh"> ${beforeJump(race)}</span>`;
  return html`<span class="quote-age">${old}</span>`;
}

export function toteCell(tote: ToteEstimate | null, shown: Shown): Html {
  if (tote === null) return html`<td class="c-best c-tote none" data-value=""><b>${UNKNOWN}</b></td>`;
  const stale = isStaleNow(tote, shown.nowMs);
  return html`<td class="c-best c-tote${stale && ' stale'}"${staleFrom(tote.staleFromMs)} data-value="${tote.amount}"><b>${dividendText(tote.amount)}</b> ${quoteAge(tote.polledMs, shown)}<span class="at">${whileStale('stale: ', stale)}${tote.book}, ${tote.product}</span></td>`;
}
