// An account's own use: one statement, so that every figure is of one instant.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

interface EndpointUse {
  readonly endpoint: string;
  readonly calls: number;
  readonly credits: number;
}

export interface Activity {
  readonly endpoint: string;
  readonly credits: number;
  readonly at: Instant;
}

export interface Usage {
  readonly used: number;
  /** The part that came from grants. */
  readonly fromGrants: number;
  /** The part that is billed as overage. */
  readonly overage: number;
  /** Remaining granted credits. */
  readonly granted: number;
  /** Most credits first. */
  readonly allTime: readonly EndpointUse[];
  readonly inPeriod: readonly EndpointUse[];
  /** From `since` on. */
  readonly inDays: readonly EndpointUse[];
  /** The last 20, newest first. */
  readonly recent: readonly Activity[];
  readonly recentInPeriod: readonly Activity[];
  /** Of the key. */
  readonly lastUsedAt: Instant | null;
  /** Of the owner; null: there is none. */
  readonly email: string | null;
}

interface UsageQuery {
  readonly accountId: string;
  readonly keyId: string;
  /** First day of a UTC month. */
  readonly period: string;
  /** A UTC day. */
  readonly since: string;
}

export interface UsageStore {
  usage(query: UsageQuery): Promise<Usage>;
}

const RECENT = 20;

const byEndpoint = (where: string): string => `
  (SELECT COALESCE(json_agg(e ORDER BY e.credits DESC, e.endpoint), '[]')
     FROM (SELECT subject AS endpoint, sum(calls) AS calls, sum(credits) AS credits FROM credit_usage
            WHERE account_id = $1 ${where} GROUP BY 1 HAVING sum(calls) > 0) e)`;

/** Without refunds. */
const recent = (where: string): string => `
  (SELECT COALESCE(json_agg(l), '[]')
     FROM (SELECT subject AS endpoint, credits,
                  to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
             FROM credit_ledger c
            WHERE account_id = $1 AND kind = 'charge' ${where}
              AND NOT EXISTS (SELECT FROM credit_ledger r WHERE r.charge_id = return_id(c.charge_id) AND r.period = c.period)
            ORDER BY period DESC, c.at DESC LIMIT ${RECENT}) l)`;

const USAGE = `
  SELECT COALESCE(b.used, 0) AS used, COALESCE(b.from_grants, 0) AS "fromGrants", COALESCE(b.overage, 0) AS overage, COALESCE(g.remaining, 0) AS granted,
         ${byEndpoint('')} AS "allTime",
         ${byEndpoint(`AND day >= $3::date AND day < $3::date + interval '1 month'`)} AS "inPeriod",
         ${byEndpoint('AND day >= $4::date')} AS "inDays",
         ${recent('')} AS recent,
         ${recent('AND period = $3')} AS "recentInPeriod",
         (SELECT max(last_at) FROM credit_usage WHERE account_id = $1 AND key_id = $2) AS "lastUsedAt",
         (SELECT email FROM account_owners WHERE account_id = $1) AS email
    FROM accounts a
    LEFT JOIN credit_balances b ON b.account_id = a.account_id AND b.period = $3
    LEFT JOIN credit_grants g ON g.account_id = a.account_id
   WHERE a.account_id = $1`;

export function createUsageStore(pool: Pool): UsageStore {
  return {
    async usage({ accountId, keyId, period, since }) {
      const query = { name: 'usage', text: USAGE, values: [accountId, keyId, period, since] };
      return (await pool.query<Usage>(query)).rows[0]!;
    },
  };
}
