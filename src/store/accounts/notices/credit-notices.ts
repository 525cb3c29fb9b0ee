// Accounts that have used 80 or 100 percent of a month's credits, grants included and overage apart, and whose owners
// were not mailed about it. More credits than at the last mail count anew.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { inTransaction } from '../../pg/transaction';
import type { Sealer } from '../../secrets/sealer';
import { noticeLevel, presentAddress, setMark, type Unmailed } from './marks';
import type { Notice } from './notice';

interface CreditLevel extends Unmailed {
  readonly plan: string;
  readonly overage: boolean;
  readonly percent: 80 | 100;
  readonly used: number;
  readonly included: number;
  /** Of the account's last charge in the month. */
  readonly lastAt: Instant;
}

export interface CreditNoticeStore {
  /**
   * In the UTC month that begins on `period`. `allowances`: credits of a month by the stored name of a plan. An owner
   * who wants no such mails has no `email` here.
   */
  reached(period: string, allowances: ReadonlyMap<string, number>): Promise<readonly CreditLevel[]>;
  /** Writes the notice, unless another process did. After 100 percent none of 80 percent follows. */
  mailed(level: CreditLevel, notice: Notice): Promise<void>;
}

/** Of all that is included what is left, and the mark that both levels have then. */
const REACHED = `
  SELECT l.account_id AS "accountId", CASE WHEN o.credit_mails THEN o.email END AS email, fact, n.mailed AS mark, l.plan, l.overage, percent, used, included,
         (SELECT instant_text(max(at)) FROM credit_ledger c WHERE c.account_id = l.account_id AND c.period = $1::date) AS "lastAt"
    FROM (SELECT b.account_id, a.plan, a.overage, b.used - b.overage AS used, b.used - b.overage + room AS included,
                 CASE WHEN room = 0 THEN 100 ELSE 80 END AS percent,
                 to_char(b.period, 'YYYY-MM-DD ') || lpad((b.used - b.overage + room)::text, 15, '0') AS fact
            FROM credit_balances b JOIN accounts a USING (account_id)
            JOIN unnest($2::text[], $3::bigint[]) p (plan, allowance) ON p.plan = a.plan
            LEFT JOIN credit_grants g ON g.account_id = b.account_id
           CROSS JOIN LATERAL (SELECT GREATEST(0, allowance - (b.used - b.from_grants - b.overage)) + COALESCE(g.remaining, 0) AS room) r
           WHERE b.period = $1::date AND 5 * (b.used - b.overage) >= 4 * (b.used - b.overage + room) AND b.used > 0) l
    LEFT JOIN account_owners o ON o.account_id = l.account_id
    LEFT JOIN account_notices n ON n.account_id = l.account_id AND n.kind = 'credits_' || percent
   WHERE n.mailed IS NULL OR n.mailed < fact
   ORDER BY 1 LIMIT 200`;

/** The lower level is over too. */
const PASS_80 = `
  INSERT INTO account_notices AS n (account_id, kind, mailed) VALUES ($1, 'credits_80', $2)
  ON CONFLICT (account_id, kind) DO UPDATE SET mailed = GREATEST(n.mailed, EXCLUDED.mailed)`;

export function createCreditNoticeStore(pool: Pool, sealer: Sealer): CreditNoticeStore {
  return {
    async reached(period, allowances) {
      const values = [period, [...allowances.keys()], [...allowances.values()]];
      return (await pool.query<CreditLevel>(REACHED, values)).rows;
    },
    mailed: (level, notice) =>
      inTransaction(pool, async (client) => {
        const { accountId, percent, fact } = level;
        const recipient = await presentAddress(client, accountId);
        if (!(await setMark(client, `credits_${percent}`, level))) return;
        if (percent === 100) await client.query(PASS_80, [accountId, fact]);
        const of = { accountId, recipient, fact: `credits_${percent} ${accountId} ${fact}` };
        await noticeLevel(client, sealer, of, notice);
      }),
  };
}
