// Locks before what is written of an owner: the owner's row first, then links, then sessions and browsers, so that no two of these wait for each
// other. An address is locked where it may have no row yet.
import type { ClientBase } from 'pg';

/** Null: the account has no owner. In a transaction of the caller's. */
export async function lockOwner(
  client: ClientBase,
  accountId: string,
): Promise<{ readonly passwordHash: string | null } | null> {
  const text = 'SELECT password_hash AS "passwordHash" FROM account_owners WHERE account_id = $1 FOR NO KEY UPDATE';
  return (await client.query<{ passwordHash: string | null }>(text, [accountId])).rows[0] ?? null;
}

/** What is decided by what an address has, its account or its links, comes one after the other. In a transaction of the caller's. */
export async function lockAddress(client: ClientBase, email: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended(lower($1), 0))', [email]);
}
