// What an owner does with an account: sign up, sign in, set a password, replace a lost key. Orchestration only:
// statements are in `store/accounts`, cookies and forms in `api`. The API's operations and the pages use the same
// interface. Wherever an address is given, the answer and the work are the same for one that has an account and for one
// that has none: only the mail differs, which its owner alone reads.
//
// Refusals are an `AppError`, whose message is a sentence for the customer:
//   validation (422)             an address or a password that cannot be used; `extensions.errors` points at the member
//   undeliverable_address (400) no mail reaches the address; `extensions.suggestion` is the one that was probably
//                               meant, if there is one
//   unauthorized (401)          a wrong address or password, the same for both; a passkey that does not sign in
//   not_found (404), gone (410) a link that does not exist; one that was used or has expired
//   rate_limit (429)            too many mails or wrong tries, with `extensions.retry_after_seconds`
//   unavailable (503)           too many people sign in at this moment
//
// The caller turns cookies into a `Visitor`, and a `SessionCookies` or `SignupToken` into cookies
// (`api/kernel/session/visitor.ts`). Keys and tokens are in results once, and never in a log, an error or the database.
import type { LinkStore } from '../store/accounts/links';
import type { MailList } from '../store/accounts/mails';
import type { OwnedAccount } from '../store/accounts/owners';
import type { StatementMonth } from '../store/credits/statement/days';
import { createCredentials, type PasswordChange, type ReplacedKey } from './credentials';
import { type AddressWish, createAddressChange } from './email/change-address';
import { createGuesses } from './guesses';
import { type ClosingOrder, createClosing } from './leaving/close-account';
import { createExports, type ExportStores } from './leaving/export-account';
import { createMailedLinks, type LinkView } from './mailed-links';
import type { AccountParts } from './parts';
import { createPasskeys, type Passkeys } from './passkeys/passkeys';
import { createSignIn } from './sign-in';
import { createSignup, type SignupForm, type SignupToken, type VerifiedAccount } from './signup';
import { createStatements, type StatementStores } from './statement/statements';
import type { SentFrom, SessionCookies, Visitor } from './visitor';

export interface Accounts extends Passkeys {
  /**
   * Mails a link to verify the address; an address with an account gets one to sign in. Keep the token in the browser:
   * `verify` looks for it.
   */
  signUp(form: SignupForm, visitor: Visitor): Promise<SignupToken>;
  /** What the page of a mailed link shows before its button is pressed. Changes nothing. */
  viewLink(token: string): Promise<LinkView>;
  /**
   * The button of `/verify`: creates the account, its owner, its key and a session, all or nothing. Pressed twice, the
   * second is `gone`.
   */
  verify(token: string, visitor: Visitor): Promise<VerifiedAccount>;
  login(credentials: { readonly email: string; readonly password: string }, visitor: Visitor): Promise<SessionCookies>;
  /** Mails a link to sign in. */
  askLogin(email: string, visitor: Visitor): Promise<void>;
  /** The button of `/login/link`. */
  loginByLink(token: string, visitor: Visitor): Promise<SessionCookies>;
  /** Mails a link to set a new password. */
  askReset(email: string, visitor: Visitor): Promise<void>;
  /** The form of `/reset`: sets the password, signs this browser in and every other one out. */
  reset(token: string, password: string, visitor: Visitor): Promise<SessionCookies>;
  /** Mails a link to replace the account's key. */
  askKeyReplacement(email: string, visitor: Visitor): Promise<void>;
  /** The button of `/replace-key`: the key before it works for 24 hours more. Starts no session. */
  replaceKey(token: string, from: SentFrom): Promise<ReplacedKey>;
  /** Throws `not_found`. An account that an operator made has no owner: `email` is null. */
  account(accountId: string): Promise<OwnedAccount>;
  /** Throws `conflict` for an account without an owner. */
  setMarketing(accountId: string, optIn: boolean): Promise<void>;
  /** Whether mails of a list are sent. Throws `conflict` for an account without an owner. */
  setMails(accountId: string, list: MailList, isOn: boolean): Promise<void>;
  /** From a session: signs every other device out. */
  setPassword(change: PasswordChange, visitor: Visitor): Promise<void>;
  /**
   * Mails a link to the new address; the same answer whether it has an account or not. Throws `validation` for a wrong
   * password.
   */
  askAddressChange(wish: AddressWish, visitor: Visitor): Promise<void>;
  /** The button of `/confirm-address`: the account has the address, and the old one gets a link that undoes it. */
  confirmAddress(token: string, by: string | null): Promise<void>;
  /** The button of `/undo-address`: signs every device out, and removes the password and the passkeys. */
  undoAddress(token: string): Promise<void>;
  /**
   * Ends everything that the account has, and forgets its owner, after the confirmation that the order is. Throws
   * `validation` for another address or a wrong password.
   */
  close(order: ClosingOrder, visitor: Visitor): Promise<void>;
  /** What is stored of the account, as one JSON document in pieces. Throws `not_found`, or `rate_limit`. */
  exported(accountId: string): Promise<AsyncGenerator<string>>;
  /** The months that have a statement, newest first; of those that are sums by now, their heads remain. */
  statementMonths(accountId: string): Promise<readonly StatementMonth[]>;
  /** Of the month that begins on this day, as CSV in pieces. Throws `not_found`, `gone`, or `rate_limit`. */
  statement(accountId: string, period: string): Promise<AsyncGenerator<string>>;
  /** The sums and the head of each closed day, as CSV. Throws `rate_limit`. */
  statementHeads(accountId: string): Promise<string>;
}

export type AccountDeps = Omit<AccountParts, 'mailedLinks' | 'guesses'> &
  ExportStores &
  StatementStores & { readonly links: LinkStore };

export function createAccounts(deps: AccountDeps): Accounts {
  const mailedLinks = createMailedLinks(deps);
  const parts: AccountParts = { ...deps, mailedLinks, guesses: createGuesses(deps.counts) };
  return {
    ...createSignup(parts),
    ...createSignIn(parts),
    ...createCredentials(parts),
    ...createPasskeys(parts),
    ...createAddressChange(parts),
    ...createClosing(parts),
    ...createExports(deps),
    ...createStatements(deps),
    viewLink: (token) => mailedLinks.view(token, deps.wallMs()),
  };
}
