// The terms of use and the privacy statement. A sign-up stores the versions that the customer accepted, so a change of
// a text is a new version: `test/web/legal-pages.test.ts` compares both with `test/fixtures/legal.txt`.
import { type Html, html } from '../html';
import { type PlainPage, plainPage } from './plain-pages';

/** UTC days from which the present texts apply. */
export const LEGAL_VERSIONS = { terms: '2026-11-29', privacy: '2026-12-03' } as const;

const versioned = (title: string, version: string, body: Html): PlainPage =>
  plainPage(title, html`<p class="small">Version ${version}</p>\n${body}`);

export const termsPage = (): PlainPage =>
  versioned(
    'Terms of use',
    LEGAL_VERSIONS.terms,
    html`<h2>Your account and keys</h2>
<p>An account belongs to one person or company. Keep its keys secret: what is done with a key counts as done by you. Replace a key that somebody else may have. More than one free account for the same use is not allowed.</p>
<h2>The data</h2>
<p>You may use the data in your own products and analysis. You may not sell it on as a feed of the same kind. Prices, runners and results come from bookmakers and registries. They can be late, wrong or missing, and prices can change before a bet is placed. Settle only on a final result.</p>
<h2>Credits and payment</h2>
<p>Each plan has an allowance of credits for each calendar month in UTC; what is left at its end expires. A call that fails is free. You can cancel a paid plan at any time: it ends with the time that you have paid for.</p>
<h2>Your data</h2>
<p>The <a href="/privacy">privacy statement</a> lists what we store and for how long. We send messages about sign-in, keys and payments, and promotional email only if you agree to it.</p>
<h2>Limits</h2>
<p>The service is provided as it is. An account that harms the service or breaks these terms can be closed. Nothing here limits the rights that consumer law gives you.</p>`,
  );

export const privacyPage = (): PlainPage =>
  versioned(
    'Privacy statement',
    LEGAL_VERSIONS.privacy,
    html`<h2>What we store</h2>
<p>Your email address, a hash of your password, the public keys of your passkeys with the names that you give them, hashes of your keys with the names that you give them, the network addresses that you allow, the settings of your webhooks and widgets, the bookmakers that you chose to see, your price alerts with their race and runner, and the versions of these texts that you accepted. For each call that costs credits: its time, its key, its operation and its cost.</p>
<h2>What we use it for</h2>
<p>To answer your calls, to charge for them, and to send messages about sign-in, keys and payments, and about prices if you make a price alert. Promotional email is sent only if you agree to it. We sell no personal data.</p>
<h2>Who else receives it</h2>
<p>Payments are made on the pages of our payment provider, which receives your email address and your payment details. We never see a card number. Our mail server receives the messages that it delivers.</p>
<h2>How long it stays</h2>
<p>Messages are deleted a week after they are sent, and their text at once. Links and sessions are deleted after they end, price alerts a week after they are done. The lines of the credit ledger stay for 13 months, their sums and the invoices for as long as tax law requires.</p>
<h2>Your copy, and closing the account</h2>
<p>Your account page exports everything that we store of your account, and closes it. Closing deletes your email address, your password, your passkeys, your sessions, your choice of bookmakers, your price alerts, the names of your keys, and your webhooks and widgets. The credit ledger and the invoices stay, under the number of the account alone. A digest of your mailbox stays until the month ends, so that it has one free allowance in it; the message that confirms the closing stays for a week. Our payment provider keeps its invoices for as long as the law requires.</p>
<h2>Cookies</h2>
<p>Only those that sign you in: one for the session, one that recognises your browser, one while you sign up, and one for five minutes when you sign in with a passkey. They contain random tokens. Apart from cookies, your browser keeps what you choose on the pages, such as your bookmakers; while you are signed in, that choice is also stored with your account. A browser that you let notify you of prices keeps a digest of your account’s number and the numbers of the alerts that it has shown, until you turn the notifications off there.</p>`,
  );
