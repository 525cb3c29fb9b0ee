// How to read the prices: every mark, figure and abbreviation of the tables, with the rules that are applied.
import { BOOKMAKERS, visibleToCustomers } from '../domain/bookmakers';
import type { Category } from '../domain/race/race';
import { LIVE_TIER_SECONDS, pollIntervalMs } from '../domain/time/cadence';
import { staleAfterSeconds } from '../domain/time/staleness';
import type { RaceSheet } from './board/model';
import { type Html, html } from './html';

export function legend(race: Pick<RaceSheet, 'category' | 'jumpedMs'> | null): Html {
  const ran = race !== null && race.jumpedMs !== null;
  return html`<details class="legend" id="legend"><summary><h2>How to read the prices</h2></summary>
<ul>
<li><span class="key best">4.20</span> <span>best price across the books, outlined in grey once its book is stale; none is marked if all books that quote the runner have the same price. Of the books that have it, the first in the table is named that responded within a minute of the latest</span></li>
${race !== null && !ran && ownBooks()}
<li><span class="key"><i class="move firming" aria-hidden="true"></i></span> <span>firming: a win price shorter than the same book's price 5 minutes ${ran ? 'before the jump' : 'ago'}</span></li>
<li><span class="key"><i class="move drifting" aria-hidden="true"></i></span> <span>drifting: longer than that price. Prices are captured from 60 minutes before the jump; a price captured for less than 5 minutes is compared with its first value</span></li>
<li><span class="key is-old">3m</span> <span>the book last responded more than 2 minutes ${ran ? 'before the jump' : 'ago: check the price before you bet'}</span></li>
<li><span class="key is-stale">stale 3m</span> <span>${staleRule()}</span></li>
<li><span class="key suspect">51.00</span> <span>placeholder: 21 or more, and at least 4 times the median of three or more other books; never the best price</span></li>
<li><span class="key">First 58m</span> <span>the first best price captured, 58 minutes before the advertised start: no true market open. 60, 30, 10, 5: the best price that stood so many minutes before the start, a dash if none was captured then or it is still to come</span></li>
<li><span class="key">Move</span> <span>change of the consensus since an hour before the start; coloured if it moved 7% or more and at least half of the books moved with it, bold from 15% and six in ten</span></li>
<li><span class="key">Consensus</span> <span>the fair price of all books together: each book's margin is removed, then the median is taken; +2.0% is how much higher the best price is</span></li>
<li><span class="key">Stake</span> <span>what it returns at the best win price, and the same stake at the best place price, each as a bet of its own: stake included, to the cent and rounded down. Nothing for a stale price or a closed market</span></li>
<li><span class="key">Market</span> <span>sum of the implied probabilities, at the best prices and for each book; – where a runner has no price</span></li>
<li><span class="key">${abbreviations(race?.category)}</span> <span>${meanings(race?.category)}</span></li>
<li><span class="key">–</span> <span>unknown, or not quoted</span></li>
</ul></details>`;
}

/** The marks of a visitor's choice, and what a price of a race's page leads to. */
const ownBooks =
  (): Html => html`<li><span class="key best-mine">4.10</span> <span>with bookmakers hidden: the best price among yours where a hidden book has a better one; "mine" names it under the market's best in every row</span></li>
<li><span class="key">Links</span> <span>on the page of a race each price opens the bookmaker in a new tab; for a signed-in owner of Plus or above its betslip, where the book has such links. No credits are used</span></li>`;

const minutes = (seconds: number): string => `${seconds / 60} minutes`;

/** A 2.4 rule 4 as it is applied, with the books that are polled less often. */
function staleRule(): string {
  const live = minutes(staleAfterSeconds('live'));
  const card = minutes(staleAfterSeconds('card'));
  const slow = BOOKMAKERS.filter((book) => book.liveInsideMinutes !== null && book.status === 'active').filter(
    ({ key }) => visibleToCustomers(key),
  );
  const rule = `the book has not responded for more than ${live}, or ${card} while the jump is over ${LIVE_TIER_SECONDS / 3600} hours away`;
  if (slow.length === 0) return rule;
  const every = minutes(pollIntervalMs(LIVE_TIER_SECONDS, slow[0]!) / 1000);
  const names = slow.map(
    ({ title, liveInsideMinutes }) => `${title} until ${liveInsideMinutes} minutes before the jump`,
  );
  return `${rule}. ${names.join(' and ')}: polled every ${every}, and stale after ${card}`;
}

/** Of all racing codes where no race is shown. */
const abbreviations = (category?: Category): string =>
  ({ horse: 'J: T: F:', harness: 'D: T: F:', greyhound: 'T: F:' })[category ?? 'horse'];

function meanings(category?: Category): string {
  const rider = { horse: 'jockey, ', harness: 'driver, ', greyhound: '' }[category ?? 'horse'];
  const barrier = category === 'greyhound' ? '' : '; (4) is the barrier';
  return `${rider}trainer, form of the last five runs, latest last${barrier}`;
}
