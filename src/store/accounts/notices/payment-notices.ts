// What an account's owner is to know of its payments and was not mailed about: levels, each compared with its mark.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { inTransaction } from '../../pg/transaction';
import type { Sealer } from '../../secrets/sealer';
import { isAfterMark, noticeLevel, ownerAndMark, presentAddress, type Unmailed, writeNotice } from './marks';
import type { Notice } from './notice';

/** `fact`: since when the first unpaid invoice is open. */
interface Unpaid extends Unmailed {
  readonly plan: string;
}

interface PlanChange {
  readonly accountId: string;
  readonly email: string | null;
  readonly changeId: string;
  readonly at: Instant;
  /** The plan that the owner knows. */
  readonly before: string;
  readonly after: string;
  /** The plan before is not paid since then, for too long; null: it ended for another reason. */
  readonly lapsedSince: Instant | null;
}

/** `fact`: the first day of the UTC month. */
interface OverageBegun extends Unmailed {
  readonly plan: string;
  readonly credits: number;
  /** Of the account's last charge in the month. */
  readonly lastAt: Instant;
}

/** `fact`: when overage was switched off. */
interface OverageEnded extends Unmailed {
  /** `YYYY-MM` of the overage that is not paid. */
  readonly month: string;
  /** Null: it could not be invoiced. */
  readonly invoicedAt: Instant | null;
}

export interface PaymentNoticeStore {
  /** Plans that are not paid, and go on. */
  unpaid(): Promise<readonly Unpaid[]>;
  planChanges(): Promise<readonly PlanChange[]>;
  /** In these UTC months, which begin on these days. */
  overageBegun(periods: readonly string[]): Promise<readonly OverageBegun[]>;
  overageEnded(): Promise<readonly OverageEnded[]>;
  /** Writes the notice, unless another process did. */
  mailed(kind: PaymentKind, of: Unmailed, notice: Notice): Promise<void>;
  /**
   * The same for a change of plan. One that was followed by another is left to that one. `notice` null: there is
   * nothing to say of it.
   */
  planMailed(change: Pick<PlanChange, 'accountId' | 'changeId'>, notice: Notice | null): Promise<void>;
}

type PaymentKind = 'unpaid' | 'overage_begun' | 'overage_ended';

const MOST = 200;

const SINCE = 'instant_text(b.unpaid_since)';
const UNPAID = `
  SELECT b.account_id AS "accountId", o.email, ${SINCE} AS fact, n.mailed AS mark, b.plan
    FROM billing_accounts b ${ownerAndMark('unpaid', 'b')}
   WHERE b.unpaid_since IS NOT NULL AND b.subscription_id IS NOT NULL AND ${isAfterMark(SINCE)}
   ORDER BY 1 LIMIT ${MOST}`;

const PLAN_CHANGES = `
  SELECT c.account_id AS "accountId", o.email, change_id AS "changeId", instant_text(changed_at) AS at, known_plan AS before, a.plan AS after,
         CASE WHEN b.has_lapsed THEN instant_text(b.unpaid_since) END AS "lapsedSince"
    FROM plan_changes c JOIN accounts a USING (account_id) LEFT JOIN account_owners o USING (account_id)
    LEFT JOIN billing_accounts b USING (account_id)
   ORDER BY changed_at LIMIT ${MOST}`;

const FIRST_DAY = `to_char(b.period, 'YYYY-MM-DD')`;
const OVERAGE_BEGUN = `
  SELECT b.account_id AS "accountId", o.email, ${FIRST_DAY} AS fact, n.mailed AS mark, a.plan, b.overage AS credits,
         (SELECT instant_text(max(at)) FROM credit_ledger l WHERE l.account_id = b.account_id AND l.period = b.period) AS "lastAt"
    FROM credit_balances b JOIN accounts a USING (account_id) ${ownerAndMark('overage_begun', 'b')}
   WHERE b.period = ANY ($1::date[]) AND b.overage > 0 AND ${isAfterMark(FIRST_DAY)}
   ORDER BY b.period, 1 LIMIT ${MOST}`;

const ENDED = 'instant_text(i.ended_overage_at)';
const OVERAGE_ENDED = `
  SELECT DISTINCT ON (i.account_id) i.account_id AS "accountId", o.email, ${ENDED} AS fact, n.mailed AS mark,
         to_char(i.period, 'YYYY-MM') AS month, instant_text(i.invoiced_at) AS "invoicedAt"
    FROM overage_invoices i ${ownerAndMark('overage_ended', 'i')}
   WHERE i.ended_overage_at IS NOT NULL AND ${isAfterMark(ENDED)}
   ORDER BY i.account_id, i.ended_overage_at DESC, i.period LIMIT ${MOST}`;

const KNOWS = 'DELETE FROM plan_changes WHERE account_id = $1 AND change_id = $2';

export function createPaymentNoticeStore(pool: Pool, sealer: Sealer): PaymentNoticeStore {
  return {
    unpaid: async () => (await pool.query<Unpaid>(UNPAID)).rows,
    planChanges: async () => (await pool.query<PlanChange>(PLAN_CHANGES)).rows,
    overageBegun: async (periods) => (await pool.query<OverageBegun>(OVERAGE_BEGUN, [periods])).rows,
    overageEnded: async () => (await pool.query<OverageEnded>(OVERAGE_ENDED)).rows,
    mailed: (kind, of, notice) => writeNotice(pool, sealer, kind, of, notice),
    planMailed: ({ accountId, changeId }, notice) =>
      inTransaction(pool, async (client) => {
        const recipient = await presentAddress(client, accountId);
        const { rowCount } = await client.query(KNOWS, [accountId, changeId]);
        if (rowCount !== 1 || notice === null) return;
        await noticeLevel(client, sealer, { accountId, recipient, fact: `plan ${changeId}` }, notice);
      }),
  };
}
