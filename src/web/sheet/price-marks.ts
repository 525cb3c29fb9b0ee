// The marks on one book's price, drawn and as text for screen readers: best, placeholder, firming, drifting, stale. The
// same for the table and for a phone's list.
import type { BookColumn, PriceCell } from '../board/model';
import { clockText, priceText, zoneText } from '../format';
import { type Html, html } from '../html';
import { staleFrom, whileStale } from '../race-parts';

/** If all books have the same price (`shared`) none is marked as the best. */
export interface Mark {
  readonly shared: boolean;
  readonly stale: boolean;
}

export function markClasses(cell: PriceCell, { shared, stale }: Mark): string {
  const classes = [cell.best && !shared && 'best', cell.suspectAgainst !== null && 'suspect', stale && 'stale'];
  return classes.filter(Boolean).join(' ');
}

/** Without a movement it keeps its width, so that figures stay aligned. */
export const arrow = ({ move }: PriceCell): Html =>
  html`<i class="move${move && ` ${move.direction}`}" aria-hidden="true"></i>`;

export function markTitle({ move, suspectAgainst }: PriceCell): Html | false {
  const texts = [
    suspectAgainst !== null && `Placeholder quote, median of the other books ${priceText(suspectAgainst)}`,
    move && `${move.direction}, ${priceText(move.from)} at ${clockText(move.fromMs)} ${zoneText(move.fromMs)}`,
  ].filter(Boolean);
  return texts.length > 0 && html` title="${texts.join('; ')}"`;
}

/** Only a best price becomes stale by itself in the browser: the mark of the others is the head of their column. */
export const markedFrom = ({ best }: PriceCell, { shared }: Mark, { staleFromMs }: BookColumn): Html | false =>
  best && !shared && staleFrom(staleFromMs);

export function screenReaderText({ best, suspectAgainst, move }: PriceCell, { shared, stale }: Mark): Html | false {
  const isBest = best && !shared;
  const labels = [
    isBest && 'best',
    suspectAgainst !== null && 'placeholder',
    move && `${move.direction} from ${priceText(move.from)}`,
    stale && !isBest && 'stale',
  ].filter(Boolean);
  return (
    labels.length > 0 && html`<span class="vh"> ${labels.join(', ')}${isBest && whileStale(', stale', stale)}</span>`
  );
}
