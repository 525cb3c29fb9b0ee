// Pages of text: the problems of the API, and the page at an unknown address.
import { type ErrorCode, PROBLEMS, slugOf } from '../../errors';
import type { Frame, PageRefresh } from '../document';
import { type Html, html } from '../html';
import { PROBLEM_TEXTS } from './problem-texts';

export interface PlainPage {
  readonly title: string;
  readonly main: Html;
  readonly canonical?: string;
  /** Its own picture, where pages have one. */
  readonly image?: string;
  readonly alternates?: Frame['alternates'];
  /** It has charts, and loads their scripts. */
  readonly charts?: true;
  /** Absent: the page does not refresh itself. */
  readonly refresh?: PageRefresh;
}

const CODES = Object.keys(PROBLEMS) as ErrorCode[];

export function plainPage(title: string, body: Html): PlainPage {
  const main = html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel plain" aria-labelledby="page-title"><h1 id="page-title">${title}</h1>
${body}
</section>`;
  return { title, main };
}

export const noSuchRace = (): PlainPage =>
  plainPage(
    'Race not found',
    html`<p>There is no race at this address. The <a href="/live">live board</a> has the next races and the latest results.</p>`,
  );

/** `near`: addresses that the visitor may have meant. */
export function noSuchPage(path: string, near: readonly string[]): PlainPage {
  const meant =
    near.length > 0 &&
    html`<p>Did you mean ${near.map((one, i) => html`${i > 0 && ' or '}<a href="${one}">${one}</a>`)}?</p>`;
  return plainPage(
    'Page not found',
    html`<p>There is no page at <code>${path}</code>.</p>${meant}
<p>The <a href="/live">live board</a> has the next races and the latest results. The <a href="/docs">API reference</a> lists every operation.</p>`,
  );
}

export const problemIndex = (): PlainPage =>
  plainPage(
    'Problems',
    html`<p>Every error response of the API has one of these codes. <code>type</code> is the address of its page.</p>
<table class="ruled problems"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Problem</th></tr></thead>
<tbody>${CODES.map((code) => html`<tr><td>${PROBLEMS[code].status}</td><td><code>${code}</code></td><th scope="row"><a href="/errors/${slugOf(code)}">${PROBLEMS[code].title}</a></th></tr>`)}</tbody></table>`,
  );

/** Null if no problem has this slug. */
export function problemPage(slug: string): PlainPage | null {
  const code = CODES.find((one) => slugOf(one) === slug);
  if (!code) return null;
  const { status, title, retryable } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_TEXTS[code];
  return plainPage(
    title,
    html`<dl><dt>Status</dt><dd>${status}</dd><dt>Code</dt><dd><code>${code}</code></dd>
<dt>Meaning</dt><dd>${meaning}</dd><dt>What to do</dt><dd>${remedy}</dd>
<dt>Send it again?</dt><dd>${retryable ? 'Yes: the same request may succeed later.' : 'No: the same request fails again unless something else changes.'}</dd></dl>
<p><code>detail</code> of the response describes what is wrong with your request. Branch on <code>code</code>. <a href="/errors">All problems</a> · <a href="/docs">API reference</a></p>`,
  );
}
