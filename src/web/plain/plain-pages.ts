// Pages of text: the problems of the API, the terms of use, and the page at an unknown address.
import { type ErrorCode, PROBLEMS, slugOf } from '../../errors';
import type { Frame } from '../document';
import { type Html, html } from '../html';
import { PROBLEM_TEXTS } from './problem-texts';

export interface PlainPage {
  readonly title: string;
  readonly main: Html;
  readonly alternates?: Frame['alternates'];
}

const CODES = Object.keys(PROBLEMS) as ErrorCode[];

function page(title: string, body: Html): PlainPage {
  const main = html`<p class="back"><a href="/">Live board</a></p>
<section class="panel plain" aria-labelledby="page-title"><h1 id="page-title">${title}</h1>
${body}
</section>`;
  return { title, main };
}

export const noSuchRace = (): PlainPage =>
  page(
    'Race not found',
    html`<p>There is no race at this address. The <a href="/">live board</a> has the next races and the latest results.</p>`,
  );

/** `near`: addresses that the visitor may have meant. */
export function noSuchPage(path: string, near: readonly string[]): PlainPage {
  const meant =
    near.length > 0 &&
    html`<p>Did you mean ${near.map((one, i) => html`${i > 0 && ' or '}<a href="${one}">${one}</a>`)}?</p>`;
  return page(
    'Page not found',
    html`<p>There is no page at <code>${path}</code>.</p>${meant}
<p>The <a href="/">live board</a> has the next races and the latest results. The <a href="/docs">API reference</a> lists every operation.</p>`,
  );
}

export const problemIndex = (): PlainPage =>
  page(
    'Problems',
    html`<p>Every error response of the API has one of these codes. <code>type</code> is the address of its page.</p>
<table class="problems"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Problem</th></tr></thead>
<tbody>${CODES.map((code) => html`<tr><td>${PROBLEMS[code].status}</td><td><code>${code}</code></td><th scope="row"><a href="/errors/${slugOf(code)}">${PROBLEMS[code].title}</a></th></tr>`)}</tbody></table>`,
  );

/** Null if no problem has this slug. */
export function problemPage(slug: string): PlainPage | null {
  const code = CODES.find((one) => slugOf(one) === slug);
  if (!code) return null;
  const { status, title, retryable } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_TEXTS[code];
  return page(
    title,
    html`<dl><dt>Status</dt><dd>${status}</dd><dt>Code</dt><dd><code>${code}</code></dd>
<dt>Meaning</dt><dd>${meaning}</dd><dt>What to do</dt><dd>${remedy}</dd>
<dt>Send it again?</dt><dd>${retryable ? 'Yes: the same request may succeed later.' : 'No: the same request fails again unless something else changes.'}</dd></dl>
<p><code>detail</code> of the response describes what is wrong with your request. Branch on <code>code</code>. <a href="/errors">All problems</a> · <a href="/docs">API reference</a></p>`,
  );
}

export const termsPage = (): PlainPage =>
  page(
    'Terms of use',
    html`<h2>Your account and keys</h2>
<p>An account belongs to one person or company. Keep its keys secret: what is done with a key counts as done by you. Replace a key that somebody else may have. More than one free account for the same use is not allowed.</p>
<h2>The data</h2>
<p>You may use the data in your own products and analysis. You may not sell it on as a feed of the same kind. Prices, runners and results come from bookmakers and registries. They can be late, wrong or missing, and prices can change before a bet is placed. Settle only on a final result.</p>
<h2>Credits and payment</h2>
<p>Each plan has an allowance of credits for each calendar month in UTC; what is left at its end expires. A call that fails is free. You can cancel a paid plan at any time: it ends with the time that you have paid for.</p>
<h2>Your data</h2>
<p>We store your email address, hashes of your password and keys, the addresses that you allow, and what you use. We send messages about sign-in, keys and payments, and promotional email only if you agree to it.</p>
<h2>Limits</h2>
<p>The service is provided as it is. An account that harms the service or breaks these terms can be closed. Nothing here limits the rights that consumer law gives you.</p>`,
  );
