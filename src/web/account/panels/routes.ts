// The account page and what its buttons do. Without a session every address leads to signing in.
import type { AppError } from '../../../errors';
import { newKeyPage } from '../entry/new-key';
import { linesOf } from '../forms/fields';
import { again, type Filled, refused } from '../forms/filled';
import type { AccountSource, OwnerConsole } from '../source';
import type { Act, Again, Visit, VisitAnswer, Visits } from '../visits';
import { accountPage, type ShownForm } from './account-page';
import { ALLOW_LABELS } from './key';
import { leavingPage } from './leaving';
import { PASSWORD_LABELS } from './sign-in';
import { TEAM_LABELS } from './team';

/** What the page reports after a form, by the name in its address: no other text of an address is shown. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['addresses', 'The allowed addresses are saved.'],
  ['password', 'The password is saved. Other devices are signed out.'],
  ['marketing', 'Your choice of email is saved.'],
  ['team', 'The key is saved.'],
  ['team-deleted', 'The key is deleted: calls with it fail from now on.'],
  ['overage', 'Overage is changed.'],
  ['referral', 'Your choice is saved. It counts from now on.'],
  ['cancelled', 'The plan is cancelled. You keep it until the end of the time that you have paid for.'],
]);

type Owned = (owner: OwnerConsole, visit: Visit) => Promise<VisitAnswer>;

export function accountRoutes({ get, post }: Visits, source: AccountSource): void {
  const owned =
    (act: Owned): Act =>
    async (visit) => {
      const owner = await source.signedIn(visit.visitor);
      return owner ? act(owner, visit) : SIGN_IN;
    };
  const shown =
    (formOf: (visit: Visit, error: AppError) => ShownForm): Again =>
    async (visit, error) => {
      const owner = await source.signedIn(visit.visitor);
      return owner ? withForm(owner, visit, formOf(visit, error)) : SIGN_IN;
    };
  const withForm = async (owner: OwnerConsole, { visitor }: Visit, form: ShownForm): Promise<VisitAnswer> => ({
    page: accountPage(await owner.view(), { visitor, source, form }),
  });
  const onPage = shown(({ form }, error) => ({ of: 'page', filled: refused(form, {}, error) }));

  get(
    '/account',
    owned(async (owner, { visitor, query }) => {
      const done = DONE.get(query.get('done') ?? '') ?? null;
      return { page: accountPage(await owner.view(query.get('webhook')), { visitor, source, done }) };
    }),
  );

  post(
    '/account/key/rotate',
    owned(async (owner, { form }) => {
      const minted = await owner.rotateKey(form.get('immediate') === 'yes');
      return { page: newKeyPage('Your new API key', minted, source.baseUrl) };
    }),
    onPage,
  );
  post(
    '/account/key/reveal',
    owned(async (owner) => {
      return { page: newKeyPage('Your new API key', await owner.revealKey(), source.baseUrl) };
    }),
    onPage,
  );
  post(
    '/account/addresses',
    owned(async (owner, { form }) => {
      await owner.allow(linesOf(form.get('ip_whitelist')));
      return { to: '/account?done=addresses' };
    }),
    shown(({ form }, error) => ({ of: 'addresses', filled: refused(form, ALLOW_LABELS, error) })),
  );

  const teamForm = (id: string | null, filled: Filled): ShownForm => ({ of: 'team', id, filled });
  post(
    '/account/team',
    owned(async (owner, visit) => {
      const draft = draftOf(visit.form);
      if (draft.label === '')
        return { status: 422, ...(await withForm(owner, visit, teamForm(null, again(visit.form, NO_LABEL)))) };
      return { page: newKeyPage(`Key for ${draft.label}`, await owner.addTeamKey(draft), source.baseUrl) };
    }),
    shown(({ form }, error) => teamForm(null, refused(form, TEAM_LABELS, error))),
  );
  post(
    '/account/team/:key_id',
    owned(async (owner, visit) => {
      const id = visit.params.key_id!;
      const draft = draftOf(visit.form);
      if (draft.label === '')
        return { status: 422, ...(await withForm(owner, visit, teamForm(id, again(visit.form, NO_LABEL)))) };
      await owner.changeTeamKey(id, draft);
      return { to: '/account?done=team' };
    }),
    shown(({ form, params }, error) => teamForm(params.key_id!, refused(form, TEAM_LABELS, error))),
  );
  post(
    '/account/team/:key_id/delete',
    owned(async (owner, { params }) => {
      await owner.endTeamKey(params.key_id!);
      return { to: '/account?done=team-deleted' };
    }),
    onPage,
  );

  post(
    '/account/password',
    owned(async (owner, { form }) => {
      await owner.setPassword({ current: form.get('current_password'), password: form.get('new_password') ?? '' });
      return { to: '/account?done=password' };
    }),
    shown(({ form }, error) => ({ of: 'password', filled: refused(form, PASSWORD_LABELS, error) })),
  );
  post(
    '/account/marketing',
    owned(async (owner, { form }) => {
      await owner.setMarketing(form.has('opt_in'));
      return { to: '/account?done=marketing' };
    }),
    onPage,
  );

  billingRoutes(post, owned, onPage);
  post(
    '/logout',
    owned(async (owner) => {
      await owner.signOut();
      return SIGNED_OUT;
    }),
  );
  post(
    '/account/sign-out-everywhere',
    owned(async (owner) => {
      await owner.signOutEverywhere();
      return SIGNED_OUT;
    }),
  );
}

const SIGN_IN: VisitAnswer = { to: '/login' };
const SIGNED_OUT: VisitAnswer = { to: '/login?done=signed-out' };

function billingRoutes(post: Visits['post'], owned: (act: Owned) => Act, onPage: Again): void {
  post(
    '/account/billing/upgrade',
    owned(async (owner, { form }) => {
      const [plan = '', interval = ''] = (form.get('offer') ?? '').split(' ');
      return { page: leavingPage(await owner.upgradeUrl(plan, interval)) };
    }),
    onPage,
  );
  post(
    '/account/billing/portal',
    owned(async (owner) => ({ page: leavingPage(await owner.portalUrl()) })),
    onPage,
  );
  post(
    '/account/billing/cancel',
    owned(async (owner) => {
      await owner.cancelPlan();
      return { to: '/account?done=cancelled' };
    }),
    onPage,
  );
  post(
    '/account/billing/overage',
    owned(async (owner, { form }) => {
      await owner.setOverage(form.get('on') === 'yes');
      return { to: '/account?done=overage' };
    }),
    onPage,
  );
  post(
    '/account/referral',
    owned(async (owner, { form }) => {
      await owner.choosePayout(form.get('payout') === 'none' ? 'none' : 'credits');
      return { to: '/account?done=referral' };
    }),
    onPage,
  );
}

const NO_LABEL = { label: 'Enter a label for the key.' };

const draftOf = (form: URLSearchParams) => ({
  label: (form.get('label') ?? '').trim(),
  allowed: linesOf(form.get('ip_whitelist')),
});
