// The page of backfill jobs, what its button does, and the results of a job as a file.
import type { Session } from '../../../accounts/visitor';
import type { AccountPagesDeps } from '../deps';
import type { OwnerVisits } from '../panels/owner-visits';
import type { Visit } from '../visits';
import { jobsPage } from './page';

const PAGE = 20;

/** By the name in the address: no other text of it is shown. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'What was still queued is cancelled. Delivered horses stay.'],
]);

export function jobRoutes({ get, postOn }: OwnerVisits, { jobs }: Pick<AccountPagesDeps, 'jobs'>): void {
  const show = async ({ accountId }: Session, { query }: Visit, refusal: string | null) => {
    const before = query.get('before')?.replaceAll('\0', '') || null;
    const found = await jobs.list(accountId, { before, limit: PAGE + 1 });
    const shown = found.slice(0, PAGE);
    const olderThan = found.length > PAGE ? shown.at(-1)!.jobId : null;
    const done = DONE.get(query.get('done') ?? '') ?? null;
    return { page: jobsPage({ jobs: shown, olderThan, isLater: before !== null, done, refusal }) };
  };
  get('/account/backfill', (session, visit) => show(session, visit, null));
  get('/account/backfill/:job_id/results', async ({ accountId }, { params }) => {
    const id = params.job_id!;
    const pieces = await jobs.results(accountId, id);
    return { download: { name: `backfill-${id}.json`, type: 'application/json; charset=utf-8', pieces } };
  });
  postOn(
    '/account/backfill/:job_id/cancel',
    async ({ accountId }, { params }) => {
      await jobs.cancel(accountId, params.job_id!);
      return { to: '/account/backfill?done=cancelled' };
    },
    (session, visit, error) => show(session, visit, error.message),
  );
}
