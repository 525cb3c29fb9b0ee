// Passkeys of an owner: adding, naming and removing them, and signing in with one. The password and mailed links stay,
// so the last passkey can go. Every wrong try is answered alike: an unknown passkey, a wrong signature, a challenge
// that was used, has expired or belongs to another browser.
import { AppError } from '../../errors';
import type { ChallengePurpose } from '../../store/accounts/passkeys/challenges';
import { MOST_PASSKEYS, type OwnedPasskey, type PasskeyAdded } from '../../store/accounts/passkeys/passkeys';
import { takeMailRequest } from '../guesses';
import { newBrowser, passkeyAdded, passkeyCopied, passkeyRemoved } from '../notices/security-notices';
import { proveOwnerOfSession, wrongPassword } from '../owner-proof';
import type { AccountParts } from '../parts';
import { hashOf, hashToken, mintToken } from '../token';
import { newSession, type SessionCookies, type Visitor } from '../visitor';
import {
  creationOptions,
  newCredential,
  type PasskeyOptions,
  type PasskeyResponse,
  readResponse,
  relyingPartyOf,
  requestOptions,
  signedCounter,
} from './ceremony';

interface PasskeyWish {
  readonly accountId: string;
  /** Needed if the account has one. */
  readonly password: string | null;
}

/** A try to sign in. */
export interface PasskeyTry {
  readonly options: PasskeyOptions;
  /** A cookie of the browser that tries: only with it the response counts. */
  readonly token: string;
  readonly seconds: number;
}

const LIFE_MS = 5 * 60_000;

