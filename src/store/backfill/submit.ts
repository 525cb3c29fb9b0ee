// Writes a backfill job with its horses (B 4.10). The database decides what is already queued: an account queues a
// horse once.
import type { ClientBase } from 'pg';
import type { CollectedHorse } from '../../domain/backfill/submission';
import type { Instant } from '../../domain/race/race';

/** A horse to collect, with the stored page that is delivered unchanged; null: a page has to be read. */
interface OrderedHorse extends CollectedHorse {
  readonly pageRef: string | null;
}

export interface BackfillOrder {
  readonly jobId: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Credits for a delivered horse. */
  readonly price: number;
  readonly label: string | null;
  /** Hash of the request. */
  readonly request: string;
  readonly at: Instant;
  /** The same request since then is the same job. */
  readonly repeatedSince: Instant;
  readonly horses: readonly OrderedHorse[];
  /** Inputs of horses that the list has twice. */
  readonly repeated: number;
  readonly notFound: readonly string[];
}

export interface Submission {
  readonly jobId: string;
  /** A read of the registry has to come first. */
  readonly queued: number;
  readonly alreadyStored: number;
  readonly duplicates: number;
  readonly notFound: readonly string[];
}

/** Orders of one account wait for each other: the second must see the first. */
const BEGIN = { name: 'backfill-begin', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 57))' };

/** A cancelled job is not reused for the same list: it is ordered again. */
const SAME = {
  name: 'backfill-same',
  text: `
  SELECT j.job_id AS "jobId", j.submission FROM backfill_jobs j
   WHERE j.account_id = $1 AND j.request = $2 AND j.submitted_at > $3
     AND NOT EXISTS (SELECT FROM backfill_items i WHERE i.job_id = j.job_id AND i.state = 'cancelled')
   ORDER BY j.submitted_at DESC, j.job_id LIMIT 1`,
};

const JOB = {
  name: 'backfill-job',
  text: `INSERT INTO backfill_jobs (job_id, account_id, key_id, price, label, submitted_at, request, submission)
         VALUES ($1, $2, $3, $4, $5, $6, $7, '{}')`,
};

/** A new account has its first turn after those that wait. */
const ACCOUNT = {
  name: 'backfill-account',
  text: `INSERT INTO backfill_accounts (account_id, turn)
         VALUES ($1, (SELECT COALESCE(max(turn), 0) + 1 FROM backfill_accounts)) ON CONFLICT DO NOTHING`,
};

const ITEMS = {
  name: 'backfill-items',
  text: `
  INSERT INTO backfill_items (job_id, place, account_id, input, runner_key, name, refs, queued_at, page_ref)
  SELECT $1, h.place, $2, h.input, h.key, h.name, ARRAY(SELECT jsonb_array_elements_text(h.refs)), $3, h."pageRef"
    FROM jsonb_to_recordset($4) AS h (place smallint, input text, key text, name text, refs jsonb, "pageRef" text) ORDER BY h.place
  ON CONFLICT (account_id, runner_key) WHERE state = 'queued' DO NOTHING
  RETURNING page_ref IS NULL AS unread`,
};

const ANSWERED = {
  name: 'backfill-answered',
  text: 'UPDATE backfill_jobs SET submission = $2 WHERE job_id = $1',
};

export async function submitBackfill(client: ClientBase, order: BackfillOrder): Promise<Submission> {
  const { jobId, accountId, keyId, price, label, request, at, repeatedSince, horses, repeated, notFound } = order;
  await client.query({ ...BEGIN, values: [accountId] });
  const same = await client.query<{ jobId: string; submission: Omit<Submission, 'jobId'> }>({
    ...SAME,
    values: [accountId, request, repeatedSince],
  });
  if (same.rows[0]) return { jobId: same.rows[0].jobId, ...same.rows[0].submission };
  await client.query({ ...JOB, values: [jobId, accountId, keyId, price, label, at, request] });
  await client.query({ ...ACCOUNT, values: [accountId] });
  const listed = JSON.stringify(horses.map((horse, place) => ({ ...horse, place })));
  const { rows } = await client.query<{ unread: boolean }>({ ...ITEMS, values: [jobId, accountId, at, listed] });
  const queued = rows.filter(({ unread }) => unread).length;
  const counts = { queued, alreadyStored: rows.length - queued, duplicates: repeated + horses.length - rows.length };
  await client.query({ ...ANSWERED, values: [jobId, JSON.stringify({ ...counts, notFound })] });
  return { jobId, ...counts, notFound };
}
