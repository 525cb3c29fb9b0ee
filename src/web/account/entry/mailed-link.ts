// What a mailed link opens: a page with one button. Opening the page changes nothing, because mail scanners open links
// too (D40).
import type { LinkView } from '../../../accounts/mailed-links';
import type { LinkPurpose } from '../../../store/accounts/links';
import { type Fragment, type Html, html } from '../../html';
import { hidden } from '../forms/fields';
import { type AccountPage, taskPage } from '../page';

interface LinkPage {
  readonly title: string;
  readonly text: Html;
  readonly action: string;
  readonly button: string;
}

/** A link to reset a password opens a form of its own. */
export type ButtonPurpose = Exclude<LinkPurpose, 'reset'>;

const LINK_PAGES = {
  verify: {
    title: 'One click to your API key',
    text: html`<p>The button confirms your address, accepts the <a href="/terms">terms of use</a> and the <a href="/privacy">privacy statement</a>, and shows your key, once. Have a safe place for it ready.</p>`,
    action: '/verify',
    button: 'Show my key',
  },
  login: {
    title: 'Sign in',
    text: html`<p>You stay signed in on this device for 30 days, or until you sign out.</p>`,
    action: '/login/link',
    button: 'Sign in',
  },
  replace_key: {
    title: 'Replace your API key',
    text: html`<p>The button shows a new key, once. The present key keeps working for 24 hours, so that you can change your programs.</p>
<p>You did not request this? Close the page: nothing changes.</p>`,
    action: '/replace-key',
    button: 'Show my new key',
  },
  change_email: {
    title: 'Use this address',
    text: html`<p>The button gives your account this address. Messages and sign-in links go to it from then on, and the old address gets a message.</p>
<p>You did not request this? Close the page: nothing changes.</p>`,
    action: '/confirm-address',
    button: 'Use this address',
  },
  undo_email: {
    title: 'Take the change back',
    text: html`<p>The button gives your account this address again, signs every device out, and removes the password and the passkeys. Sign in by a link then, set a new password, and replace your keys if somebody else was signed in.</p>`,
    action: '/undo-address',
    button: 'Take the change back',
  },
} as const satisfies Record<ButtonPurpose, LinkPage>;

export const linkPath = (purpose: ButtonPurpose): string => LINK_PAGES[purpose].action;

export const newKeyTitle = (purpose: ButtonPurpose): string =>
  purpose === 'verify' ? 'Your API key' : 'Your new API key';

export function mailedLinkPage(purpose: ButtonPurpose, { email }: LinkView, token: string): AccountPage {
  const { title, text, action, button } = LINK_PAGES[purpose];
  const form = html`${email !== null && html`<p class="lead">For <strong>${email}</strong></p>`}${text}
<form method="post" action="${action}">${hidden('token', token)}<button class="button primary wide" autofocus>${button}</button></form>`;
  return taskPage(title, form, { hasToken: true });
}

const REASONS: Readonly<Record<Exclude<LinkView['state'], 'open'>, string>> = {
  unknown: 'There is no such link. Copy the whole address from the message.',
  used: 'The link was used already, and each works once.',
  expired: 'The link has expired.',
};

export const reasonOf = ({ state }: LinkView): string => REASONS[state === 'open' ? 'unknown' : state];

const ANOTHER: Readonly<Record<LinkPurpose, Fragment>> = {
  verify: html`<a class="button primary" href="/signup">Get another link</a><a class="button" href="/login">Sign in</a>`,
  login: html`<a class="button primary" href="/login">Get another link</a>`,
  replace_key: html`<a class="button primary" href="/login">Sign in to replace the key</a>`,
  reset: html`<a class="button primary" href="/forgot">Get another link</a>`,
  change_email: html`<a class="button primary" href="/account/email">Enter the address again</a>`,
  undo_email: html`<a class="button primary" href="/login">Sign in</a>`,
};

/** The link works afterwards. */
export const signInFirstPage = (reason: string): AccountPage =>
  taskPage(
    'Sign in first',
    html`<p>${reason}</p><p class="actions"><a class="button primary" href="/login">Sign in</a></p>`,
  );

export const deadLinkPage = (purpose: LinkPurpose, reason: string): AccountPage =>
  taskPage('This link does not work', html`<p>${reason}</p><p class="actions">${ANOTHER[purpose]}</p>`);
