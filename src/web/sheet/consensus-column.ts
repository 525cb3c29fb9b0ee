// The consensus of the books without their margins, beside the best price, and how far that price is from it. Where too
// few books price the whole field the column shows that there is none: never 0, never a guess.
import type { ConsensusPrice, RaceSheet, RunnerRow } from '../board/model';
import { priceText, signedPercentText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { sortHead } from './column-head';

export const consensusHead = (): Html => sortHead('fair', 'c-cons', 'Consensus');

/** The best price against it: `+5.6%` is better than the consensus. */
function againstConsensus({ bestPct }: ConsensusPrice): Html | null {
  if (bestPct === null) return null;
  return html`<span class="edge${bestPct > 0 && ' over'}"><span class="vh">best win </span>${signedPercentText(bestPct)}</span>`;
}

export function consensusCell({ consensus }: RunnerRow): Html {
  if (consensus === null)
    return html`<td class="c-cons none" data-value=""><span class="vh">no consensus</span><span aria-hidden="true">${UNKNOWN}</span></td>`;
  return html`<td class="c-cons" data-value="${consensus.price}">${priceText(consensus.price)} ${againstConsensus(consensus)}</td>`;
}

/** How many books are in it, and how many it needs if it has too few. */
export function consensusFoot({ consensusBooks: { included, needed } }: RaceSheet): Html {
  const text = included < needed ? `${included} of ${needed} books` : `${included} books`;
  return html`<td class="c-cons" title="Fresh books that price the whole field; a consensus needs ${needed}">${text}</td>`;
}
