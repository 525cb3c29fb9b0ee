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

/** Throws `validation` for a wrong password. An account without one needs none. */
async function provePassword(
  { passwords, guesses }: AccountParts,
  { email, passwordHash }: Owner,
  password: string | null,
  { network, cookies }: Visitor,
): Promise<void> {
  if (passwordHash === null) return;
  const guess = await guesses.begin({ network, email, knownBrowser: hashOf(cookies.session) });
  if (!(await passwords.verify(passwordHash, password ?? '', 'owners'))) throw wrongPassword();
  await guess.wasRight();
}

export const wrongPassword = () => invalid([{ pointer: '/password', detail: '/password is wrong.' }]);

const RECENT_MS = 15 * 60_000;

/** As `provePassword`. Throws `conflict` for an account without a password whose session is older. */
export async function proveOwner(
  parts: AccountParts,
  owner: Owner,
  password: string | null,
  visitor: Visitor,
): Promise<{ readonly session: Buffer }> {
  await provePassword(parts, owner, password, visitor);
  const session = hashOf(visitor.cookies.session);
  if (session === null) throw signInAgain();
  if (owner.passwordHash === null) await requireRecent(parts, session);
  return { session };
}

/** Throws `conflict` for a session that is older. */
export async function requireRecent(
  { sessions, wallMs }: Pick<AccountParts, 'sessions' | 'wallMs'>,
  session: Buffer,
): Promise<void> {
  const since = new Date(wallMs() - RECENT_MS).toISOString();
  if (!(await sessions.beganAfter(session, since))) throw signInAgain();
}

const signInAgain = (): AppError =>
  new AppError('conflict', 'You signed in more than 15 minutes ago. Sign out and in again, then repeat this.');
