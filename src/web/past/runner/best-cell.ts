// The best win price of a runner in a list, with its books and the age of the quote.
import type { BestNow } from '../../board/course/best-now';
import { priceText, UNKNOWN } from '../../format';
import { type Html, html } from '../../html';
import { age, staleFrom, whileStale } from '../../race-parts';

export function bestNowCell(best: BestNow | null, nowMs: number): Html {
  if (best === null) return html`<span class="r-prices"><span class="vh">Best price </span>${UNKNOWN}</span>`;
  const stale = best.stale || (best.staleFromMs !== null && nowMs >= best.staleFromMs);
  const [first, ...others] = best.books;
  return html`<span class="r-prices ride-best${stale && ' stale'}"${staleFrom(best.staleFromMs)}><span class="vh">Best price </span><b>${priceText(best.price)}</b> <span class="r-facts">${whileStale('stale: ', stale)}${first}${others.length > 0 && ` +${others.length}`}${best.polledMs !== null && html` · ${age(best.polledMs, nowMs)}`}</span></span>`;
}
