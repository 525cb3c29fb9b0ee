// The forms of team keys: adding, changing and deleting one.
import { SCOPES, type Scope } from '../../../plans/scopes';
import type { AccountPagesDeps } from '../deps';
import { newKeyPage } from '../entry/new-key';
import { linesOf } from '../forms/fields';
import { again, type Filled, refused } from '../forms/filled';
import type { ShownForm } from './account-page';
import { type OwnerVisits, onPage } from './owner-visits';
import { scopeField, TEAM_LABELS } from './team';

const NO_LABEL = { label: 'Enter a label for the key.' };
const NO_SCOPE = { scopes: 'Tick what the key may do, or choose everything.' };

const labelOf = (form: URLSearchParams): string => (form.get('label') ?? '').trim();

/** Null: everything. */
const scopesOf = (form: URLSearchParams): readonly Scope[] | null =>
  form.get('access') === 'some' ? SCOPES.filter((scope) => form.has(scopeField(scope))) : null;

/** What the form lacks, by the name of its field; null: nothing. */
function missingOf(form: URLSearchParams): Readonly<Record<string, string>> | null {
  if (labelOf(form) === '') return NO_LABEL;
  return scopesOf(form)?.length === 0 ? NO_SCOPE : null;
}

const teamForm = (id: string | null, filled: Filled): ShownForm => ({ of: 'team', id, filled });

export function teamRoutes({ post, withForm }: OwnerVisits, { ownedKeys, judge, baseUrl }: AccountPagesDeps): void {
  const draftOf = (form: URLSearchParams) => ({
    label: judge.label(labelOf(form)),
    allowedAddresses: judge.addresses(linesOf(form.get('ip_whitelist'))),
    // A page of the release before has no such field: its form changes no scopes.
    ...(form.has('access') && { scopes: scopesOf(form) }),
  });
  post(
    '/account/team',
    async (session, visit) => {
      const { form } = visit;
      const missing = missingOf(form);
      if (missing) return { status: 422, ...(await withForm(session, visit, teamForm(null, again(form, missing)))) };
      const draft = draftOf(form);
      const issued = await ownedKeys.issue(
        session,
        { scopes: null, ...draft, isLabelOwn: true },
        visit.browser.visitor,
      );
      return { page: newKeyPage(`Key for ${draft.label}`, issued, baseUrl) };
    },
    ({ form }, error) => teamForm(null, refused(form, TEAM_LABELS, error)),
  );
  post(
    '/account/team/:key_id',
    async (session, visit) => {
      const { form } = visit;
      const id = visit.params.key_id!;
      const missing = missingOf(form);
      if (missing) return { status: 422, ...(await withForm(session, visit, teamForm(id, again(form, missing)))) };
      await ownedKeys.change({ accountId: session.accountId }, id, draftOf(form), visit.browser.visitor);
      return { to: '/account?done=team' };
    },
    ({ form, params }, error) => teamForm(params.key_id!, refused(form, TEAM_LABELS, error)),
  );
  post(
    '/account/team/:key_id/rotate',
    async ({ accountId }, { browser: { visitor }, form, params }) => {
      const minted = await ownedKeys.rotateNamed(accountId, params.key_id!, form.get('immediate') === 'yes', visitor);
      return { page: newKeyPage('The new key', minted, baseUrl) };
    },
    onPage,
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
