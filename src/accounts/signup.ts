// Sign-up (D40): a mailed link proves the address, and the page that it opens creates the account. Nothing is created
// before.
import { invalid } from '../errors';
import { periodAt } from '../plans/credits';
import { requireAccountShare, takeAccountShare } from './account-share';
import { meantAddress } from './email/address';
import { mailboxOf } from './email/mailbox';
import { refuseThrowAway } from './email/throw-away';
import { undeliverable } from './email/undeliverable';
import { takeMailRequest } from './guesses';
import { newKey } from './keys/new-key';
import { refuseLink, requireAddress } from './mailed-links';
import type { AccountParts } from './parts';
import { passwordProblem } from './passwords';
import { hashOf, mintToken } from './token';
import { newSession, type SessionCookies, type Visitor } from './visitor';

export interface SignupForm {
  readonly email: string;
  /** Null: the owner signs in by mailed links. */
  readonly password: string | null;
  /** The plan that the customer wants: the account starts on Free, and its page leads on to this one. */
  readonly plan: string;
  /** Of the key. */
  readonly label: string;
  readonly marketingOptIn: boolean;
  readonly useCase: string | null;
  readonly useCaseNote: string | null;
  /** Code of the customer who recommended us. */
  readonly referral: string | null;
}

export interface SignupToken {
  /** A cookie of the browser that signs up: the password counts only if the same browser verifies. */
  readonly token: string;
  readonly seconds: number;
  /** The address that was perhaps meant, if this one looks mistyped. */
  readonly suggestion: string | null;
}

export interface VerifiedAccount {
  readonly signedIn: SessionCookies;
  readonly email: string;
  /** Shown once. */
  readonly key: string;
  /** `free`, or the plan to lead on to. */
  readonly wantedPlan: string;
  readonly referral: string | null;
  /** False: none was given, or another browser signed up. */
  readonly hasPassword: boolean;
}

const DAY_SECONDS = 86_400;

export function createSignup(parts: AccountParts) {
  const { redemptions, passwords, receivesMail, counts, random, wallMs, mailedLinks, baseUrl, versions } = parts;
  return {
    async signUp(form: SignupForm, { network, cookies }: Visitor): Promise<SignupToken> {
      const address = requireAddress(form.email);
      const weak =
        form.password === null ? null : passwordProblem(form.password, { email: address.email, baseUrl }, '/password');
      if (weak) throw invalid([weak]);
      refuseThrowAway(address);
      await takeMailRequest(counts, network);
      await requireAccountShare(counts, network);
      if ((await receivesMail(address.domain)) === 'no') throw undeliverable(address);
      const nowMs = wallMs();
      const wish = await mailedLinks.wish(address, hashOf(cookies.browser), nowMs);
      const passwordHash = form.password === null ? null : await passwords.hash(form.password);
      const { token, hash } = mintToken(random);
      const { plan, label, marketingOptIn, useCase, useCaseNote, referral } = form;
      const ofForm = { plan, label, marketingOptIn, useCase, useCaseNote, referral };
      const termsAcceptedAt = new Date(nowMs).toISOString();
      await mailedLinks.signUp(wish, { ...ofForm, passwordHash, termsAcceptedAt, versions }, hash);
      return { token, seconds: DAY_SECONDS, suggestion: meantAddress(address, 'perhaps') };
    },

    async verify(token: string, visitor: Visitor): Promise<VerifiedAccount> {
      const tokenHash = hashOf(token) ?? refuseLink('unknown');
      const nowMs = wallMs();
      const { state, purpose } = await mailedLinks.find(tokenHash, nowMs);
      if (purpose !== 'verify' || state !== 'open')
        refuseLink(purpose === 'verify' && state !== 'open' ? state : 'unknown');
      const { session, signedIn } = newSession(visitor, nowMs, random);
      const { key, hash, last4 } = newKey(random);
      const browserHash = hashOf(visitor.cookies.signup);
      const verification = {
        tokenHash,
        at: session.at,
        browserHash,
        key: { hash, last4 },
        session,
        mailboxOf,
        versions,
        period: periodAt(nowMs).id,
      };
      const giveBack = await takeAccountShare(counts, visitor.network);
      const verified = await redemptions.verify(verification).catch(givingBack(giveBack));
      if (typeof verified === 'string') {
        await giveBack();
        refuseLink(verified);
      }
      const { accountId, email, hasPassword, signup } = verified;
      const { plan, referral } = signup;
      return { signedIn: signedIn(accountId), email, key, wantedPlan: plan, referral, hasPassword };
    },
  };
}

/**
 * An account whose opening failed may be open all the same, if the answer of the database was lost: then the network
 * has one more that day.
 */
const givingBack =
  (giveBack: () => Promise<void>) =>
  async (error: unknown): Promise<never> => {
    await giveBack();
    throw error;
  };
