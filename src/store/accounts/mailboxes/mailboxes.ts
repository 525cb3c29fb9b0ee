// Which account a mailbox belongs to. Unique in the database, so no two processes can open two accounts for one
// mailbox; accounts that existed before this rule stay, and of those of one mailbox the oldest owns it.
import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../../pg/transaction';
import { lockMailboxes } from '../owner-lock';

/** The mailbox of an address. Pure. */
export type MailboxOf = (email: string) => string;

export interface MailboxStore {
  /** Computes the mailboxes of all owners that have none: those of the release before. Nothing if all have one. */
  fill(mailboxOf: MailboxOf): Promise<void>;
}

export const createMailboxStore = (pool: Pool): MailboxStore => ({
  fill: (mailboxOf) => fillMailboxes(pool, mailboxOf),
});

/** Each is a lock. */
const SOME = 200;
const WITHOUT = `
  SELECT account_id AS "accountId", email FROM account_owners WHERE mailbox IS NULL ORDER BY verified_at, account_id LIMIT ${SOME}`;

// Of the rows of one statement the first of a mailbox owns it.
const FILL = `
  UPDATE account_owners o
     SET mailbox = f.mailbox,
         owns_mailbox = f.is_first AND NOT EXISTS (SELECT FROM account_owners other WHERE other.mailbox = f.mailbox AND other.owns_mailbox)
    FROM (SELECT account_id, mailbox, row_number() OVER (PARTITION BY mailbox ORDER BY place) = 1 AS is_first
            FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY t (account_id, mailbox, place)) f
   WHERE o.account_id = f.account_id AND o.mailbox IS NULL`;

/** Before an account is opened: then every account of before is known by its mailbox. */
export async function fillMailboxes(pool: Pool, mailboxOf: MailboxOf): Promise<void> {
  while ((await pool.query(`SELECT FROM account_owners WHERE mailbox IS NULL LIMIT 1`)).rowCount === 1)
    await inTransaction(pool, (client) => fillSome(client, mailboxOf));
}

/**
 * One process at a time, so that the oldest owner is first. New accounts of the same mailboxes wait for the commit, or
 * come first.
 */
async function fillSome(client: ClientBase, mailboxOf: MailboxOf): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('account_owners without a mailbox', 0))`);
  const { rows } = await client.query<{ accountId: string; email: string }>(WITHOUT);
  const mailboxes = rows.map(({ email }) => mailboxOf(email));
  await lockMailboxes(client, mailboxes);
  await client.query(FILL, [rows.map(({ accountId }) => accountId), mailboxes]);
}
