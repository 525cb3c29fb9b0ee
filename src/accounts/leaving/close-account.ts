// Closes an account: by its owner, who types its address and, if it has one, its password; or by an operator. What ends
// is one transaction of the store.
import { AppError, invalid } from '../../errors';
import { periodAt } from '../../plans/credits';
import type { Closed, ClosureStore } from '../../store/accounts/closures';
import { mailboxOf } from '../email/mailbox';
import { mailTo, TEXTS } from '../mail/texts';
import { proveOwner, wrongPassword } from '../owner-proof';
import type { AccountParts } from '../parts';
import type { Visitor } from '../visitor';

export interface ClosingOrder {
  readonly accountId: string;
  /** As its owner types it. */
  readonly email: string;
  /** Needed if the account has one. */
  readonly password: string | null;
}

export function createClosing(parts: AccountParts) {
  const { owners, closures, wallMs, baseUrl, mailWritten } = parts;
  return {
    async close({ accountId, email: typed, password }: ClosingOrder, visitor: Visitor): Promise<void> {
      const { email, passwordHash } = (await owners.ofAccount(accountId)) ?? noOwner();
      if (email === null) noOwner();
      if (typed.trim().toLowerCase() !== email.toLowerCase())
        throw invalid([{ pointer: '/email', detail: '/email must be the address of this account.' }]);
      await proveOwner(parts, { email, passwordHash }, password, visitor);
      if ((await closeAccount({ closures, wallMs, baseUrl }, accountId, passwordHash)) === 'changed')
        throw wrongPassword();
      mailWritten();
    },
  };
}

interface ClosingDeps {
  readonly closures: ClosureStore;
  wallMs(): number;
  readonly baseUrl: string;
}

/** `passwordHash`: the one that was compared; absent: an operator closes the account. */
export function closeAccount(
  { closures, wallMs, baseUrl }: ClosingDeps,
  accountId: string,
  passwordHash?: string | null,
): Promise<Closed> {
  const nowMs = wallMs();
  return closures.close({
    ...{ accountId, at: new Date(nowMs).toISOString(), period: periodAt(nowMs).id, mailboxOf },
    ...(passwordHash !== undefined && { passwordHash }),
    farewell: (email) => mailTo(email, TEXTS.closed(baseUrl), nowMs),
  });
}

function noOwner(): never {
  throw new AppError('conflict', 'This account was made by an operator, who closes it.');
}
