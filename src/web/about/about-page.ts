// Who the service is for, what it has and has not, and where to write.
import { COMPARED_BOOKS } from '../../domain/bookmakers';
import { html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';

/** Without `mailto:`. */
const shown = (contact: string): string => contact.replace(/^mailto:/, '');

/** `contact`: `mailto:` or https; null: none is set. */
export const aboutPage = (contact: string | null): PlainPage =>
  plainPage(
    'About',
    html`<p>Racing Odds reads the fixed odds of ${COMPARED_BOOKS.length} Australian bookmakers on thoroughbred, harness and greyhound races, and shows them side by side. Every price has its age. Closing lines, price paths and results are kept for ever.</p>
<h2>Who it is for</h2>
<ul class="about-list"><li>People who bet and want the best price: the <a href="/live">live board</a> is free and needs no account.</li>
<li>People who measure their bets: <a href="/past">past races</a> have every closing line, with how it was found.</li>
<li>Developers of models, alerts and sites: the <a href="/docs">API</a> has the same figures as JSON, CSV and Parquet, and has <a href="/pricing">a free plan</a>.</li></ul>
<h2>What it is not</h2>
<p>It takes no bets and gives no tips. Prices can be late or wrong; <a href="/data-quality">Data quality</a> and <a href="/price-quality">Price quality</a> show how often they were, and <a href="/coverage-report">Coverage</a> what is missing.</p>
<h2 id="contact">Contact</h2>
<p>${contact === null ? 'This installation has no address for letters.' : html`Write to <a href="${contact}">${shown(contact)}</a>.`} Every error response has a request id: send it with your question. Weaknesses are reported as <a href="/.well-known/security.txt">security.txt</a> says. <a href="/status">Status</a> shows whether the service is up.</p>`,
  );
