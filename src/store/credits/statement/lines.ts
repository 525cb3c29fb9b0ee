// The lines of a closed day, a page at a time in short statements: a day may have millions, and a client that does not
// read holds no connection. Lines without credits stand in no statement.
import type { Pool } from 'pg';
import { publicKeyId } from '../../../plans/key-id';
import type { StatementLine } from './chain';

/** An account's month. */
export interface AccountMonth {
  readonly accountId: string;
  /** First day of the UTC month. */
  readonly period: string;
}

const PAGE = 1000;

/** The index has a month by time; lines of one instant stay on one page, in one order. `$4`: after this instant. */
const paged = (from: string, where: string): string => `
  SELECT c.at::text AS after, to_char(c.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, c.kind, c.subject AS operation,
         c.key_id::text AS key, COALESCE(c.charge_id::text, '') AS charge_id, c.credits, c.from_grants, c.overage,
         COALESCE(c.overage_plan, '') AS overage_plan
    FROM (SELECT c.* FROM ${from}
           WHERE c.period = $2::date AND c.credits > 0 AND c.at > $4::timestamptz AND ${where}
           ORDER BY c.at FETCH FIRST ${PAGE} ROWS WITH TIES) c
   ORDER BY c.at, c.charge_id NULLS FIRST, c.subject COLLATE "C", c.credits`;

/** Those are older than the lines of the day itself. */
const LATE = paged(
  'credit_late_lines l JOIN credit_ledger c USING (charge_id, period)',
  'l.account_id = $1 AND l.period = $2::date AND l.day = $3::date',
);
const IS_LATE =
  'SELECT FROM credit_late_lines l WHERE l.account_id = $1 AND l.period = $2 AND l.charge_id = c.charge_id';
const OF_DAY = paged(
  'credit_ledger c',
  `c.account_id = $1 AND c.at >= $3::date::timestamp AT TIME ZONE 'UTC' AND c.at < ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
             AND NOT EXISTS (${IS_LATE})`,
);

interface LedgerRow {
  readonly after: string;
  readonly at: string;
  readonly kind: 'charge' | 'grant' | 'return';
  readonly operation: string;
  readonly key: string | null;
  readonly charge_id: string;
  readonly credits: number;
  readonly from_grants: number;
  readonly overage: number;
  readonly overage_plan: string;
}

/** The lines that count on a day. */
export async function* linesOfDay(
  pool: Pool,
  { accountId, period }: AccountMonth,
  day: string,
): AsyncGenerator<readonly StatementLine[]> {
  for (const [name, text] of [
    ['late-lines', LATE],
    ['lines-of-day', OF_DAY],
  ] as const) {
    let after = '-infinity';
    for (;;) {
      const { rows } = await pool.query<LedgerRow>({ name, text, values: [accountId, period, day, after] });
      if (rows.length > 0) yield rows.map((row) => lineOf(day, row));
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.after;
    }
  }
}

function lineOf(day: string, row: LedgerRow): StatementLine {
  const { at, kind, operation, key, charge_id, credits, from_grants, overage, overage_plan } = row;
  const isGrant = kind === 'grant';
  const sign = kind === 'return' ? -1 : 1;
  // Without -0.
  const part = (amount: number): string => String(isGrant ? 0 : sign * amount || 0);
  return {
    ...{ day, at, kind, operation, key_id: key === null ? '' : publicKeyId(key), charge_id, overage_plan },
    ...{ used: part(credits), from_allowance: part(credits - from_grants - overage) },
    ...{ from_grants: part(from_grants), overage: part(overage), granted: String(isGrant ? credits : 0) },
    balance_effect: String(isGrant ? credits : -sign * credits),
  };
}

/** The first day after `$3` with lines; null: none. */
export const NEXT_DAY = `
  to_char(least(
    (SELECT (c.at AT TIME ZONE 'UTC')::date FROM credit_ledger c
      WHERE c.account_id = $1 AND c.period = $2 AND c.credits > 0 AND c.at >= ($3::date + 1)::timestamp AT TIME ZONE 'UTC'
        AND NOT EXISTS (${IS_LATE})
      ORDER BY c.at LIMIT 1),
    (SELECT min(l.day) FROM credit_late_lines l WHERE l.account_id = $1 AND l.period = $2 AND l.day > $3::date)), 'YYYY-MM-DD')`;
