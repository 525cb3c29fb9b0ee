// The panel by which a visitor chooses and orders bookmakers: above the prices, folded, without effect until a script
// (`assets/bookmakers-panel.mjs`) follows it. It lists every book that the tables may show, whether it quotes or not.
import { BOOKMAKERS, isCompared, visibleToCustomers } from '../../domain/bookmakers';
import { type Html, html } from '../html';

const LISTED = BOOKMAKERS.filter(
  ({ key, status }) => status === 'active' && visibleToCustomers(key) && isCompared(key),
);

export const bookmakersPanel = (): Html => PANEL;

const PANEL = html`<details class="my-books" id="my-books"><summary>My bookmakers <span class="my-books-count">all ${LISTED.length}</span></summary>
<p>The tables show those with a tick, in this order, and name the best price among them. The market's best price stays.</p>
<ol class="my-books-list" data-listed="${LISTED.map(({ key }) => key).join(' ')}">${LISTED.map(
  ({ key, title }) =>
    html`<li id="my-${key}" data-choice="${key}"><label><input type="checkbox" id="mine-${key}" checked>${title}</label>${step(key, title, -1)}${step(key, title, 1)}</li>`,
)}</ol>
<p class="my-books-foot"><button type="button" data-all-books>All again</button><button type="button" data-no-books>None</button><span role="status" id="my-books-news" data-drawn></span></p>
<p class="my-books-ask" id="my-books-ask" data-drawn hidden>Your account has another choice, saved in another browser. <button type="button" data-take="account">Use the account's</button><button type="button" data-take="browser">Keep this one</button></p></details>`;

function step(key: string, title: string, by: 1 | -1): Html {
  const way = by < 0 ? 'up' : 'down';
  return html`<button type="button" id="${way}-${key}" data-step="${by}" aria-label="${title} ${way}"><span aria-hidden="true">${by < 0 ? '↑' : '↓'}</span></button>`;
}
