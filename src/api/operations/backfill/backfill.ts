// Takes backfill orders, and reads the status of an account's jobs (B 4.10 to 4.13). The database decides everything;
// Temporal is only notified, so that all of this works while Temporal is away.
import { createHash } from 'node:crypto';
import { createCache } from '../../../cache';
import { PACE_OVER_MS, paceMs, placeOf, readyAtMs } from '../../../domain/backfill/estimate';
import { fairOrder } from '../../../domain/backfill/fair-order';
import { HORSE_CREDITS } from '../../../domain/backfill/job';
import { type CollectedHorse, sortInputs } from '../../../domain/backfill/submission';
import { animalQuery } from '../../../domain/form/animal';
import { formNeed } from '../../../domain/form/freshness';
import { doorAt } from '../../../domain/registry/door';
import { REGISTRY } from '../../../domain/registry/registry';
import { AppError } from '../../../errors';
import type { BackfillStore } from '../../../store/backfill/backfill';
import type { BackfillJob, BackfillQueue, CollectedRow, JobPage, ListedJob } from '../../../store/backfill/job-reads';
import type { Submission } from '../../../store/backfill/submit';
import type { Reads } from '../../../store/reads/reads';
import type { Caller } from '../../kernel/endpoint/caller';
import type { Outlook, Upstream } from './present-backfill';

export interface BackfillDeps {
  readonly store: BackfillStore;
  /** Starts the job's workflow. Returns at once and never throws: the sweep makes up for a missed start. */
  start(jobId: string): void;
  /** In [0, below). */
  random(below: number): number;
}

type FormReads = Pick<Reads, 'horses' | 'formAges' | 'registryDoor'>;

export interface Backfills {
  submit(
    caller: Pick<Caller, 'accountId' | 'keyId' | 'role'>,
    order: { readonly horses: readonly string[]; readonly label: string | null },
    nowMs: number,
  ): Promise<Submission & Outlook>;
  /** Throws `not_found` for a job of another account, as do the next two. */
  status(accountId: string, jobId: string, nowMs: number): Promise<BackfillJob & Outlook & { upstream: Upstream }>;
  /** Of the account, newest first. */
  jobs(
    accountId: string,
    page: JobPage,
    nowMs: number,
  ): Promise<readonly (ListedJob & Outlook & { upstream: Upstream })[]>;
  results(
    accountId: string,
    jobId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly job: BackfillJob; readonly rows: readonly CollectedRow[] }>;
  /** Resolves to the number of horses that were cancelled. */
  cancel(accountId: string, jobId: string, nowMs: number): Promise<number>;
}

/** The same order again, because its response was lost. */
const REPEATED_WITHIN_MS = 10 * 60_000;
/** Before anything is measured: the interval between reads. */
const USUAL_PACE_MS = 1000;
/** The whole queue is read once for many customers. Wall time. */
const QUEUE_CACHED_MS = 1000;
const SUFFIXES = 36 ** 6;

const instantOf = (ms: number): string => new Date(ms).toISOString();

/** `queueCachedMs`: wall time; default a second. */
export function createBackfills(
  { store, start, random }: BackfillDeps,
  reads: FormReads,
  queueCachedMs = QUEUE_CACHED_MS,
): Backfills {
  const { upstreamAt, outlookOf } = createOutlooks(store, reads, queueCachedMs);
  const jobOf = async (jobId: string, accountId: string): Promise<BackfillJob> => {
    const job = await store.job(jobId, accountId);
    if (!job) throw new AppError('not_found', 'Your account has no backfill job with this job_id.');
    return job;
  };

  return {
    async submit({ accountId, keyId, role }, { horses: inputs, label }, nowMs) {
      const { horses, notFound, repeated } = await sorted(reads, inputs);
      const submission = await store.submit({
        jobId: jobIdAt(nowMs, random),
        accountId,
        keyId,
        label,
        notFound,
        repeated,
        price: role === 'internal' ? 0 : HORSE_CREDITS,
        request: hashed([inputs, label]),
        at: instantOf(nowMs),
        repeatedSince: instantOf(nowMs - REPEATED_WITHIN_MS),
        horses: await withPages(reads, horses, nowMs),
      });
      const job = await jobOf(submission.jobId, accountId);
      if (job.queued > 0) start(job.jobId);
      return { ...submission, ...(await outlookOf(job, await upstreamAt(nowMs), nowMs)) };
    },
    async status(accountId, jobId, nowMs) {
      const [job, upstream] = await Promise.all([jobOf(jobId, accountId), upstreamAt(nowMs)]);
      return { ...job, ...(await outlookOf(job, upstream, nowMs)), upstream };
    },
    async jobs(accountId, page, nowMs) {
      const [jobs, upstream] = await Promise.all([store.jobs(accountId, page), upstreamAt(nowMs)]);
      const outlooks = await Promise.all(jobs.map((job) => outlookOf(job, upstream, nowMs)));
      return jobs.map((job, i) => ({ ...job, ...outlooks[i]!, upstream }));
    },
    async results(accountId, jobId, { limit, offset }) {
      const job = await jobOf(jobId, accountId);
      return { job, rows: await store.rows(jobId, limit, offset) };
    },
    async cancel(accountId, jobId, nowMs) {
      await jobOf(jobId, accountId);
      return store.cancel(jobId, accountId, instantOf(nowMs));
    },
  };
}

