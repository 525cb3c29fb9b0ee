// On the way to the payment provider: its page is another origin, where a form's response may not lead
// (Content-Security-Policy), but a page may.
import { html } from '../../html';
import { type AccountPage, taskPage } from '../page';

export const leavingPage = (url: string): AccountPage => ({
  ...taskPage(
    'Continue to payment',
    html`<p>Payments are made on the pages of our payment provider, ${new URL(url).host}.</p>
<p class="actions"><a class="button primary" href="${url}" autofocus>Continue</a><a class="button" href="/account">Back to your account</a></p>`,
  ),
  goesTo: url,
});
