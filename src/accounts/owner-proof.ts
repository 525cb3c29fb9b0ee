// That it is the owner who wants a change which a stranger at an open browser could want too: by the password; without
// one, where it matters, by a sign-in of the last minutes.
import { AppError, invalid } from '../errors';
import type { AccountParts } from './parts';
import { hashOf } from './token';
import type { Visitor } from './visitor';

interface Owner {
  readonly email: string;
  readonly passwordHash: string | null;
}

/** Throws `validation` for a wrong password, and `conflict` for an account without one whose session is older. */
export async function proveOwner(
  parts: AccountParts,
  { email, passwordHash }: Owner,
  password: string | null,
  { network, cookies }: Visitor,
): Promise<void> {
  const session = hashOf(cookies.session);
  if (passwordHash === null) return requireRecent(parts, session);
  const guess = await parts.guesses.begin({ network, email, knownBrowser: session });
  if (!(await parts.passwords.verify(passwordHash, password ?? '', 'owners'))) throw wrongPassword();
  await guess.wasRight();
}

export const wrongPassword = () => invalid([{ pointer: '/password', detail: '/password is wrong.' }]);

const RECENT_MS = 15 * 60_000;

/** As `proveOwner`, in a session. */
export async function proveOwnerOfSession(
  parts: AccountParts,
  owner: Owner,
  password: string | null,
  visitor: Visitor,
): Promise<{ readonly session: Buffer }> {
  await proveOwner(parts, owner, password, visitor);
  const session = hashOf(visitor.cookies.session);
  if (session === null) throw signInAgain();
  return { session };
}

/** Throws `conflict` for a session that is older. */
export async function requireRecent(
  { sessions, wallMs }: Pick<AccountParts, 'sessions' | 'wallMs'>,
  session: Buffer | null,
): Promise<void> {
  const since = new Date(wallMs() - RECENT_MS).toISOString();
  if (session === null || !(await sessions.beganAfter(session, since))) throw signInAgain();
}

const signInAgain = (): AppError =>
  new AppError('conflict', 'You signed in more than 15 minutes ago. Sign out and in again, then repeat this.');
