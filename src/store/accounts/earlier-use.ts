// A mailbox has one free allowance a month, whatever accounts it closes or leaves: what an account used in a month in
// which it had the mailbox counts for the next account of the mailbox, as one line of its ledger. Of the mailbox a
// digest is kept until the month ends.
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
const USED = `
  SELECT COALESCE(max(b.used - b.from_grants - b.overage), 0)::integer AS used
    FROM closed_mailboxes c JOIN credit_balances b USING (account_id, period)
   WHERE c.account_id <> $1 AND c.mailbox_digest = ${DIGEST} AND c.period = $3`;

/** In the transaction in which the account leaves the mailbox: it is closed, or its address changes. */
export async function rememberUse(client: ClientBase, { accountId, mailbox, period }: OfMailbox): Promise<void> {
  await client.query(REMEMBER, [accountId, mailbox, period]);
}

/** In the transaction that opens the account, as its last statement. */
export async function carryUse(
  client: ClientBase,
  { accountId, mailbox, period, keyId, at }: OfMailbox & { readonly keyId: string; readonly at: Instant },
): Promise<void> {
  const { rows } = await client.query<{ used: number }>(USED, [accountId, mailbox, period]);
  const cost = Math.min(rows[0]!.used, monthlyCreditsOf({ plan: 'free', overage: false }).allowance);
  if (cost === 0) return;
  const charge = { businessKey: `earlier use ${accountId}`, accountId, keyId, endpoint: SUBJECT, cost, period, at };
  await chargeWithin(client, charge, monthlyCreditsOf);
}

/** In the place of an endpoint. */
const SUBJECT = 'closed account';
