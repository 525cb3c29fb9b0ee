// The ways to data that is collected or built as files.
import { type Html, html } from '../../html';

export const dataPanel = (): Html =>
  html`<section class="panel" id="data" aria-labelledby="data-title"><h2 id="data-title">Jobs and files</h2><div class="body">
<p><a href="/account/backfill">Backfill jobs</a><br><span class="small">The form of many horses: progress, credits, results.</span></p>
<p><a href="/account/files">Archive files</a><br><span class="small">Closing lines, price paths, results and more, by day and month.</span></p></div></section>`;
