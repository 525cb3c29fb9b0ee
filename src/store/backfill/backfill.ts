// Backfill jobs (B 2.9, B 3): orders of the API, carried out by workers. Due work is a level in these tables, so that
// any worker may continue where another stopped. No other code writes them.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { MonthlyCreditsOf } from '../credits/charge-within';
import { inTransaction } from '../pg/transaction';
import { type DeliverAt, type Delivery, deliverHorse, readRemaining } from './deliver';
import {
  type BackfillJob,
  type BackfillQueue,
  type CollectedRow,
  type JobPage,
  type ListedJob,
  readBackfillJob,
  readBackfillJobs,
  readBackfillQueue,
  readBackfillRows,
} from './job-reads';
import {
  cancelQueued,
  endLease,
  type FailedRead,
  type ItemId,
  type LeasedHorse,
  noteFailed,
  noteStored,
  type OwnedItem,
  type TakeAt,
  takeHorse,
} from './reading';
import { storeForms } from './stored-forms';
import { type BackfillOrder, type Submission, submitBackfill } from './submit';

/** What a worker needs to know about a job. */
export interface BackfillWork {
  readonly accountId: string;
  readonly price: number;
  readonly blocked: boolean;
  readonly queued: number;
}

/** A queued horse whose page is stored. */
interface ReadyHorse extends ItemId {
  readonly key: string;
  readonly pageRef: string;
}

export interface OpenJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly price: number;
  readonly blocked: boolean;
}

export interface BackfillStore {
  submit(order: BackfillOrder): Promise<Submission>;
  /** Null if the account has no such job, also for the next two. */
  job(jobId: string, accountId: string): Promise<BackfillJob | null>;
  /** Of the account, newest first. */
  jobs(accountId: string, page: JobPage): Promise<readonly ListedJob[]>;
  rows(jobId: string, limit: number, offset: number): Promise<readonly CollectedRow[]>;
  /** Resolves to the number of horses that were still queued. */
  cancel(jobId: string, accountId: string, at: Instant): Promise<number>;
  queue(since: Instant): Promise<BackfillQueue>;

  /** Null: nothing of the job is queued. */
  work(jobId: string): Promise<BackfillWork | null>;
  /** Every job with queued horses, the oldest first. */
  openJobs(): Promise<readonly OpenJob[]>;
  /** The next horse of the job that can be delivered. */
  nextReady(jobId: string): Promise<ReadyHorse | null>;
  deliver(item: ItemId, at: DeliverAt, monthlyCreditsOf: MonthlyCreditsOf): Promise<Delivery>;
  /** Its page has become too old to be delivered. */
  readAgain(item: ItemId): Promise<void>;
  /** Credits of this month that the account has left. */
  remaining(accountId: string, period: string, monthlyCreditsOf: MonthlyCreditsOf): Promise<number>;
  setBlocked(accountId: string, blocked: boolean): Promise<void>;
  take(at: TakeAt): Promise<LeasedHorse | null>;
  noteStored(horse: LeasedHorse, pageRef: string): Promise<readonly OwnedItem[]>;
  noteFailed(horse: LeasedHorse, failed: FailedRead): Promise<void>;
  endLease(key: string, readAt: Instant | null): Promise<void>;
  /** Deletes reads before `at`, race time, that are not leased. */
  prune(at: Instant, wall: Instant): Promise<void>;
  /** Stores at most so many delivered forms once, compressed. Resolves to their number; 0: there is none to store. */
  storeForms(most: number): Promise<number>;
}

export function createBackfillStore(pool: Pool): BackfillStore {
  return {
    submit: (order) => inTransaction(pool, (client) => submitBackfill(client, order)),
    job: (jobId, accountId) => readBackfillJob(pool, jobId, accountId),
    jobs: (accountId, page) => readBackfillJobs(pool, accountId, page),
    rows: (jobId, limit, offset) => readBackfillRows(pool, jobId, limit, offset),
    cancel: (jobId, accountId, at) => cancelQueued(pool, jobId, accountId, at),
    queue: (since) => readBackfillQueue(pool, since),
    work: async (jobId) => (await pool.query<BackfillWork>({ ...WORK, values: [jobId] })).rows[0] ?? null,
    openJobs: async () => (await pool.query<OpenJob>(OPEN)).rows,
    nextReady: async (jobId) => (await pool.query<ReadyHorse>({ ...READY, values: [jobId] })).rows[0] ?? null,
    deliver: (item, at, monthlyCreditsOf) => deliverHorse(pool, item, at, monthlyCreditsOf),
    readAgain: async ({ jobId, place }) => {
      await pool.query({ ...READ_AGAIN, values: [jobId, place] });
    },
    remaining: (accountId, period, monthlyCreditsOf) => readRemaining(pool, accountId, period, monthlyCreditsOf),
    setBlocked: async (accountId, blocked) => {
      await pool.query({ ...BLOCKED, values: [accountId, blocked] });
    },
    take: (at) => takeHorse(pool, at),
    noteStored: (horse, pageRef) => noteStored(pool, horse, pageRef),
    noteFailed: (horse, failed) => noteFailed(pool, horse, failed),
    endLease: (key, readAt) => endLease(pool, key, readAt),
    prune: async (at, wall) => {
      await pool.query({ ...PRUNE, values: [at, wall] });
    },
    storeForms: (most) => storeForms(pool, most),
  };
}

const WORK = {
  name: 'backfill-work',
  text: `
  SELECT j.account_id AS "accountId", j.price, a.blocked, count(*) AS queued
    FROM backfill_jobs j JOIN backfill_accounts a USING (account_id) JOIN backfill_items i USING (job_id)
   WHERE j.job_id = $1 AND i.state = 'queued' GROUP BY j.job_id, a.blocked`,
};
const OPEN = {
  name: 'backfill-open',
  text: `
  SELECT j.job_id AS "jobId", j.account_id AS "accountId", j.price, a.blocked
    FROM backfill_jobs j JOIN backfill_accounts a USING (account_id)
   WHERE j.job_id IN (SELECT job_id FROM backfill_items WHERE state = 'queued') ORDER BY j.submitted_at, j.job_id`,
};
const READY = {
  name: 'backfill-ready',
  text: `
  SELECT job_id AS "jobId", place, runner_key AS key, page_ref AS "pageRef" FROM backfill_items
   WHERE job_id = $1 AND state = 'queued' AND page_ref IS NOT NULL ORDER BY place LIMIT 1`,
};
const READ_AGAIN = {
  name: 'backfill-read-again',
  text: `UPDATE backfill_items SET page_ref = NULL WHERE job_id = $1 AND place = $2 AND state = 'queued'`,
};
const BLOCKED = {
  name: 'backfill-blocked',
  text: 'UPDATE backfill_accounts SET blocked = $2 WHERE account_id = $1 AND blocked <> $2',
};
const PRUNE = {
  name: 'backfill-prune',
  text: 'DELETE FROM backfill_reads WHERE (read_at IS NULL OR read_at < $1) AND leased_until < $2',
};
