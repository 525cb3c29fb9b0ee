// Credits in PostgreSQL: charged with the ledger line in one statement, for many calls at once (`charge_credits`).
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

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

export interface CreditStore {
  /** One verdict per charge, in order. */
  charge(charges: readonly Charge[]): Promise<readonly Charged[]>;
  /** Whether they were recorded or not; a charge that arrives later is not recorded either. May be repeated. */
  giveBack(returns: readonly Return[]): Promise<void>;
  /** Resolves to the granted credits that the account has left. */
  grant(grant: { accountId: string; credits: number; reason: string; period: string; at: Instant }): Promise<number>;
  /** What the ledger and the balances disagree on, a sentence each. */
  audit(): Promise<readonly string[]>;
}

const CHARGE = 'SELECT * FROM charge_credits($1) ORDER BY place';

/** A return counts against its charge. */
const SIGNED = `CASE kind WHEN 'return' THEN -1 ELSE 1 END`;

const AUDIT = `
  WITH ledger AS (
         SELECT account_id, period, sum(${SIGNED} * credits) AS used, sum(${SIGNED} * from_grants) AS from_grants, sum(${SIGNED} * overage) AS overage
           FROM credit_ledger WHERE kind <> 'grant' GROUP BY 1, 2),
       grants AS (
         SELECT account_id, sum(CASE kind WHEN 'grant' THEN credits ELSE -${SIGNED} * from_grants END) AS remaining
           FROM credit_ledger GROUP BY 1)
  SELECT account_id, to_char(period, 'YYYY-MM') || ': ' || COALESCE(b.used, 0) || ' used, of which ' || COALESCE(b.from_grants, 0)
         || ' granted and ' || COALESCE(b.overage, 0) || ' overage; the ledger has ' || COALESCE(l.used, 0) || ', ' || COALESCE(l.from_grants, 0)
         || ' and ' || COALESCE(l.overage, 0) AS fault
    FROM ledger l FULL JOIN credit_balances b USING (account_id, period)
   WHERE COALESCE(b.used, 0) <> COALESCE(l.used, 0) OR COALESCE(b.from_grants, 0) <> COALESCE(l.from_grants, 0)
      OR COALESCE(b.overage, 0) <> COALESCE(l.overage, 0)
   UNION ALL
  SELECT account_id, COALESCE(g.remaining, 0) || ' granted left; the ledger has ' || COALESCE(l.remaining, 0)
    FROM grants l FULL JOIN credit_grants g USING (account_id)
   WHERE COALESCE(g.remaining, 0) <> COALESCE(l.remaining, 0)
   UNION ALL
  SELECT account_id, to_char(day, 'YYYY-MM-DD') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the ledger has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM (SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, subject, sum(${SIGNED}) FILTER (WHERE credits > 0) AS calls,
                 sum(${SIGNED} * credits) AS credits
            FROM credit_ledger WHERE kind <> 'grant' GROUP BY 1, 2, 3, 4) l
    FULL JOIN credit_usage u USING (account_id, day, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   ORDER BY 1, 2`;

export function createCreditStore(pool: Pool): CreditStore {
  return {
    async charge(charges) {
      const calls = charges.map(({ id, keyHash, endpoint, ...call }, place) => ({
        ...{ ...call, place, charge_id: id, key: keyHash.toString('hex'), subject: endpoint },
      }));
      const query = { name: 'charge-credits', text: CHARGE, values: [JSON.stringify(calls)] };
      return (await pool.query<Charged>(query)).rows;
    },
    async giveBack(returns) {
      const calls = returns.map(({ id, accountId, keyId, endpoint, ...line }) => ({
        ...{ ...line, charge_id: id, account_id: accountId, key_id: keyId, subject: endpoint },
      }));
      await pool.query('SELECT return_credits($1)', [JSON.stringify(calls)]);
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
  };
}
