// Delivers one horse of a backfill job (D50): its row, the ledger line and the balance in one short transaction,
// without HTTP and without parsing. The row decides: it is delivered once and charged once, in any number of attempts.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { chargeWithin, type MonthlyCreditsOf } from '../credits/charge-within';
import { inTransaction } from '../pg/transaction';
import { type ItemId, SETTLED_AT } from './reading';

/** `gone`: it is no longer queued, or its page has to be read again. `spent`: too few credits; nothing was written. */
export type Delivery = 'delivered' | 'spent' | 'gone';

export interface DeliverAt {
  /** Race time. */
  readonly at: Instant;
  /** Wall time, and its month: credits (D37). */
  readonly wall: Instant;
  readonly period: string;
}

/** From our own runs, because the registry's page prints none (B 2.5). */
const TRAINERS = `(
        SELECT COALESCE(jsonb_object_agg(s.meeting_date::text, s.trainer), '{}') FROM stored_runs s
         WHERE s.category = 'horse' AND s.runner_key = i.runner_key AND s.status = 'ran' AND s.trainer IS NOT NULL
           AND s.meeting_date >= '2026-09-01')`;

/**
 * First in every transaction that settles a horse: a waiting one then sees the rows that the previous one committed.
 * Jobs are locked before their horses.
 */
const LOCK = { name: 'backfill-lock', text: 'SELECT FROM backfill_jobs WHERE job_id = $1 FOR NO KEY UPDATE' };

const DONE = {
  name: 'backfill-done',
  text: `
  UPDATE backfill_items i SET state = 'done', settled_at = ${SETTLED_AT}, fetched_at = f.fetched_at, form = f.form,
      trainers = ${TRAINERS}
    FROM horse_forms f, backfill_jobs j
   WHERE i.job_id = $1 AND i.place = $2 AND i.state = 'queued' AND f.runner_ref = i.page_ref AND j.job_id = i.job_id
  RETURNING i.account_id AS "accountId", j.key_id AS "keyId", j.price, i.runner_key AS horse`,
};

interface DoneRow {
  readonly accountId: string;
  readonly keyId: string;
  readonly price: number;
  readonly horse: string;
}

/** Names the operation in the ledger and in `/v1/usage`. */
const SUBJECT = 'submit_backfill';

class Spent extends Error {}

export function deliverHorse(
  pool: Pool,
  item: ItemId,
  when: DeliverAt,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<Delivery> {
  return inTransaction(pool, (client) => deliver(client, item, when, monthlyCreditsOf)).catch((error) => {
    if (error instanceof Spent) return 'spent';
    throw error;
  });
}

async function deliver(
  client: ClientBase,
  { jobId, place }: ItemId,
  { at, wall, period }: DeliverAt,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<Delivery> {
  await client.query({ ...LOCK, values: [jobId] });
  const row = (await client.query<DoneRow>({ ...DONE, values: [jobId, place, at] })).rows[0];
  if (!row) return 'gone';
  const { accountId, keyId, price, horse } = row;
  if (price === 0) return 'delivered';
  const charge = { businessKey: `backfill ${jobId} ${horse}`, accountId, keyId, endpoint: SUBJECT, cost: price };
  const { verdict } = await chargeWithin(client, { ...charge, period, at: wall }, monthlyCreditsOf);
  if (verdict === 'spent') throw new Spent();
  return 'delivered';
}

const BALANCE = {
  name: 'backfill-balance',
  text: `
  SELECT a.plan, a.overage AS "hasOverage", COALESCE(b.used - b.from_grants - b.overage, 0) AS used, COALESCE(b.overage, 0) AS overage,
      COALESCE(g.remaining, 0) AS granted
    FROM accounts a
    LEFT JOIN credit_balances b ON b.account_id = a.account_id AND b.period = $2
    LEFT JOIN credit_grants g ON g.account_id = a.account_id
   WHERE a.account_id = $1`,
};

interface BalanceRow {
  readonly plan: string;
  readonly hasOverage: boolean;
  /** From the plan's own credits. */
  readonly used: number;
  readonly overage: number;
  readonly granted: number;
}

/** What the account may still use in this month, including overage, computed as for a charge. */
export async function readRemaining(
  pool: Pool,
  accountId: string,
  period: string,
  monthlyCreditsOf: MonthlyCreditsOf,
): Promise<number> {
  const { rows } = await pool.query<BalanceRow>({ ...BALANCE, values: [accountId, period] });
  if (!rows[0]) return 0;
  const { plan, hasOverage, used, overage, granted } = rows[0];
  const monthly = monthlyCreditsOf({ plan, overage: hasOverage });
  return Math.max(0, monthly.allowance - used) + granted + Math.max(0, monthly.overage - overage);
}
