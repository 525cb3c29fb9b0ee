// Notices about the security of an account. The mail says what happened, when, from where, and what to do if the owner
// did not do it; the event says what a program can use. Neither has a key, a password or a label that somebody typed:
// keys are named by their last four characters.
import { accountEvent } from '../../domain/events/account-event';
import { publicKeyId } from '../../plans/key-id';
import type { NewMail } from '../../store/accounts/mails';
import type { NoticeOf } from '../../store/accounts/notices/notice';
import type { PasskeyNotice } from '../../store/accounts/passkeys/passkeys';
import type { Replacement } from '../../store/keys/key-replacement';
import type { TeamKeyStore } from '../../store/keys/team-keys';
import { browserName } from '../mail/browser-name';
import { mailTo, paragraphs, type Text, timeOf } from '../mail/texts';
import { PAGES } from '../pages';
import type { SentFrom, Visitor } from '../visitor';

/** The act of a request. */
interface Act {
  readonly baseUrl: string;
  readonly from: SentFrom;
  readonly nowMs: number;
}

type Draft = Text & {
  /** The fact alone, without the person who caused it. */
  readonly fact: string;
};

const NOTHING_TO_DO = 'If it was you, there is nothing to do.';

/** `isRevealed`: in place of one that was lost, and shown. */
export const keyReplaced = (act: Act, { isRevealed }: { readonly isRevealed: boolean }): Replacement['notice'] => ({
  mail: (email, { keyId, version, last4, previousValidUntil }) => {
    const what = isRevealed
      ? `A new key of your account was made in place of a lost one, and shown, ${whence(act)}. It ends in ${last4}.`
      : `A key of your account was replaced ${whence(act)}. The new key ends in ${last4}.`;
    return written(act, email, {
      subject: isRevealed ? 'A new API key was shown' : 'Your API key was replaced',
      fact: `key ${keyId} version ${version}`,
      body: paragraphs(`${what} ${graceOf(previousValidUntil)}`, ...endTheKey(act)),
    });
  },
  event: (key) => {
    const kind = isRevealed ? 'account.key_revealed' : 'account.key_rotated';
    return accountEvent(kind, key.at, { ...named(key), previous_valid_until: key.previousValidUntil });
  },
});

export const teamKeyAdded = (act: Act): Parameters<TeamKeyStore['add']>[1]['notice'] => ({
  mail: (email, { keyId, last4 }) =>
    written(act, email, {
      subject: 'A key was added to your account',
      fact: `key ${keyId} added`,
      body: paragraphs(
        `A key that ends in ${last4} was added to your account ${whence(act)}.`,
        `${NOTHING_TO_DO} If it was not, sign in, delete that key, and replace your own key without its day of grace:`,
        accountPage(act),
      ),
    }),
  event: (key) => accountEvent('account.key_added', instant(act), named(key)),
});

export const teamKeyEnded = (act: Act): Parameters<TeamKeyStore['end']>[3] => ({
  mail: (email, { keyId, last4 }) =>
    written(act, email, {
      subject: 'A key of your account was deleted',
      fact: `key ${keyId} ended`,
      body: paragraphs(
        `The key of your account that ended in ${last4} was deleted ${whence(act)}. Calls with it fail from then on.`,
        ...endTheKey(act),
      ),
    }),
  event: (key) => accountEvent('account.key_deleted', instant(act), named(key)),
});

export const addressesChanged = (act: Act): Parameters<TeamKeyStore['restrict']>[2]['notice'] => ({
  mail: (email, { keyId, last4, allowedAddresses: list }) =>
    written(act, email, {
      subject: 'The allowed addresses of a key were changed',
      fact: `key ${keyId} addresses ${act.nowMs} ${list.join()}`,
      body: paragraphs(
        `The addresses that may use the key of your account that ends in ${last4} were changed ${whence(act)}.`,
        list.length === 0 ? 'Every address may use it now.' : `Only these may use it now:\n${list.join('\n')}`,
        ...endTheKey(act),
      ),
    }),
  event: (key) => {
    const facts = { ...named(key), is_restricted: key.allowedAddresses.length > 0 };
    return accountEvent('account.key_addresses_changed', instant(act), facts);
  },
});

export const passwordChanged = (act: Act): NoticeOf => ({
  mail: (email) =>
    written(act, email, {
      subject: 'Your password was changed',
      fact: `password ${email} ${act.nowMs}`,
      body: paragraphs(
        `The password of your account was changed ${whence(act)}. Every other device was signed out.`,
        `${NOTHING_TO_DO} If it was not, set a new password now, with a link that is mailed to you:`,
        `${act.baseUrl}${PAGES.forgot}`,
      ),
    }),
  event: () => accountEvent('account.password_changed', instant(act), {}),
});

