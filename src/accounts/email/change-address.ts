// Changes the address of an account: a link to the new address confirms it, and a link to the old one undoes it for a
// week. Nothing changes before the new address confirms. Whether it has an account only its own mail tells.
import { accountEvent } from '../../domain/events/account-event';
import { AppError, invalid } from '../../errors';
import { periodAt } from '../../plans/credits';
import type { AddressChanged } from '../../store/accounts/address-changes';
import { takeMailRequest } from '../guesses';
import { mailTo, TEXTS } from '../mail/texts';
import { LIVES, refuseLink, requireAddress } from '../mailed-links';
import { proveOwner } from '../owner-proof';
import type { AccountParts } from '../parts';
import { hashOf, mintToken } from '../token';
import type { Visitor } from '../visitor';
import { mailboxOf } from './mailbox';
import { refuseThrowAway } from './throw-away';
import { undeliverable } from './undeliverable';

export interface AddressWish {
  readonly accountId: string;
  /** The new one. */
  readonly email: string;
  /** Needed if the account has one. */
  readonly password: string | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function createAddressChange(parts: AccountParts) {
  const { addressChanges, random, wallMs, baseUrl, mailWritten } = parts;
  return {
    askAddressChange: (wish: AddressWish, visitor: Visitor): Promise<void> => askAddressChange(parts, wish, visitor),
    async confirmAddress(token: string, by: string | null): Promise<void> {
      const nowMs = wallMs();
      const undo = mintToken(random);
      const { ms, text } = LIVES.undo_email;
      requireChanged(
        await addressChanges.confirm({
          ...ofPress(token, nowMs, false),
          undo: { tokenHash: undo.hash, expiresAt: iso(nowMs + ms) },
          notice: (old) => mailTo(old, TEXTS.addressChanged(baseUrl, undo.token, text), nowMs, nowMs + ms),
          noticeAgain: (old) => mailTo(old, TEXTS.addressChangedAgain(), nowMs),
          by,
        }),
      );
      mailWritten();
    },
    async undoAddress(token: string): Promise<void> {
      const nowMs = wallMs();
      requireChanged(
        await addressChanges.undo({
          ...ofPress(token, nowMs, true),
          notice: (email) => mailTo(email, TEXTS.addressRestored(), nowMs),
        }),
      );
      mailWritten();
    },
  };
}

const ofPress = (token: string, nowMs: number, isUndo: boolean) => ({
  tokenHash: hashOf(token) ?? refuseLink('unknown'),
  at: iso(nowMs),
  mailboxOf,
  period: periodAt(nowMs).id,
  event: accountEvent('account.email_changed', iso(nowMs), { is_undo: isUndo }),
});

async function askAddressChange(parts: AccountParts, wish: AddressWish, visitor: Visitor): Promise<void> {
  const { network, cookies } = visitor;
  const { owners, counts, receivesMail, wallMs, mailedLinks } = parts;
  const { accountId, password } = wish;
  const { email: present, passwordHash } = (await owners.ofAccount(accountId)) ?? noOwner();
  if (present === null) noOwner();
  const address = requireAddress(wish.email);
  if (address.email.toLowerCase() === present.toLowerCase())
    throw invalid([{ pointer: '/email', detail: '/email is the address of this account already.' }]);
  refuseThrowAway(address);
  await proveOwner(parts, { email: present, passwordHash }, password, visitor);
  await takeMailRequest(counts, network);
  if ((await receivesMail(address.domain)) === 'no') throw undeliverable(address);
  const asked = await mailedLinks.wish(address, hashOf(cookies.browser), wallMs());
  await mailedLinks.changeAddress(asked, { accountId, present });
}

/** The link works, in a session of the account. */
export class NotSignedIn extends AppError {
  constructor() {
    super('conflict', 'Sign in to the account with its present address, then open the link again.');
  }
}

function requireChanged(done: AddressChanged): void {
  if (done === 'taken')
    throw new AppError('conflict', 'This address has an account of its own by now, so nothing was changed.');
  if (done === 'signed_out') throw new NotSignedIn();
  if (done !== 'changed') refuseLink(done);
}

function noOwner(): never {
  throw new AppError('conflict', 'This account was made by an operator and has no owner with an address.');
}