/** Where jobs stand in the queue of all accounts, and what stands between them and the registry. */
function createOutlooks(store: Pick<BackfillStore, 'queue'>, reads: FormReads, queueCachedMs: number) {
  const queues = createCache<Standing>(1);
  // Ordered once, however many jobs stand in it.
  const standingAt = async (nowMs: number): Promise<Standing> => {
    const read = async () => {
      const queue = await store.queue(instantOf(nowMs - PACE_OVER_MS));
      return { atMs: performance.now(), reads: queue.reads, order: fairOrder(queue, nowMs) };
    };
    return (await queues.get('', ({ atMs }) => performance.now() - atMs < queueCachedMs, read)).value;
  };
  const upstreamAt = async (nowMs: number): Promise<Upstream> => {
    const door = await reads.registryDoor(REGISTRY);
    return { door, view: doorAt(door, nowMs) };
  };
  const outlookOf = async (job: BackfillJob, { view }: Upstream, nowMs: number): Promise<Outlook> => {
    if (job.queued === 0 || job.blocked) return NO_OUTLOOK;
    if (job.unread.length === 0) return { queuePosition: null, readyAtMs: nowMs };
    return outlookIn(await standingAt(nowMs), job, view, nowMs);
  };
  return { upstreamAt, outlookOf };
}

const NO_OUTLOOK: Outlook = { queuePosition: null, readyAtMs: null };

interface Standing {
  readonly atMs: number;
  readonly reads: BackfillQueue['reads'];
  readonly order: ReturnType<typeof fairOrder>;
}

function outlookIn({ reads, order }: Standing, job: BackfillJob, view: Upstream['view'], nowMs: number): Outlook {
  const place = placeOf(order, new Set(job.unread));
  if (!place) return NO_OUTLOOK;
  if (view.state === 'walled') return { queuePosition: place.before, readyAtMs: null };
  const fromMs = view.state === 'paused' ? nowMs + view.retryInMs : nowMs;
  return {
    queuePosition: place.before,
    readyAtMs: Math.round(readyAtMs(place, paceMs(reads, USUAL_PACE_MS), fromMs, job.notBeforeMs)),
  };
}

const hashed = (order: unknown): string => createHash('sha256').update(JSON.stringify(order)).digest('hex');

/** `bf_20261121_4k9z0q`: the UTC day and six characters. */
function jobIdAt(nowMs: number, random: (below: number) => number): string {
  const suffix = random(SUFFIXES).toString(36).padStart(6, '0');
  return `bf_${instantOf(nowMs).slice(0, 10).replaceAll('-', '')}_${suffix}`;
}

async function sorted(reads: FormReads, inputs: readonly string[]) {
  const queries = inputs.map((input) => animalQuery(input, 'horse'));
  const found = await reads.horses(queries.flatMap((query) => query ?? []));
  const next = found.values();
  return sortInputs(
    inputs,
    queries.map((query) => (query === null ? null : next.next().value!)),
  );
}

/** With the page of each horse that is fresh by the rule of single requests (B 3). */
async function withPages(reads: FormReads, horses: readonly CollectedHorse[], nowMs: number) {
  const ages = await reads.formAges(horses);
  return horses.map((horse, i) => {
    const age = ages[i];
    const isFresh =
      age &&
      formNeed({ fetchedAtMs: Date.parse(age.fetchedAt), nowMs, startedSinceRead: age.startedSinceRead }) === 'serve';
    return { ...horse, pageRef: isFresh ? age.ref : null };
  });
}
