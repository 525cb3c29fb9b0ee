// Which horse is read next for backfill jobs, under a lease so that no two workers read it, and the outcome of the read
// (D49, D52).
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';

export interface LeasedHorse {
  readonly key: string;
  /** First the code to read. */
  readonly refs: readonly string[];
}

/** One queued horse of one job. */
export interface ItemId {
  readonly jobId: string;
  readonly place: number;
}

export interface OwnedItem extends ItemId {
  readonly accountId: string;
}

/** Turns are taken one at a time, because two workers at once would take one account's turn twice. */
const IN_TURN = 'SELECT pg_advisory_xact_lock(57)';

const TAKE = {
  name: 'backfill-take',
  text: `
  WITH next AS (
    SELECT n.* FROM backfill_accounts a CROSS JOIN LATERAL (
      SELECT i.account_id, i.runner_key, i.refs FROM backfill_items i
       WHERE i.account_id = a.account_id AND i.state = 'queued' AND i.page_ref IS NULL
         AND (i.next_try_at IS NULL OR i.next_try_at <= $1)
         AND NOT EXISTS (SELECT FROM backfill_reads r WHERE r.runner_key = i.runner_key AND r.leased_until > $2)
       ORDER BY i.queued_at, i.job_id, i.place LIMIT 1) n
     WHERE NOT a.blocked ORDER BY a.turn, a.account_id LIMIT 1),
  leased AS (
    INSERT INTO backfill_reads (runner_key, leased_until) SELECT runner_key, $3 FROM next
    ON CONFLICT (runner_key) DO UPDATE SET leased_until = EXCLUDED.leased_until),
  turned AS (
    UPDATE backfill_accounts SET turn = (SELECT max(turn) + 1 FROM backfill_accounts)
     WHERE account_id = (SELECT account_id FROM next))
  SELECT runner_key AS key, refs FROM next`,
};

export interface TakeAt {
  /** Race time: horses whose next try is later are skipped. */
  readonly at: Instant;
  /** Wall time. */
  readonly wall: Instant;
  readonly leasedUntil: Instant;
}

/** Null if there is none that may be read now. */
export function takeHorse(pool: Pool, { at, wall, leasedUntil }: TakeAt): Promise<LeasedHorse | null> {
  return inTransaction(pool, async (client) => {
    await client.query(IN_TURN);
    const { rows } = await client.query<LeasedHorse>({ ...TAKE, values: [at, wall, leasedUntil] });
    return rows[0] ?? null;
  });
}

/** Locks in the order of jobs and positions, as a cancellation does. */
const WAITING_FOR = `
  SELECT job_id, place FROM backfill_items WHERE state = 'queued' AND page_ref IS NULL AND runner_key = $1 AND refs && $2
   ORDER BY job_id, place FOR UPDATE`;

const STORED = {
  name: 'backfill-page-stored',
  text: `
  WITH waiting AS (${WAITING_FOR})
  UPDATE backfill_items i SET page_ref = $3 FROM waiting w WHERE i.job_id = w.job_id AND i.place = w.place
  RETURNING i.job_id AS "jobId", i.place, i.account_id AS "accountId"`,
};

/** One page serves every job that waits for the horse. Resolves to their items. */
export async function noteStored(
  pool: Pool,
  { key, refs }: LeasedHorse,
  pageRef: string,
): Promise<readonly OwnedItem[]> {
  return (await pool.query<OwnedItem>({ ...STORED, values: [key, refs, pageRef] })).rows;
}

export interface FailedRead {
  readonly at: Instant;
  readonly nextTryAt: Instant;
  /** The registry had no page; if it did not answer at all, that is not a try. */
  readonly counts: boolean;
  readonly mostTries: number;
}

/**
 * Of item `i` at `$3`, its job locked: after every row that clients may have read, even if another worker's clock was
 * behind.
 */
export const SETTLED_AT = `GREATEST($3::timestamptz, (
        SELECT max(s.settled_at) + interval '1 microsecond' FROM backfill_items s WHERE s.job_id = i.job_id AND s.state IN ('done', 'failed')))`;

/** Jobs are locked before their horses, as in a delivery. */
const LOCK_JOBS = {
  name: 'backfill-lock-jobs',
  text: `
  SELECT job_id AS "jobId" FROM backfill_jobs
   WHERE job_id IN (SELECT job_id FROM backfill_items WHERE state = 'queued' AND page_ref IS NULL AND runner_key = $1 AND refs && $2)
   ORDER BY job_id FOR NO KEY UPDATE`,
};

const FAILED = {
  name: 'backfill-read-failed',
  text: `
  WITH waiting AS (${WAITING_FOR})
  UPDATE backfill_items i
     SET tries = i.tries + $6::smallint, next_try_at = $4,
         state = CASE WHEN i.tries + $6 >= $5 THEN 'failed' ELSE 'queued' END,
         settled_at = CASE WHEN i.tries + $6 >= $5 THEN ${SETTLED_AT} END
    FROM waiting w WHERE i.job_id = w.job_id AND i.place = w.place AND i.job_id = ANY ($7)`,
};

/** Tried again later, or failed. A job that started to wait meanwhile has its own try. */
export function noteFailed(pool: Pool, { key, refs }: LeasedHorse, failed: FailedRead): Promise<void> {
  const { at, nextTryAt, counts, mostTries } = failed;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ jobId: string }>({ ...LOCK_JOBS, values: [key, refs] });
    const jobs = rows.map(({ jobId }) => jobId);
    await client.query({ ...FAILED, values: [key, refs, at, nextTryAt, mostTries, Number(counts), jobs] });
  });
}

const END = {
  name: 'backfill-end-lease',
  text: `UPDATE backfill_reads SET leased_until = '-infinity', read_at = COALESCE($2, read_at) WHERE runner_key = $1`,
};

/** `readAt`: race time; null if nothing was read. */
export async function endLease(pool: Pool, key: string, readAt: Instant | null): Promise<void> {
  await pool.query({ ...END, values: [key, readAt] });
}

const CANCEL = {
  name: 'backfill-cancel',
  text: `
  WITH queued AS (
    SELECT i.job_id, i.place FROM backfill_items i JOIN backfill_jobs j USING (job_id)
     WHERE j.job_id = $1 AND j.account_id = $2 AND i.state = 'queued' ORDER BY i.place FOR UPDATE OF i)
  UPDATE backfill_items i SET state = 'cancelled', settled_at = $3 FROM queued q WHERE i.job_id = q.job_id AND i.place = q.place`,
};

/** Resolves to the number of horses. One that is being delivered is delivered or cancelled, never both. */
export async function cancelQueued(client: Pool | ClientBase, jobId: string, accountId: string, at: Instant) {
  return (await client.query({ ...CANCEL, values: [jobId, accountId, at] })).rowCount ?? 0;
}
