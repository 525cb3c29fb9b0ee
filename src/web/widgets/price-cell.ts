// A best price in a table: with its bookmaker, its link and how long ago the bookmaker last confirmed it.
import { agoText, instant, priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import type { WidgetPrice } from './source';

/** `name`: the runner or selection of the price. `suspect`: probably wrong. */
export function priceCell(price: WidgetPrice | null, name: string, nowMs: number, suspect = false): Html {
  if (price === null) return html`<td>${UNKNOWN}<span class="vh"> no price</span></td>`;
  const { url, bookmakerName, updatedMs, stale } = price;
  const shown = html`<b>${priceText(price.price)}</b> <span class="book">${bookmakerName}</span>`;
  const linked =
    url === null
      ? shown
      : html`<a href="${url}" target="_blank" rel="noopener nofollow sponsored">${shown}<span class="vh"> for ${name}, opens a new tab</span></a>`;
  return html`<td>${linked} <span class="seen"><time datetime="${instant(updatedMs)}" data-ago="${updatedMs}">${agoText(updatedMs, nowMs)}</time>${stale && ', old'}</span>${suspect && html`<span class="doubt">probably wrong</span>`}</td>`;
}
