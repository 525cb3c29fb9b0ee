// A mailbox has one free allowance a month, whatever accounts it closes or leaves: what an account used in a month in
// which it had the mailbox counts for the next account of the mailbox, as one line of its ledger: one that opens there,
// or that changes its address to it. Of the mailbox a digest is kept until the month ends.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { monthlyCreditsOf } from '../../plans/overage';
import { chargeWithin } from '../credits/charge-within';

interface OfMailbox {
  readonly accountId: string;
  readonly mailbox: string;
  /** First day of the UTC month. */
  readonly period: string;
}

const DIGEST = `sha256(convert_to($2, 'UTF8'))`;
const REMEMBER = `
  INSERT INTO closed_mailboxes AS c (account_id, mailbox_digest, period) VALUES ($1, ${DIGEST}, $3)
  ON CONFLICT (account_id, mailbox_digest) DO UPDATE SET period = GREATEST(c.period, EXCLUDED.period)`;
/** The most that another account of the mailbox used of its allowance. */
const USED = `
  SELECT COALESCE(max(b.used - b.from_grants - b.overage), 0)::integer AS used
    FROM closed_mailboxes c JOIN credit_balances b USING (account_id, period)
   WHERE c.account_id <> $1 AND c.mailbox_digest = ${DIGEST} AND c.period = $3`;
/** In the order of `charge_accounts`: a call of the account comes before or after, and is counted. */
const LOCK_BALANCE: readonly string[] = [
  'SELECT FROM credit_grants WHERE account_id = $1 AND $2::date IS NOT NULL FOR UPDATE',
  'INSERT INTO credit_balances (account_id, period) VALUES ($1, $2) ON CONFLICT DO NOTHING',
];
const OWN = `
  SELECT (used - from_grants - overage)::integer AS used FROM credit_balances WHERE account_id = $1 AND period = $2 FOR UPDATE`;
/** The primary key stays, with its id, even after it ended. A plan that is paid for has its own credits. */
const PRIMARY_KEY = `
  SELECT key_id AS "keyId" FROM api_keys JOIN accounts a USING (account_id) WHERE account_id = $1 AND is_primary AND a.plan = 'free' LIMIT 1`;

/** In the transaction in which the account leaves the mailbox: it is closed, or its address changes. */
export async function rememberUse(client: ClientBase, { accountId, mailbox, period }: OfMailbox): Promise<void> {
  await client.query(REMEMBER, [accountId, mailbox, period]);
}

interface Arrival extends OfMailbox {
  readonly at: Instant;
  /** Of the link by which the account changes its address; null: the account is opened. */
  readonly linkHash: Buffer | null;
}

/**
 * In the transaction in which the account gets the mailbox, which is locked, as its last statement. What the account
 * has used itself is not charged again.
 */
export async function carryUse(
  client: ClientBase,
  { accountId, mailbox, period, at, linkHash }: Arrival,
): Promise<void> {
  const earlier = await client.query<{ used: number }>(USED, [accountId, mailbox, period]);
  const used = Math.min(earlier.rows[0]!.used, monthlyCreditsOf({ plan: 'free', overage: false }).allowance);
  if (used === 0) return;
  for (const text of LOCK_BALANCE) await client.query(text, [accountId, period]);
  const own = await client.query<{ used: number }>(OWN, [accountId, period]);
  const cost = used - own.rows[0]!.used;
  if (cost <= 0) return;
  const [free] = (await client.query<{ keyId: string }>(PRIMARY_KEY, [accountId])).rows;
  if (!free) return;
  const businessKey = ['earlier use', accountId, ...(linkHash ? [linkHash.toString('hex')] : [])].join(' ');
  const charge = { businessKey, accountId, keyId: free.keyId, endpoint: SUBJECT, cost, period, at };
  await chargeWithin(client, charge, monthlyCreditsOf);
}

/** In the place of an endpoint. */
const SUBJECT = 'closed account';