export function createPasskeys(parts: AccountParts) {
  const { passkeys, counts, wallMs, random, guesses, baseUrl, mailWritten } = parts;
  return {
    passkeys: (accountId: string): Promise<readonly OwnedPasskey[]> => passkeys.list(accountId),
    ...adding(parts),

    async renamePasskey(accountId: string, passkeyId: string, label: string): Promise<void> {
      if (!(await passkeys.rename(accountId, passkeyId, label))) throw unknown();
    },

    async removePasskey({ accountId, password, passkeyId }: PasskeyWish & { passkeyId: string }, visitor: Visitor) {
      const owner = await ownerOf(parts, accountId);
      const { session } = await proveOwnerOfSession(parts, owner, password, visitor);
      await takeMailRequest(counts, visitor.network);
      const notice = passkeyRemoved({ baseUrl, from: visitor, nowMs: wallMs() });
      const { passwordHash } = owner;
      const done = await passkeys.remove({ accountId, passkeyId, passwordHash, session, notice });
      if (done === 'changed') throw wrongPassword();
      if (done === 'unknown') throw unknown();
      mailWritten();
    },

    async requestPasskey({ network }: Visitor): Promise<PasskeyTry> {
      const site = relyingPartyOf(parts);
      await guesses.requestPasskey(network);
      const { token, hash } = mintToken(random);
      const challenge = await issue(parts, 'sign_in', hash);
      const options = await requestOptions({ site, challenge, timeoutMs: LIFE_MS });
      return { options, token, seconds: LIFE_MS / 1000 };
    },

    loginByPasskey: (response: string, visitor: Visitor) => loginByPasskey(parts, response, visitor),
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;

async function ownerOf({ owners }: AccountParts, accountId: string) {
  const found = await owners.ofAccount(accountId);
  if (!found || found.email === null)
    throw new AppError('conflict', 'This account was made by an operator and has no owner who could sign in.');
  return { email: found.email, passwordHash: found.passwordHash };
}

function adding(parts: AccountParts) {
  const { passkeys, counts, wallMs, guesses, baseUrl, mailWritten } = parts;
  return {
    async requestNewPasskey({ accountId, password }: PasskeyWish, visitor: Visitor): Promise<PasskeyOptions> {
      const site = relyingPartyOf(parts);
      const owner = await ownerOf(parts, accountId);
      await guesses.requestPasskey(visitor.network);
      const { session } = await proveOwnerOfSession(parts, owner, password, visitor);
      const present = (await passkeys.list(accountId)).map(({ credentialId }) => credentialId);
      if (present.length >= MOST_PASSKEYS) throw REFUSALS.full();
      const challenge = await issue(parts, 'add', session);
      return creationOptions({ site, challenge, timeoutMs: LIFE_MS }, { accountId, email: owner.email, present });
    },

    async addPasskey(
      { accountId, label, response }: { accountId: string; label: string; response: string },
      visitor: Visitor,
    ): Promise<void> {
      const site = relyingPartyOf(parts);
      await takeMailRequest(counts, visitor.network);
      const session = hashOf(visitor.cookies.session);
      const read = readResponse(response);
      // The challenge was issued to this session, after the owner had proved to be the owner.
      const isOpen = read && session && (await use(parts, 'add', read, session));
      const credential = isOpen ? await newCredential(site, read) : null;
      if (session === null || credential === null) throw NOT_ADDED();
      const nowMs = wallMs();
      const notice = passkeyAdded({ baseUrl, from: visitor, nowMs });
      const at = new Date(nowMs).toISOString();
      const done = await passkeys.add({ accountId, label, ...credential, at, session, notice });
      if (done !== 'added') throw REFUSALS[done]();
      mailWritten();
    },
  };
}

async function loginByPasskey(parts: AccountParts, response: string, visitor: Visitor): Promise<SessionCookies> {
  const { passkeys, guesses, random, wallMs, baseUrl, mailWritten } = parts;
  const site = relyingPartyOf(parts);
  const guess = await guesses.beginPasskey(visitor.network);
  const cookie = hashOf(visitor.cookies.passkey);
  const read = readResponse(response);
  if (read?.name == null || cookie === null || !(await use(parts, 'sign_in', read, cookie))) throw NOT_SIGNED_IN();
  const counter = await signedCounter(site, read, await passkeys.publicKey(read.name));
  if (counter === null) throw NOT_SIGNED_IN();
  const nowMs = wallMs();
  const { session, signedIn } = newSession(visitor, nowMs, random);
  const act = { baseUrl, from: visitor, nowMs };
  const wish = { ...read.name, counter, session, notice: newBrowser(act), copied: passkeyCopied(act) };
  const done = await passkeys.signIn(wish);
  if (done !== 'unknown') mailWritten();
  if (done !== 'signed_in') throw NOT_SIGNED_IN();
  await guess.wasRight();
  return signedIn(read.name.accountId);
}

const CHALLENGE_BYTES = 32;

async function issue(
  { passkeyChallenges, random, wallMs }: AccountParts,
  purpose: ChallengePurpose,
  cookieHash: Buffer,
): Promise<Buffer> {
  const challenge = random(CHALLENGE_BYTES);
  const expiresAt = new Date(wallMs() + LIFE_MS).toISOString();
  const challengeHash = hashToken(challenge.toString('base64url'));
  await passkeyChallenges.issue({ challengeHash, purpose, cookieHash, expiresAt });
  return challenge;
}

/** Before anything is verified: a wrong response uses the challenge up too. */
const use = (
  { passkeyChallenges, wallMs }: AccountParts,
  purpose: ChallengePurpose,
  { challenge }: PasskeyResponse,
  cookieHash: Buffer,
): Promise<boolean> =>
  passkeyChallenges.use({ challengeHash: hashToken(challenge), purpose, cookieHash }, new Date(wallMs()).toISOString());

/** As for a wrong password. */
const NOT_SIGNED_IN = (): AppError =>
  new AppError('unauthorized', 'The passkey did not sign you in. Try again, or sign in another way.');

const NOT_ADDED = (): AppError =>
  new AppError('conflict', 'The passkey was not added: the page was open for too long, or was used before. Try again.');

const REFUSALS: Readonly<Record<Exclude<PasskeyAdded, 'added'>, () => AppError>> = {
  taken: () => new AppError('conflict', 'Your account has this passkey already.'),
  full: () => new AppError('conflict', `An account may have ${MOST_PASSKEYS} passkeys. Remove one first.`),
  signed_out: NOT_ADDED,
};

const unknown = (): AppError => new AppError('not_found', 'Your account has no such passkey.');
