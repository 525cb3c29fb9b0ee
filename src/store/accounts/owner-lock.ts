// Locks before what is written of an owner: the owner's row first, then links, then sessions and browsers, so that no
// two of these wait for each other. A mailbox is locked where it may have no row yet, and before links that no account
// has.
import type { ClientBase } from 'pg';

/** Null: the account has no owner. In a transaction of the caller's. */
export async function lockOwner(
  client: ClientBase,
  accountId: string,
): Promise<{ readonly passwordHash: string | null } | null> {
  const text = 'SELECT password_hash AS "passwordHash" FROM account_owners WHERE account_id = $1 FOR NO KEY UPDATE';
  return (await client.query<{ passwordHash: string | null }>(text, [accountId])).rows[0] ?? null;
}

/**
 * What is decided by what a mailbox has, its account or its links, comes one after the other. In a transaction of the
 * caller's.
 */
export async function lockMailboxes(client: ClientBase, mailboxes: readonly string[]): Promise<void> {
  // An address that is its own mailbox has the lock that the release before took for it.
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended(mailbox, 0)) FROM unnest($1::text[]) mailbox', [
    mailboxes,
  ]);
}
