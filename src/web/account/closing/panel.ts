// The way out, at the end of the account page.
import { type Html, html } from '../../html';

export const closingPanel = (): Html =>
  html`<section class="panel" id="your-data" aria-labelledby="your-data-title"><h2 id="your-data-title">Your data</h2><div class="body">
<p class="actions"><a class="button" href="/account/export">Export your data</a><a class="button" href="/account/close">Close the account</a></p></div></section>`;