/** Once a day for each network and kind of browser: a program that signs in for every call is one new browser. */
export const newBrowser = (act: Act & { readonly from: Visitor }): NoticeOf => ({
  mail: (email) =>
    written(act, email, {
      subject: 'A sign-in from a new browser',
      fact: `browser ${email} ${act.from.network} ${browserName(act.from.userAgent)} ${instant(act).slice(0, 10)}`,
      body: paragraphs(
        `Your account was signed in to ${whence(act)}, where it was not signed in before.`,
        `${NOTHING_TO_DO} If it was not, set a new password, which signs every other device out, with a link that is mailed to you:`,
        `${act.baseUrl}${PAGES.forgot}`,
        'Then replace your API key, without its day of grace, and remove passkeys that you do not know, on the page of your account.',
      ),
    }),
  event: () => accountEvent('account.new_browser', instant(act), { browser: browserName(act.from.userAgent) }),
});

export const passkeyAdded = (act: Act): PasskeyNotice => ({
  mail: (email, { passkeyId }) =>
    written(act, email, {
      subject: 'A passkey was added to your account',
      fact: `passkey added ${passkeyId} ${act.nowMs}`,
      body: paragraphs(
        `A passkey was added to your account ${whence(act)}. It signs in without a password.`,
        ...endThePasskey(act),
      ),
    }),
  event: ({ passkeyId }) => accountEvent('account.passkey_added', instant(act), { passkey_id: passkeyId }),
});

export const passkeyRemoved = (act: Act): PasskeyNotice => ({
  mail: (email, { passkeyId }) =>
    written(act, email, {
      subject: 'A passkey of your account was removed',
      fact: `passkey removed ${passkeyId} ${act.nowMs}`,
      body: paragraphs(
        `A passkey of your account was removed ${whence(act)}. It signs in no more.`,
        ...endThePasskey(act),
      ),
    }),
  event: ({ passkeyId }) => accountEvent('account.passkey_removed', instant(act), { passkey_id: passkeyId }),
});

/** Once until the passkey signs in again. */
export const passkeyCopied = (act: Act): NoticeOf<{ readonly passkeyId: string; readonly counter: number }> => ({
  mail: (email, { passkeyId, counter }) =>
    written(act, email, {
      subject: 'A sign-in with a passkey was refused',
      fact: `passkey copied ${passkeyId} ${counter}`,
      body: paragraphs(
        `A sign-in to your account was refused ${whence(act)}. The signature of its passkey was right, but the passkey counts fewer sign-ins than it did before, as a copy of it would.`,
        'Sign in by your password or by a link that is mailed to you, remove the passkey, and add a new one:',
        passkeyPage(act),
      ),
    }),
  event: ({ passkeyId }) => accountEvent('account.passkey_refused', instant(act), { passkey_id: passkeyId }),
});

const named = ({ keyId, last4 }: { readonly keyId: string; readonly last4: string }) => ({
  key_id: publicKeyId(keyId),
  last4,
});

const written = ({ nowMs }: Act, email: string, { fact, ...text }: Draft): NewMail => ({
  ...mailTo(email, text, nowMs),
  fact,
});

const instant = ({ nowMs }: Act): string => new Date(nowMs).toISOString();

/** When, from which address and with which browser, as far as they are known. */
function whence(act: Act): string {
  const { address, userAgent } = act.from;
  const browser = browserName(userAgent);
  const parts = [`on ${timeOf(instant(act))}`, address && `from ${address}`, browser && `with ${browser}`];
  return parts.filter(Boolean).join(', ');
}

const graceOf = (previousValidUntil: string | null): string =>
  previousValidUntil === null
    ? 'The key before it does not work any more.'
    : `The key before it works until ${timeOf(previousValidUntil)}.`;

const accountPage = ({ baseUrl }: Act): string => `${baseUrl}${PAGES.account}`;

const passkeyPage = ({ baseUrl }: Act): string => `${baseUrl}${PAGES.passkeys}`;

const endThePasskey = (act: Act): readonly string[] => [
  `${NOTHING_TO_DO} If it was not, set a new password, which signs every other device out, and remove passkeys that you do not know:`,
  passkeyPage(act),
];

const endTheKey = (act: Act): readonly string[] => [
  `${NOTHING_TO_DO} If it was not, sign in, replace your key without its day of grace, and delete keys that you do not know:`,
  accountPage(act),
];
