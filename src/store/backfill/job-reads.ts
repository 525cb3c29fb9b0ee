// The data that customers read about their backfill jobs (B 4.11, B 4.12), and the whole queue, in which a job has its
// position.
import type { Pool } from 'pg';
import type { RecentReads } from '../../domain/backfill/estimate';
import type { ReadQueue } from '../../domain/backfill/fair-order';
import type { HorseCounts } from '../../domain/backfill/job';
import type { HorseForm } from '../../domain/form/horse-form';
import type { Day, Instant } from '../../domain/race/race';
import { formOf, type StoredFormOf } from './stored-forms';

export interface BackfillJob extends HorseCounts {
  readonly jobId: string;
  readonly label: string | null;
  readonly submittedAt: Instant;
  readonly price: number;
  /** Its account has too few credits, as a worker last compared them. */
  readonly blocked: boolean;
  /** Queued horses whose page has to be read. */
  readonly unread: readonly string[];
  /** The latest next try among these. Race time, epoch milliseconds; null: no read of them has failed. */
  readonly notBeforeMs: number | null;
}

/** Of the job `j`, its account `a` and its horses `i`, grouped by the first two. */
const JOB_COLUMNS = `j.job_id AS "jobId", j.label, j.submitted_at AS "submittedAt", j.price, a.blocked,
      count(i.*) FILTER (WHERE i.state = 'queued') AS queued, count(i.*) FILTER (WHERE i.state = 'done') AS done,
      count(i.*) FILTER (WHERE i.state = 'failed') AS failed, count(i.*) FILTER (WHERE i.state = 'cancelled') AS cancelled,
      COALESCE(array_agg(i.runner_key) FILTER (WHERE i.state = 'queued' AND i.page_ref IS NULL), '{}') AS unread,
      extract(epoch FROM max(i.next_try_at) FILTER (WHERE i.state = 'queued' AND i.page_ref IS NULL))::float8 * 1000 AS "notBeforeMs"`;

const JOB = {
  name: 'backfill-read-job',
  text: `
  SELECT ${JOB_COLUMNS}
    FROM backfill_jobs j JOIN backfill_accounts a USING (account_id) LEFT JOIN backfill_items i USING (job_id)
   WHERE j.job_id = $1 AND j.account_id = $2 GROUP BY j.job_id, a.blocked`,
};

/** Null if the account has no such job. */
export async function readBackfillJob(pool: Pool, jobId: string, accountId: string): Promise<BackfillJob | null> {
  return (await pool.query<BackfillJob>({ ...JOB, values: [jobId, accountId] })).rows[0] ?? null;
}

/** A job in the list of an account. */
export interface ListedJob extends BackfillJob {
  /** The first inputs whose reads brought no page. */
  readonly failedInputs: readonly string[];
  /** Inputs of the order of which no feed has reported a horse. */
  readonly notFound: readonly string[];
}

export interface JobPage {
  /** Only jobs that were submitted before this one; null: from the newest. */
  readonly before: string | null;
  readonly limit: number;
}

const MOST_FAILED_INPUTS = 10;

const LISTED = {
  name: 'backfill-list-jobs',
  text: `
  SELECT ${JOB_COLUMNS},
      COALESCE((array_agg(i.input ORDER BY i.place) FILTER (WHERE i.state = 'failed'))[1:${MOST_FAILED_INPUTS}], '{}') AS "failedInputs",
      COALESCE(j.submission -> 'notFound', '[]') AS "notFound"
    FROM (SELECT * FROM backfill_jobs
           WHERE account_id = $1
             AND ($2::text IS NULL OR (submitted_at, job_id) < (SELECT b.submitted_at, b.job_id FROM backfill_jobs b WHERE b.job_id = $2 AND b.account_id = $1))
           ORDER BY submitted_at DESC, job_id DESC LIMIT $3) j
    JOIN backfill_accounts a USING (account_id) LEFT JOIN backfill_items i USING (job_id)
   GROUP BY j.job_id, j.label, j.submitted_at, j.price, j.submission, a.blocked ORDER BY j.submitted_at DESC, j.job_id DESC`,
};

/** Newest first. */
export async function readBackfillJobs(
  pool: Pool,
  accountId: string,
  { before, limit }: JobPage,
): Promise<readonly ListedJob[]> {
  return (await pool.query<ListedJob>({ ...LISTED, values: [accountId, before, limit] })).rows;
}

export interface BackfillQueue extends ReadQueue {
  readonly reads: RecentReads;
}

const WAITING = {
  name: 'backfill-waiting',
  text: `
  SELECT i.account_id AS "accountId", i.runner_key AS horse, extract(epoch FROM i.next_try_at)::float8 * 1000 AS "notBeforeMs"
    FROM backfill_items i JOIN backfill_accounts a USING (account_id)
   WHERE i.state = 'queued' AND i.page_ref IS NULL AND NOT a.blocked
   ORDER BY i.queued_at, i.job_id, i.place`,
};
const TURNS = {
  name: 'backfill-turns',
  text: `
  SELECT a.account_id AS "accountId", a.turn FROM backfill_accounts a
   WHERE EXISTS (SELECT FROM backfill_items i WHERE i.account_id = a.account_id AND i.state = 'queued' AND i.page_ref IS NULL)`,
};
const RECENT = {
  name: 'backfill-recent',
  text: `
  SELECT count(*) AS count, COALESCE(extract(epoch FROM min(read_at)), 0)::float8 * 1000 AS "firstMs",
      COALESCE(extract(epoch FROM max(read_at)), 0)::float8 * 1000 AS "lastMs"
    FROM backfill_reads WHERE read_at > $1`,
};

/** `since`: of the reads that determine the pace. */
export async function readBackfillQueue(pool: Pool, since: Instant): Promise<BackfillQueue> {
  const { rows: waiting } = await pool.query<BackfillQueue['waiting'][number]>(WAITING);
  const { rows: turns } = await pool.query<{ accountId: string; turn: number }>(TURNS);
  const { rows } = await pool.query<RecentReads>({ ...RECENT, values: [since] });
  return { waiting, turns: new Map(turns.map(({ accountId, turn }) => [accountId, turn])), reads: rows[0]! };
}

export interface CollectedRow {
  readonly input: string;
  readonly runnerKey: string;
  readonly name: string;
  /** The code that the page was read under; for a failed horse, the one that was tried. */
  readonly ref: string;
  readonly settledAt: Instant;
  /** Null: the horse has failed. */
  readonly fetchedAt: Instant | null;
  readonly form: HorseForm | null;
  /** From our own runs, by day. */
  readonly trainers: Readonly<Record<Day, string>> | null;
}

const ROWS = {
  name: 'backfill-rows',
  text: `
  SELECT input, runner_key AS "runnerKey", name, COALESCE(page_ref, refs[1]) AS ref, settled_at AS "settledAt", fetched_at AS "fetchedAt",
      i.form, f.form AS packed, trainers
    FROM backfill_items i LEFT JOIN backfill_forms f ON f.hash = i.form_hash WHERE job_id = $1 AND state IN ('done', 'failed')
   ORDER BY settled_at, place LIMIT $2 OFFSET $3`,
};

/** In the order in which they were settled. */
export async function readBackfillRows(
  pool: Pool,
  jobId: string,
  limit: number,
  offset: number,
): Promise<readonly CollectedRow[]> {
  const { rows } = await pool.query<CollectedRow & StoredFormOf>({ ...ROWS, values: [jobId, limit, offset] });
  return Promise.all(rows.map(async ({ packed, ...row }) => ({ ...row, form: await formOf({ ...row, packed }) })));
}
