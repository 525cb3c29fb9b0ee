// Credits in PostgreSQL: charged with the ledger line in one statement, for many calls at once (`charge_calls`).
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';
import { AUDIT } from './credit-audit';

/** What the ledger records of a charge. */
interface ChargeLine {
  /** A UUID of this charge alone: however often it is sent, it is charged once. */
  readonly id: string;
  readonly endpoint: string;
  /** First day of the UTC month of the call. */
  readonly period: string;
  readonly at: Instant;
}

/** What a month of the account has room for. */
export interface MonthlyCredits {
  /** Credits of the plan. */
  readonly allowance: number;
  /** Credits that may be billed beyond the allowance and the grants; 0 without overage. */
  readonly overage: number;
}

/** One answered call of a customer. */
export interface Charge extends ChargeLine, MonthlyCredits {
  readonly keyHash: Buffer;
  /** The key and its account as the call was judged by. */
  readonly epoch: number;
  readonly cost: number;
  /** It was sent before, and its outcome was lost. */
  readonly again?: boolean;
}

/** A charge that is taken back. */
export interface Return extends ChargeLine {
  readonly accountId: string;
  readonly keyId: string;
  /** The file's version, of a charge that its parts share: only taken back if no other part went under it, and then no part will. */
  readonly download?: string | undefined;
}

export type Charged =
  | ({ readonly verdict: 'charged' | 'spent' } & Balance)
  | { readonly verdict: 'changed' | 'revoked'; readonly used: null; readonly overage: null; readonly remaining: null };

/** Of an account and month, as committed. */
export interface Balance {
  readonly used: number;
  /** Of them, what is billed as overage. */
  readonly overage: number;
  /** What may still be used, overage included. */
  readonly remaining: number;
}

export interface BalanceQuery extends MonthlyCredits {
  readonly accountId: string;
  /** First day of a UTC month. */
  readonly period: string;
}

export interface CreditStore {
  /** One verdict per charge, in order. */
  charge(charges: readonly Charge[]): Promise<readonly Charged[]>;
  /** One per query, in order. */
  balances(queries: readonly BalanceQuery[]): Promise<readonly Balance[]>;
  /** Whether they were recorded or not; a charge that arrives later is not recorded either. May be repeated. */
  giveBack(returns: readonly Return[]): Promise<void>;
  /** Resolves to the granted credits that the account has left. */
  grant(grant: { accountId: string; credits: number; reason: string; period: string; at: Instant }): Promise<number>;
  /** What the ledger and the balances disagree on, a sentence each. */
  audit(): Promise<readonly string[]>;
  /** Turns the months before this one (its first day) into sums, which the audit goes on checking (D41). Resolves to the lines that went. */
  close(before: string): Promise<number>;
}

const CHARGE = 'SELECT * FROM charge_calls($1) ORDER BY place';

/** The figures of `charge_accounts`. LIMIT: by the index, however many accounts there are and queries are expected. */
const BALANCES = `
  SELECT COALESCE(b.used, 0) AS used, COALESCE(b.overage, 0) AS overage,
         greatest(0, q.allowance - COALESCE(b.of_plan, 0)) + COALESCE(g.remaining, 0) + greatest(0, q.overage - COALESCE(b.overage, 0)) AS remaining
    FROM json_to_recordset($1) AS q (place integer, account_id uuid, period date, allowance bigint, overage bigint)
    LEFT JOIN LATERAL (
      SELECT used, overage, used - from_grants - overage AS of_plan
        FROM credit_balances WHERE account_id = q.account_id AND period = q.period LIMIT 1) b ON true
    LEFT JOIN LATERAL (SELECT remaining FROM credit_grants WHERE account_id = q.account_id LIMIT 1) g ON true
   ORDER BY q.place`;

/** One statement, so that no download ends whose charge is not returned: its next part would be charged again. */
const GIVE_BACK = `
  WITH ended AS (
    UPDATE bulk_downloads d SET charged = false, begun_at = '-infinity'
      FROM json_to_recordset($1) AS c (charge_id uuid, account_id uuid, download text)
     WHERE d.account_id = c.account_id AND d.name = c.download AND d.charge_id = c.charge_id AND NOT d.shared
    RETURNING d.charge_id)
  SELECT return_credits(json_agg(e.call)) FROM json_array_elements($1) AS e (call)
   WHERE e.call ->> 'download' IS NULL OR (e.call ->> 'charge_id')::uuid IN (SELECT charge_id FROM ended)`;

export function createCreditStore(pool: Pool): CreditStore {
  return {
    async charge(charges) {
      const calls = charges.map(({ id, keyHash, endpoint, ...call }, place) => ({
        ...{ ...call, place, charge_id: id, key: keyHash.toString('hex'), subject: endpoint },
      }));
      const query = { name: 'charge-calls', text: CHARGE, values: [JSON.stringify(calls)] };
      return (await pool.query<Charged>(query)).rows;
    },
    async balances(queries) {
      const all = queries.map(({ accountId, ...query }, place) => ({ ...query, place, account_id: accountId }));
      const query = { name: 'balances', text: BALANCES, values: [JSON.stringify(all)] };
      return (await pool.query<Balance>(query)).rows;
    },
    async giveBack(returns) {
      const calls = returns.map(({ id, accountId, keyId, endpoint, ...line }) => ({
        ...{ ...line, charge_id: id, account_id: accountId, key_id: keyId, subject: endpoint },
      }));
      await pool.query(GIVE_BACK, [JSON.stringify(calls)]);
    },
    async grant({ accountId, credits, reason, period, at }) {
      const text = 'SELECT grant_credits($1, $2, $3, $4, $5) AS remaining';
      const { rows } = await pool.query<{ remaining: number }>(text, [accountId, credits, reason, period, at]);
      return rows[0]!.remaining;
    },
    async audit() {
      const { rows } = await pool.query<{ account_id: string; fault: string }>(AUDIT);
      return rows.map(({ account_id, fault }) => `account ${account_id}, ${fault}`);
    },
    async close(before) {
      return (await pool.query<{ lines: number }>('SELECT close_credits($1) AS lines', [before])).rows[0]!.lines;
    },
  };
}
