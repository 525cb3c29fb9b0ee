// The page of archive files, and their downloads. A download is a form, because it may cost credits: nothing that a
// browser fetches by itself, and no page of another site, can start one.
import type { Session } from '../../../accounts/visitor';
import { mayUse } from '../../../plans/rights';
import type { AccountPagesDeps } from '../deps';
import { readKeysAndUse } from '../own-account';
import type { OwnerVisits } from '../panels/owner-visits';
import { filesPage, RIGHT_OF } from './page';

/** Periods on a page. */
const PAGE = 14;
const MOST_PAGES = 10_000;

export function fileRoutes({ get, postOn }: OwnerVisits, deps: AccountPagesDeps): void {
  const { files } = deps;
  const show = async (session: Session, wanted: URLSearchParams, refusal: string | null) => {
    const { plan, accountId } = session;
    const { issuedAt, use } = await readKeysAndUse(deps, session);
    const rights = { day: mayUse(RIGHT_OF.day, plan, issuedAt), month: mayUse(RIGHT_OF.month, plan, issuedAt) };
    const { kind, dataset, page } = viewOf(wanted, files.datasets);
    const of = { kind, dataset, limit: PAGE, offset: (page - 1) * PAGE };
    const { total, periods } = rights[kind] ? await files.list(accountId, of) : { total: 0, periods: [] };
    const shown = { kind, dataset, page, periods, hasOlder: total > page * PAGE };
    return {
      page: filesPage({ ...shown, datasets: files.datasets, rights, creditsLeft: use.remaining!, refusal }),
    };
  };
  get('/account/files', (session, { query }) => show(session, query, null));
  postOn(
    '/account/files/:dataset/:period',
    async ({ accountId }) => ({ serve: (ctx) => files.send(ctx, accountId) }),
    (session, { form }, error) => show(session, form, error.message),
  );
}

function viewOf(wanted: URLSearchParams, datasets: readonly { readonly name: string }[]) {
  const name = wanted.get('dataset');
  const page = Number(wanted.get('page') ?? 1);
  return {
    kind: wanted.get('kind') === 'month' ? ('month' as const) : ('day' as const),
    dataset: datasets.some((one) => one.name === name) ? name : null,
    page: Number.isInteger(page) && page >= 1 && page <= MOST_PAGES ? page : 1,
  };
}
