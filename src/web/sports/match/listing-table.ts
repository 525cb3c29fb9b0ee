// Which books list a match, under which names and start, and by what each row was joined to it (D66).
import type { PlacedBy } from '../../../domain/sports/match-listings';
import { type Html, html } from '../../html';
import { age, startTime, tag } from '../../race-parts';
import type { ListingRow, MatchView } from '../model';

const WHY: Readonly<Record<PlacedBy, string>> = {
  new: 'listed it first',
  ruling: 'joined by our operators',
  id: 'the book’s own id of the match',
  competition: 'same sides in the same competition',
  unnamed: 'same sides, starts within ten minutes, a competition is not named',
  unknown_competition: 'same sides, starts within ten minutes, and prices that agree',
  moved: 'the book moved its start: same sides and prices',
};

const NO_REASON = 'not recorded';

/** `start as 4 of 5 books list it`. */
export function startsText(startMs: number, listings: readonly ListingRow[]): string {
  const listed = listings.filter((one) => one.listed);
  const same = listed.filter((one) => one.startMs === startMs).length;
  if (listed.length === 0) return 'start as last listed';
  return same === listed.length ? 'start as every book lists it' : `start as ${same} of ${listed.length} books list it`;
}

export function listingTable({ listings, startMs }: MatchView, nowMs: number): Html | false {
  return (
    listings.length > 0 &&
    html`<section class="panel listings" aria-labelledby="listings-title"><h2 id="listings-title">Which books, and why</h2>
<p class="empty">Rows of books are one match only by evidence: the book’s id, or the same sides with the same competition, start and prices. The start is the one that most books with current prices list; of equals the earliest.</p>
<ul class="listing-list">${listings.map((one) => listingItem(one, startMs, nowMs))}</ul></section>`
  );
}

function listingItem(row: ListingRow, matchMs: number, nowMs: number): Html {
  const { bookmaker, homeName, awayName, swapped, startMs, observedMs, listed, placedBy, ruled } = row;
  const why = placedBy === null ? NO_REASON : WHY[placedBy];
  const other =
    startMs !== matchMs &&
    html` <span class="other-start">${tag('warn', 'another start')} ${startTime(startMs, nowMs)}</span>`;
  return html`<li><b>${bookmaker}</b> <span>${homeName} v ${awayName}${swapped && html` <span class="h-soft">listed the other way round</span>`}${other}</span>
<span>${why}${ruled && placedBy !== 'ruling' && ', ruled on by our operators'}</span> <span class="h-soft">${listed ? 'listed ' : 'no longer listed, last '}${age(observedMs, nowMs)} ago</span></li>`;
}
