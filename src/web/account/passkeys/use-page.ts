// The page on which the browser is requested to create or to use a passkey (`assets/passkeys.mjs`). Without a script,
// or in a browser without passkeys, it says so.
import type { PasskeyOptions } from '../../../accounts/passkeys/ceremony';
import { type Html, html } from '../../html';
import { hidden } from '../forms/fields';
import { type AccountPage, taskPage } from '../page';

interface PasskeyUse {
  readonly call: 'create' | 'get';
  readonly options: PasskeyOptions;
  readonly action: string;
  readonly button: string;
  readonly fields?: Html | null;
  readonly below: Html;
}

const usePage = (title: string, { call, options, action, button, fields, below }: PasskeyUse): AccountPage =>
  taskPage(
    title,
    html`<form method="post" action="${action}" data-passkey="${call}" data-options="${JSON.stringify(options)}">
<p class="notice notice-warn" data-when="unsupported">This browser has no passkeys, or runs no scripts.</p>
<p data-when="supported" hidden>Your browser shows what to do. It takes your fingerprint, your face or your PIN, and never sends it.</p>
<p class="notice notice-bad" role="alert" data-when="failed" hidden>The browser used no passkey. Try again within five minutes of opening this page.</p>
<input type="hidden" name="credential" value="">${fields}
<button class="button primary wide" type="button" hidden>${button}</button></form>`,
    { below },
  );

export const passkeySignInPage = (options: PasskeyOptions): AccountPage =>
  usePage('Sign in with a passkey', {
    ...{ call: 'get', options, action: '/login/passkey/finish', button: 'Use a passkey' },
    below: html`<a href="/login">Sign in another way</a>`,
  });

export const newPasskeyPage = (options: PasskeyOptions, label: string): AccountPage =>
  usePage('Add a passkey', {
    ...{ call: 'create', options, action: '/account/passkeys/new', button: 'Create the passkey' },
    fields: hidden('label', label),
    below: html`<a href="/account/passkeys">Back to your passkeys</a>`,
  });
