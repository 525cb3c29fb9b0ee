// The text of every mail: plain text, short. Nothing that a visitor typed is in a subject or a body, so our mail
// carries no text of strangers.
import { planNamed } from '../../plans/plans';
import type { MailList, NewMail } from '../../store/accounts/mails';
import { linkTo, PAGES } from '../pages';

export interface Text {
  readonly subject: string;
  readonly body: string;
  /** The body has the link that stops this list. Absent: it is about the account itself, and cannot be stopped. */
  readonly list?: MailList;
}

const NOT_YOU = 'If you did not ask for this, ignore this mail: nothing happens.';

export const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`;

/** A mail may be read days later, anywhere. */
export const timeOf = (at: string): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

const WEBHOOK_REASONS = {
  gone: 'its receiver responded with 410 (Gone)',
  failing: 'no delivery succeeded for five days, and attempts failed on each of them',
} as const;

/** `life`: how long the link works, for example `30 minutes`. */
export const TEXTS = {
  verify: (baseUrl: string, token: string, life: string, wanted: string): Text => ({
    subject: 'Confirm your email address',
    body: paragraphs(
      'Open this page and press the button to confirm your address. Your API key is then shown, once.',
      linkTo(baseUrl, 'verify', token),
      ...(wanted === 'free'
        ? []
        : [`Your account starts on the Free plan. The page leads on to the ${planNamed(wanted)!.title} plan.`]),
      `The link works for ${life}, once. ${NOT_YOU}`,
    ),
  }),
  hasAccount: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'You have an account already',
    body: paragraphs(
      'Someone signed up with this address, which has an account already. This page signs you in:',
      linkTo(baseUrl, 'loginLink', token),
      `The link works for ${life}, once. If you lost your key, replace it on your account’s page. ${NOT_YOU}`,
    ),
  }),
  login: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'Sign in',
    body: paragraphs(
      'Open this page and press the button to sign in:',
      linkTo(baseUrl, 'loginLink', token),
      `The link works for ${life}, once. ${NOT_YOU}`,
    ),
  }),
  reset: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'Set a new password',
    body: paragraphs(
      'Open this page to set a new password:',
      linkTo(baseUrl, 'reset', token),
      `The link works for ${life}, once. A new password signs every other device out. ${NOT_YOU}`,
    ),
  }),
  replaceKey: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'A new API key',
    body: paragraphs(
      'Keys are stored as a hash, so the one that you have cannot be sent. Open this page and press the button to get a new one, which is shown once:',
      linkTo(baseUrl, 'replaceKey', token),
      `The link works for ${life}, once. The old key works for 24 hours more. ${NOT_YOU}`,
    ),
  }),
  noAccount: (baseUrl: string): Text => ({
    subject: 'No account has this address',
    body: paragraphs(
      'Someone tried to sign in or to get a key with this address, which has no account. If it was you, try the address that you signed up with, or sign up:',
      `${baseUrl}${PAGES.signup}`,
      'Otherwise ignore this mail.',
    ),
  }),
  confirmAddress: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'Confirm your new address',
    body: paragraphs(
      'Open this page and press the button to use this address for your account:',
      linkTo(baseUrl, 'confirmAddress', token),
      `The link works for ${life}, once. ${NOT_YOU}`,
    ),
  }),
  addressTaken: (): Text => ({
    subject: 'Your address was entered for another account',
    body: paragraphs(
      'Someone wanted to use this address for another account. It has an account already, so nothing changes.',
      'If it was you, use another address, or close one of the two accounts first.',
    ),
  }),
  addressChanged: (baseUrl: string, token: string, life: string): Text => ({
    subject: 'The address of your account was changed',
    body: paragraphs(
      'Your account has another address now, which confirmed the change. Messages and sign-in links go there. If it was you, there is nothing to do.',
      'If it was not you, take the change back:',
      linkTo(baseUrl, 'undoAddress', token),
      `The link works for ${life}, once. It signs every device out, and removes the password and the passkeys: sign in by a link then, set a new one, and replace your keys.`,
    ),
  }),
  addressChangedAgain: (): Text => ({
    subject: 'The address of your account was changed again',
    body: paragraphs(
      'Your account has another address now, which confirmed the change. Messages and sign-in links go there.',
      'If it was not you, use the link that went to the address that your account had some days ago: it takes both changes back.',
    ),
  }),
  addressRestored: (): Text => ({
    subject: 'The change of your address was taken back',
    body: paragraphs(
      'The account that used this address has its earlier address again, by a link that was sent there. Every device is signed out.',
    ),
  }),
  closed: (baseUrl: string): Text => ({
    subject: 'Your account is closed',
    body: paragraphs(
      'Your account is closed: its keys, sessions, webhooks and widgets have ended, and so has its subscription. What was used beyond the plan is invoiced once more. Your personal data is deleted; invoices and the credit ledger stay, as tax law requires.',
      'This is the last mail about it. You can sign up with this address again:',
      `${baseUrl}${PAGES.signup}`,
    ),
  }),
  webhookDisabled: (baseUrl: string, webhookId: string, reason: 'gone' | 'failing'): Text => ({
    subject: 'A webhook was disabled',
    body: paragraphs(
      `Nothing is posted to your webhook ${webhookId} any more: ${WEBHOOK_REASONS[reason]}.`,
      'Its deliveries have the responses of your receiver. When the receiver works again, enable the webhook:',
      `GET ${baseUrl}/v1/webhooks/${webhookId}/deliveries\nPATCH ${baseUrl}/v1/webhooks/${webhookId} with {"paused": false}`,
      'Then replay what it missed. Its events are stored for 30 days, but for odds.change, whose prices are out of date by then. Each replay covers at most 24 hours and 10,000 events, and posts 20 a second:',
      `POST ${baseUrl}/v1/webhooks/${webhookId}/replay with {"from": "...", "to": "..."}`,
      'Or read the events now, without enabling it:',
      `GET ${baseUrl}/v1/webhooks/events?webhook_id=${webhookId}&after=<time>`,
    ),
  }),
  widgetNearLimit: (baseUrl: string, widgetId: string, fills: number, most: number): Text => ({
    subject: 'A widget has used 80 % of its month',
    body: paragraphs(
      `Your widget ${widgetId} was filled ${fills} times this month; its max_fills_per_month is ${most}. At the limit its readers get the last prices, until next month (UTC).`,
      'Raise the limit, or replace the public id if you do not know the readers:',
      `PATCH ${baseUrl}/v1/widgets/${widgetId} with {"max_fills_per_month": ...} or {"replace_embed_id": "..."}`,
    ),
  }),
};

const NOTICE_DAYS = 3;

export function mailTo(
  recipient: string,
  text: Text,
  nowMs: number,
  giveUpAt = nowMs + NOTICE_DAYS * 86_400_000,
): NewMail {
  return { recipient, ...text, at: new Date(nowMs).toISOString(), giveUpAt: new Date(giveUpAt).toISOString() };
}
