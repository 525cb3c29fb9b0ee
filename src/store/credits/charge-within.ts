// Charges inside a caller's own transaction, with what it delivers (D50): both are committed, or neither. Once under
// its business key, whatever the month of a retry.
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import { idOfKey } from '../business-key';
import type { Charged, MonthlyCredits } from './credits';

export interface BusinessCharge {
  /** Identifies the delivery among all: `backfill <job> <horse>`. */
  readonly businessKey: string;
  readonly accountId: string;
  /** The key that the use counts for: that of the order. */
  readonly keyId: string;
  readonly endpoint: string;
  readonly cost: number;
  /** First day of the UTC month. */
  readonly period: string;
  readonly at: Instant;
}

/** The plan's room for a month, as stored. */
export type MonthlyCreditsOf = (account: { readonly plan: string; readonly overage: boolean }) => MonthlyCredits;

const ACCOUNT = 'SELECT plan, overage FROM accounts WHERE account_id = $1';
const CHARGE = 'SELECT * FROM charge_accounts(ARRAY(SELECT json_populate_record(NULL::credit_charge, $1)))';

/**
 * Locks the balance of the account until the transaction ends, so it is the transaction's last statement before its
 * commit. `spent`: nothing was written, and the transaction may continue. Resolves to `charged` for an earlier charge
 * too.
 */
export async function chargeWithin(
  client: ClientBase,
  { businessKey, accountId, keyId, endpoint, ...charge }: BusinessCharge,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<Extract<Charged, { used: number }>> {
  const account = await client.query<{ plan: string; overage: boolean }>(ACCOUNT, [accountId]);
  if (!account.rows[0]) throw new Error(`there is no account ${accountId}`);
  const { plan } = account.rows[0];
  const named = { charge_id: idOfKey(businessKey), account_id: accountId, key_id: keyId, subject: endpoint, plan };
  const call = { ...charge, ...named, ...monthlyCreditsOf(account.rows[0]), place: 0, once: true, again: false };
  return (await client.query(CHARGE, [JSON.stringify(call)])).rows[0];
}
