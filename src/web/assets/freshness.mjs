// @ts-check
// What the line in the header says of the prices that are shown, for the pages and for the script that keeps it true:
// the server imports this file and the browser loads it. An open connection proves nothing of the prices: only the
// books' polls do.

/** @typedef {{ readonly kind: 'read', readonly polledMs: number, readonly oldFromMs: number }} Read */
/** @typedef {Read | { readonly kind: 'standing' } | { readonly kind: 'none' } | { readonly kind: 'page' }} Freshness */

/**
 * `2 min`, `1 h 5 min`.
 * @param {number} ms
 */
function spanText(ms) {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * `state`: `live`, `old`, `still` or `none`. `news`: what is read out when the state changes; without the age, which
 * would be read out every minute.
 * @param {Freshness} freshness
 * @param {number} nowMs
 */
export function pricesState(freshness, nowMs) {
  if (freshness.kind === 'none') return { state: 'none', text: 'No prices', news: 'No prices' };
  if (freshness.kind === 'page') return { state: 'page', text: 'Refreshes itself', news: '' };
  if (freshness.kind === 'standing') return { state: 'still', text: 'Prices stand still', news: 'Prices stand still' };
  if (nowMs < freshness.oldFromMs) return { state: 'live', text: 'Live', news: 'Prices are live' };
  const reason = 'the books are not being read';
  const text = `Prices ${spanText(nowMs - freshness.polledMs)} old: ${reason}`;
  return { state: 'old', text, news: `Prices are old: ${reason}` };
}
