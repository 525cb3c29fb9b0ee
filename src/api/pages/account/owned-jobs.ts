// An account's backfill jobs for its pages, over the service of the operations.
import type { OwnedJobs } from '../../../web/account/backfill/source';
import type { Backfills } from '../../operations/backfill/backfill';
import { presentBackfillJob, presentCollected } from '../../operations/backfill/present-backfill';

/** Each with a whole form. */
const ROWS_TOGETHER = 25;

/** `now`: race time, epoch milliseconds. */
export const createOwnedJobs = (
  backfills: Pick<Backfills, 'jobs' | 'cancel' | 'results'>,
  now: () => number,
): OwnedJobs => ({
  async list(accountId, page) {
    const nowMs = now();
    const jobs = await backfills.jobs(accountId, page, nowMs);
    return jobs.map((job) => {
      const { job_id, label, status, submitted_at, total, done, queued, failed, ...more } = presentBackfillJob(
        job,
        job,
        job.upstream,
        nowMs,
      );
      return {
        ...{ jobId: job_id, label, status, submittedAt: submitted_at, total, done, queued, failed },
        creditsCharged: more.credits_charged,
        readyAt: more.estimated_ready,
        obstacle: queued > 0 ? more.upstream.note : null,
        failedInputs: job.failedInputs,
        notFound: job.notFound,
      };
    });
  },
  cancel: (accountId, jobId) => backfills.cancel(accountId, jobId, now()),
  async results(accountId, jobId) {
    const first = await pageAt(backfills, accountId, jobId, 0);
    return documentOf(backfills, accountId, jobId, first);
  },
});

type Page = ReturnType<typeof presentCollected>;

async function pageAt(
  { results }: Pick<Backfills, 'results'>,
  accountId: string,
  jobId: string,
  offset: number,
): Promise<Page> {
  const page = { limit: ROWS_TOGETHER, offset };
  const { job, rows } = await results(accountId, jobId, page);
  return presentCollected(job, rows, page);
}

/** Rows are appended only, so that pages fit together while the job goes on. */
async function* documentOf(
  backfills: Pick<Backfills, 'results'>,
  accountId: string,
  jobId: string,
  first: Page,
): AsyncGenerator<string> {
  yield `{"job_id":${JSON.stringify(jobId)},"rows":[`;
  let count = 0;
  for (let page = first; page.rows.length > 0; page = await pageAt(backfills, accountId, jobId, count)) {
    yield `${count > 0 ? ',' : ''}\n${page.rows.map((row) => JSON.stringify(row)).join(',\n')}`;
    count += page.rows.length;
    if (page.rows.length < ROWS_TOGETHER) break;
  }
  yield `\n],"rows_returned":${count}}\n`;
}
