// Opens accounts: with a plan, a primary key and, if its address is given, an owner. One transaction. The key is a
// customer's, whatever opens it.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { fillMailboxes, type MailboxOf } from './mailboxes/mailboxes';
import { lockMailboxes } from './owner-lock';

interface AccountDraft {
  readonly plan: string;
  /** Of its key. */
  readonly label: string;
  readonly hash: Buffer;
  readonly last4: string;
  /** Of an owner who has proved it and has accepted the terms; null: the account has no owner. */
  readonly email: string | null;
  readonly mailboxOf: MailboxOf;
  /** The account is one of those of which a mailbox has one. */
  readonly onePerMailbox: boolean;
  readonly at: Instant;
}

export interface NewAccounts {
  /**
   * Resolves to the account's id, or to null if the address has an account; of those of which a mailbox has one, also
   * if another spelling has.
   */
  open(draft: AccountDraft): Promise<string | null>;
}

const OWNER = `
  WITH taken AS (SELECT FROM account_owners WHERE mailbox = $5 AND owns_mailbox)
  INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at, mailbox, owns_mailbox)
  SELECT $1, $2, $3, $4, $4, $5, NOT EXISTS (SELECT FROM taken) WHERE NOT ($6 AND EXISTS (SELECT FROM taken))
  ON CONFLICT (email_key) DO NOTHING`;

const KEY = `
  INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, account_id, is_primary) VALUES ($1, $2, $3, $4, $5, $6, true)`;

export function createNewAccounts(pool: Pool): NewAccounts {
  return {
    async open({ plan, label, hash, last4, email, mailboxOf, onePerMailbox, at }) {
      if (email !== null) await fillMailboxes(pool, mailboxOf);
      return inTransaction(pool, async (client) => {
        const text = 'INSERT INTO accounts (plan, created_at) VALUES ($1, $2) RETURNING account_id AS "accountId"';
        const { rows } = await client.query<{ readonly accountId: string }>(text, [plan, at]);
        const { accountId } = rows[0]!;
        if (email !== null) {
          const mailbox = mailboxOf(email);
          await lockMailboxes(client, [mailbox]);
          const owner = [accountId, email, email.toLowerCase(), at, mailbox, onePerMailbox];
          const { rowCount } = await client.query(OWNER, owner);
          if (rowCount === 0) throw new Taken();
        }
        await client.query(KEY, [hash, last4, label, plan, at, accountId]);
        return accountId;
      }).catch((error) => {
        if (error instanceof Taken) return null;
        throw error;
      });
    },
  };
}

/** Rolls the account back. */
class Taken extends Error {}
