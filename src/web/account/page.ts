// A page of the account: its title, its main part, and how it is sent.
import type { Html } from '../html';
import { html } from '../html';

export interface AccountPage {
  readonly title: string;
  readonly main: Html;
  /** Its address has a token: it sends no referrer. */
  readonly hasToken?: boolean;
  /** The response signs the visitor in. */
  readonly signsIn?: boolean;
  /** Another site, which the page goes on to by itself. */
  readonly goesTo?: string;
}

/** One narrow panel with one task. */
export const taskPage = (title: string, body: Html, more: { below?: Html; hasToken?: boolean } = {}): AccountPage => ({
  title,
  main: html`<div class="task"><section class="panel" aria-labelledby="page-title"><h1 id="page-title">${title}</h1>
${body}
</section>${more.below && html`<p class="below">${more.below}</p>`}</div>`,
  hasToken: more.hasToken,
});

/** What was just done. */
export const notice = (text: string): Html => html`<p class="notice notice-good" role="status">${text}</p>`;
