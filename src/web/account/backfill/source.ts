// What the page of backfill jobs needs.
import type { JobStatus } from '../../../domain/backfill/job';
import type { Instant } from '../../../domain/race/race';

export interface ShownJob {
  readonly jobId: string;
  readonly label: string | null;
  readonly status: JobStatus;
  readonly submittedAt: Instant;
  /** Horses of the job; the others were cancelled. */
  readonly total: number;
  readonly done: number;
  readonly queued: number;
  readonly failed: number;
  readonly creditsCharged: number;
  /** Null: nothing is queued, or it is unknown. */
  readonly readyAt: Instant | null;
  /** What stands between the service and the registry; null: nothing. */
  readonly obstacle: string | null;
  /** The first inputs whose reads brought no page. */
  readonly failedInputs: readonly string[];
  /** Inputs of which no feed has reported a horse. */
  readonly notFound: readonly string[];
}

export interface OwnedJobs {
  /** Newest first. `before`: only those submitted before this job; null: from the newest. */
  list(
    accountId: string,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<readonly ShownJob[]>;
  /** Repeatable. Throws `not_found` for a job of another account, as does the next. */
  cancel(accountId: string, jobId: string): Promise<unknown>;
  /** What was delivered so far, as the text of a JSON document. */
  results(accountId: string, jobId: string): Promise<AsyncIterable<string>>;
}
