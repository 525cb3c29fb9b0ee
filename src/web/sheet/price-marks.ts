// The marks on one book's price, drawn and as text for screen readers: best, placeholder, firming, drifting, stale. The same for the
// table and for a phone's list.
import type { BookColumn, PriceCell } from '../board/model';
import { clockText, priceText } from '../format';
import { type Html, html } from '../html';

export function markClasses(cell: PriceCell, book: BookColumn, shared: boolean): string {
  const classes = [
    cell.best && (shared ? 'best shared' : 'best'),
    cell.suspectAgainst !== null && 'suspect',
    book.stale && 'stale',
  ];
  return classes.filter(Boolean).join(' ');
}

/** Without a movement it keeps its width, so that figures stay aligned. */
export const arrow = ({ move }: PriceCell): Html =>
  html`<i class="move${move && ` ${move.direction}`}" aria-hidden="true"></i>`;

export function markTitle({ move, suspectAgainst }: PriceCell): Html | false {
  const texts = [
    suspectAgainst !== null && `Placeholder quote, median of the other books ${priceText(suspectAgainst)}`,
    move && `${move.direction}, ${priceText(move.from)} at ${clockText(move.fromMs)}`,
  ].filter(Boolean);
  return texts.length > 0 && html` title="${texts.join('; ')}"`;
}

export function screenReaderText({ best, suspectAgainst, move }: PriceCell, stale: boolean): Html | false {
  const labels = [
    best && 'best',
    suspectAgainst !== null && 'placeholder',
    move && `${move.direction} from ${priceText(move.from)}`,
    stale && 'stale',
  ].filter(Boolean);
  return labels.length > 0 && html`<span class="vh"> ${labels.join(', ')}</span>`;
}
