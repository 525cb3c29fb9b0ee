// The consensus of the books without their margins, beside the best price, and how far that price is from it. Where too
// few books price the whole field the column shows that there is none: never 0, never a guess.
import type { ConsensusPrice, RaceSheet, RunnerRow } from '../board/model';
import { priceText, signedPercentText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { signalTag } from './market-text';

export const consensusHead = (): Html => html`<th scope="col" class="c-cons">Consensus</th>`;

/** Beside the best price: `+5.6%` is better than the consensus. */
export function againstConsensus(consensus: ConsensusPrice | null): Html | null {
  if (consensus === null || consensus.bestPct === null) return null;
  const { bestPct } = consensus;
  const text = signedPercentText(bestPct);
  return html`<span class="edge${bestPct > 0 && ' over'}">${text}<span class="vh"> against the consensus</span></span>`;
}

/** Under the best price, on a phone. */
export const consensusBeside = ({ consensus }: RunnerRow): Html =>
  html`<span class="cons-beside">${consensus === null ? 'no consensus' : `consensus ${priceText(consensus.price)}`}</span>`;

export function consensusCell({ consensus, hour }: RunnerRow): Html {
  if (consensus === null)
    return html`<td class="c-cons none"><span class="vh">no consensus</span><span aria-hidden="true">${UNKNOWN}</span></td>`;
  return html`<td class="c-cons">${priceText(consensus.price)} ${hour && signalTag(hour)}</td>`;
}

/** How many books are in it, and how many it needs if it has too few. */
export function consensusFoot({ consensusBooks: { included, needed } }: RaceSheet): Html {
  const text = included < needed ? `${included} of ${needed} books` : `${included} books`;
  return html`<td class="c-cons" title="Fresh books that price the whole field; a consensus needs ${needed}">${text}</td>`;
}
