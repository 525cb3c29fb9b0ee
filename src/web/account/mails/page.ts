// What the link in a mail opens that stops the mails of its list: a page with one button, and what follows.
import type { MailList } from '../../../store/accounts/mails';
import { type Html, html } from '../../html';
import { hidden } from '../forms/fields';
import { type AccountPage, taskPage } from '../page';

interface ListTexts {
  readonly path: string;
  /** Of the mails, in a sentence. */
  readonly mails: string;
  readonly left: Html;
}

export const LISTS: Readonly<Record<MailList, ListTexts>> = {
  alerts: {
    path: '/alerts/stop',
    mails: 'mails of price alerts',
    left: html`<p>Your alerts stay: those that wait for their price are compared as before, and <a href="/account/alerts">your alerts</a> show what became of them. The button “Stop all” there ends those that wait; sign in for it.</p>`,
  },
  credits: {
    path: '/credit-mails/stop',
    mails: 'mails at 80 and at 100 % of the month’s credits',
    left: html`<p>The page of your account shows what is used.</p>`,
  },
};

export const stopMailsPage = (list: MailList, token: string): AccountPage =>
  taskPage(
    `Stop ${LISTS[list].mails}`,
    html`<p>The button stops ${LISTS[list].mails} of your account. You can switch them on again on the page of your account.</p>
${LISTS[list].left}
<form method="post" action="${LISTS[list].path}">${hidden('token', token)}<button class="button primary wide" autofocus>Stop these mails</button></form>`,
    { hasToken: true },
  );

export const mailsStoppedPage = (list: MailList): AccountPage =>
  taskPage(
    'These mails are stopped',
    html`<p>Your account gets no ${LISTS[list].mails} any more. One that was written before may still come.</p>
${LISTS[list].left}
<p class="actions"><a class="button" href="/account#mail">Switch them on again</a></p>`,
  );

export const noStopLinkPage = (hasToken: boolean): AccountPage =>
  taskPage(
    'This link does not work',
    html`<p>There is no such link. Copy the whole address from the message.</p><p class="actions"><a class="button" href="/account#mail">Your account</a></p>`,
    { hasToken },
  );
