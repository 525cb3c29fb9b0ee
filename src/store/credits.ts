// Credits in PostgreSQL: charged with the ledger line in one statement, for many calls at once (`charge_credits`).
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

/** One answered call of a customer. */
export interface Charge {
  readonly keyHash: Buffer;
  /** The key and its account as the call was judged by. */
  readonly epoch: number;
  readonly endpoint: string;
  readonly cost: number;
  /** Credits of the plan in a month. */
  readonly allowance: number;
  /** First day of the UTC month of the call. */
  readonly period: string;
  readonly at: Instant;
}

export type Charged =
  | { readonly verdict: 'charged' | 'spent'; readonly used: number; readonly remaining: number }
  | { readonly verdict: 'changed' | 'revoked'; readonly used: null; readonly remaining: null };

export interface CreditStore {
  /** One verdict per charge, in order. */
  charge(charges: readonly Charge[]): Promise<readonly Charged[]>;
  /** Resolves to the granted credits that the account has left. */
  grant(grant: { accountId: string; credits: number; reason: string; period: string; at: Instant }): Promise<number>;
  /** What the ledger and the balances disagree on, a sentence each. */
  audit(): Promise<readonly string[]>;
}

const CHARGE = 'SELECT * FROM charge_credits($1, $2, $3, $4, $5, $6, $7) ORDER BY place';

const AUDIT = `
  WITH ledger AS (
         SELECT account_id, period, sum(credits) AS used, sum(from_grants) AS from_grants
           FROM credit_ledger WHERE kind = 'charge' GROUP BY 1, 2),
       grants AS (
         SELECT account_id, sum(CASE kind WHEN 'grant' THEN credits ELSE -from_grants END) AS remaining
           FROM credit_ledger GROUP BY 1)
  SELECT account_id, to_char(period, 'YYYY-MM') || ': ' || COALESCE(b.used, 0) || ' used, of which ' || COALESCE(b.from_grants, 0)
         || ' granted; the ledger has ' || COALESCE(l.used, 0) || ' and ' || COALESCE(l.from_grants, 0) AS fault
    FROM ledger l FULL JOIN credit_balances b USING (account_id, period)
   WHERE COALESCE(b.used, 0) <> COALESCE(l.used, 0) OR COALESCE(b.from_grants, 0) <> COALESCE(l.from_grants, 0)
   UNION ALL
  SELECT account_id, COALESCE(g.remaining, 0) || ' granted left; the ledger has ' || COALESCE(l.remaining, 0)
    FROM grants l FULL JOIN credit_grants g USING (account_id)
   WHERE COALESCE(g.remaining, 0) <> COALESCE(l.remaining, 0)
   UNION ALL
  SELECT account_id, to_char(day, 'YYYY-MM-DD') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the ledger has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM (SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, subject, count(*) AS calls, sum(credits) AS credits
            FROM credit_ledger WHERE kind = 'charge' GROUP BY 1, 2, 3, 4) l
    FULL JOIN credit_usage u USING (account_id, day, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   ORDER BY 1, 2`;

export function createCreditStore(pool: Pool): CreditStore {
  return {
    async charge(charges) {
      const values = [
        charges.map((each) => each.keyHash),
        charges.map((each) => each.epoch),
        charges.map((each) => each.endpoint),
        charges.map((each) => each.cost),
        charges.map((each) => each.allowance),
        charges.map((each) => each.period),
        charges.map((each) => each.at),
      ];
      const { rows } = await pool.query<Charged>({ name: 'charge-credits', text: CHARGE, values });
      return rows;
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
