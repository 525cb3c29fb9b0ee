// Which book's line is strong: the one that the visitor picked by its header, or the one under the pointer, whose name
// stands beside it.
import { roundedPriceText } from './format.mjs';

const NEAR_PX = 24;
const MOST_NAMES = 2;

/**
 * Places in `books` of the lines under the pointer: the nearest, and those at its price. Series: axis, books,
 * consensus, best.
 */
export function booksAt(uplot, books) {
  const { idx, left, top } = uplot.cursor;
  if (typeof idx !== 'number' || left < 0) return [];
  const prices = books.map((_, i) => uplot.data[i + 1][idx]);
  const away = (price) => (typeof price === 'number' ? Math.abs(uplot.valToPos(price, 'y') - top) : NEAR_PX);
  const least = Math.min(...prices.map(away));
  if (!(least < NEAR_PX)) return [];
  const nearest = prices.find((price) => away(price) === least);
  return prices.flatMap((price, i) => (price === nearest ? [i] : []));
}

/** `Sportsbet, TAB +2 4.20`. */
export function labelOf(uplot, books, places) {
  const names = places.slice(0, MOST_NAMES).map((i) => books[i]);
  const more = places.length > MOST_NAMES ? ` +${places.length - MOST_NAMES}` : '';
  return `${names.join(', ')}${more} ${roundedPriceText(uplot.data[places[0] + 1][uplot.cursor.idx])}`;
}

/** Beside the pointer, on the side with more room. */
export function placeLabel(label, uplot) {
  const { left, top } = uplot.cursor;
  const { width, height } = uplot.over.getBoundingClientRect();
  label.style.top = `${Math.min(Math.max(0, top - 28), height - 22)}px`;
  label.style.left = left < width / 2 ? `${left + 12}px` : 'auto';
  label.style.right = left < width / 2 ? 'auto' : `${width - left + 12}px`;
}
