// The forms of team keys: adding, changing and deleting one.
import type { AccountPagesDeps } from '../deps';
import { newKeyPage } from '../entry/new-key';
import { linesOf } from '../forms/fields';
import { again, type Filled, refused } from '../forms/filled';
import type { ShownForm } from './account-page';
import { type OwnerVisits, onPage } from './owner-visits';
import { TEAM_LABELS } from './team';

const NO_LABEL = { label: 'Enter a label for the key.' };

const labelOf = (form: URLSearchParams): string => (form.get('label') ?? '').trim();

const teamForm = (id: string | null, filled: Filled): ShownForm => ({ of: 'team', id, filled });

export function teamRoutes({ post, withForm }: OwnerVisits, { ownedKeys, judge, baseUrl }: AccountPagesDeps): void {
  const draftOf = (form: URLSearchParams) => ({
    label: judge.label(labelOf(form)),
    allowedAddresses: judge.addresses(linesOf(form.get('ip_whitelist'))),
  });
  post(
    '/account/team',
    async (session, visit) => {
      const { form } = visit;
      if (labelOf(form) === '')
        return { status: 422, ...(await withForm(session, visit, teamForm(null, again(form, NO_LABEL)))) };
      const draft = draftOf(form);
      const issued = await ownedKeys.issue(session, { ...draft, scopes: null }, visit.browser.visitor);
      return { page: newKeyPage(`Key for ${draft.label}`, issued, baseUrl) };
    },
    ({ form }, error) => teamForm(null, refused(form, TEAM_LABELS, error)),
  );
  post(
    '/account/team/:key_id',
    async (session, visit) => {
      const { form } = visit;
      const id = visit.params.key_id!;
      if (labelOf(form) === '')
        return { status: 422, ...(await withForm(session, visit, teamForm(id, again(form, NO_LABEL)))) };
      await ownedKeys.change({ accountId: session.accountId }, id, draftOf(form), visit.browser.visitor);
      return { to: '/account?done=team' };
    },
    ({ form, params }, error) => teamForm(params.key_id!, refused(form, TEAM_LABELS, error)),
  );
  post(
    '/account/team/:key_id/delete',
    async ({ accountId }, { browser: { visitor }, params }) => {
      await ownedKeys.end({ accountId }, params.key_id!, visitor);
      return { to: '/account?done=team-deleted' };
    },
    onPage,
  );
}
