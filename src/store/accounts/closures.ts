// Closes accounts: one transaction, after which no key, session, link, webhook, widget or job of the account works, and
// nothing personal is stored of it. Triggers (`account_is_open`, `key_has_account`) keep it so, whatever is under way.
// The ledger and the invoices stay under the account's id. What the payment provider has follows by the readings of
// billing, for which a closed account buys nothing.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { rememberUse } from './earlier-use';
import type { MailboxOf } from './mailboxes/mailboxes';
import { insertMail, type NewMail } from './mails';
import { lockMailboxes, lockOwner } from './owner-lock';
import { REMOVE_PASSKEYS } from './passkeys/passkeys';

interface Closure {
  readonly accountId: string;
  readonly at: Instant;
  /** The hash that was compared, null: the account has no password. Absent: an operator closes the account. */
  readonly passwordHash?: string | null;
  readonly mailboxOf: MailboxOf;
  /** First day of the UTC month. */
  readonly period: string;
  /** The last mail that the account gets. */
  readonly farewell: (email: string) => NewMail;
}

/** `changed`: the password is another one by now. */
export type Closed = 'closed' | 'closed_before' | 'changed';

export interface ClosureStore {
  /** A repeat changes nothing. */
  close(closure: Closure): Promise<Closed>;
}

const OWNER = 'SELECT email FROM account_owners WHERE account_id = $1';
/** Both rows in one statement, in the order in which a reading of billing locks them. */
const LOCK_BILLING =
  'SELECT FROM billing_accounts b JOIN accounts a USING (account_id) WHERE account_id = $1 FOR UPDATE';
/** The trigger on accounts changes the keys with it: what was judged by them before is not charged. */
const CLOSE = `
  UPDATE accounts SET closed_at = $2, plan = 'free', plan_by_operator = false, overage = false
   WHERE account_id = $1 AND closed_at IS NULL`;
/** The next pass reads the account, and ends what it buys. */
const READ_BILLING =
  'UPDATE billing_accounts SET due_at = LEAST(due_at, $2), customer_email = NULL WHERE account_id = $1';

/** Each by the account, and the instant. */
const END: readonly string[] = [
  // Jobs before their items, as deliveries lock them.
  'SELECT FROM backfill_jobs WHERE account_id = $1 AND $2::timestamptz IS NOT NULL ORDER BY job_id FOR NO KEY UPDATE',
  `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2), label = '', allowed_addresses = '{}' WHERE account_id = $1`,
  `UPDATE webhook_deliveries SET status = 'cancelled', settled_at = $2, error = 'The account is closed.'
    WHERE delivery_id IN (SELECT delivery_id FROM webhook_queue JOIN webhooks USING (webhook_id)
                           WHERE account_id = $1 AND leased_until IS NULL FOR UPDATE OF webhook_queue SKIP LOCKED)`,
  `UPDATE webhooks SET deleted_at = COALESCE(deleted_at, $2), url = 'https://closed.invalid/', secret = '', previous_secret = NULL,
          previous_until = NULL WHERE account_id = $1`,
  `UPDATE backfill_items i SET state = 'cancelled', settled_at = $2
    WHERE (i.job_id, i.place) IN (SELECT i.job_id, i.place FROM backfill_items i JOIN backfill_jobs j USING (job_id)
                                   WHERE j.account_id = $1 AND i.state = 'queued' ORDER BY i.job_id, i.place FOR UPDATE OF i)`,
];

const FORGET: readonly string[] = [
  'UPDATE backfill_jobs SET label = NULL WHERE account_id = $1',
  'DELETE FROM widgets WHERE account_id = $1',
  'DELETE FROM sessions WHERE account_id = $1',
  REMOVE_PASSKEYS,
  'DELETE FROM account_bookmakers WHERE account_id = $1',
  'DELETE FROM known_browsers WHERE account_id = $1',
  'DELETE FROM mailed_links WHERE account_id = $1',
  'DELETE FROM refused_calls WHERE account_id = $1',
  'DELETE FROM price_alerts WHERE account_id = $1',
  'DELETE FROM price_alert_days WHERE account_id = $1',
  'DELETE FROM refused_counts WHERE account_id = $1',
];

const FORGET_OWNER: readonly string[] = [
  // A link of another account's to this address, by which its owner may take a change back, stays.
  'DELETE FROM mailed_links WHERE lower(email) = lower($1) AND account_id IS NULL',
  'DELETE FROM mails WHERE lower(recipient) = lower($1)',
  'DELETE FROM account_owners WHERE email_key = lower($1)',
];

export function createClosureStore(pool: Pool, sealer: Sealer): ClosureStore {
  return { close: (closure) => inTransaction(pool, (client) => close(client, sealer, closure)) };
}

async function close(client: ClientBase, sealer: Sealer, closure: Closure): Promise<Closed> {
  const { accountId, at, passwordHash, mailboxOf, period, farewell } = closure;
  const owner = await lockOwner(client, accountId);
  if (owner && passwordHash !== undefined && owner.passwordHash !== passwordHash) return 'changed';
  const email = owner && (await client.query<{ email: string }>(OWNER, [accountId])).rows[0]!.email;
  const mailbox = email === null ? null : mailboxOf(email);
  // Links to the mailbox that are being written come first, and end, or find no owner.
  if (mailbox !== null) await lockMailboxes(client, [mailbox]);
  await client.query(LOCK_BILLING, [accountId]);
  if ((await client.query(CLOSE, [accountId, at])).rowCount === 0) return 'closed_before';
  await client.query(READ_BILLING, [accountId, at]);
  for (const text of END) await client.query(text, [accountId, at]);
  for (const text of FORGET) await client.query(text, [accountId]);
  if (email === null || mailbox === null) return 'closed';
  await rememberUse(client, { accountId, mailbox, period });
  for (const text of FORGET_OWNER) await client.query(text, [email]);
  await insertMail(client, sealer, farewell(email));
  return 'closed';
}
