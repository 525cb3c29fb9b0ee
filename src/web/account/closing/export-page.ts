// Exporting the account: what the document has, and the button that downloads it.
import { html } from '../../html';
import { type AccountPage, taskPage } from '../page';

export const exportPage = (): AccountPage =>
  taskPage(
    'Export your data',
    html`<p>One JSON document with everything that is stored of your account: its settings, keys, passkeys, sessions, choice of bookmakers, price alerts, webhooks with their deliveries, widgets, invoices of overage, the credit ledger and the use of each day.</p>
<p>It has no secrets: no key, no password, no key of a passkey and no signing secret of a webhook. Addresses of webhooks are in it without their query. Invoices of plans are in the billing portal.</p>
<form method="post" action="/account/export"><button class="button primary wide" autofocus>Download the export</button></form>`,
    { below: html`<a href="/account">Back to your account</a>` },
  );
