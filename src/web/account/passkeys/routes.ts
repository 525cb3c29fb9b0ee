// The passkeys of the account of a session. Signing in with one is in `entry/routes.ts`.
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import type { AccountPagesDeps } from '../deps';
import { again, refused } from '../forms/filled';
import type { AccountPage } from '../page';
import type { OwnerVisits } from '../panels/owner-visits';
import type { Visit, VisitAnswer } from '../visits';
import { PASSKEY_LABELS, type PasskeyForm, passkeysPage } from './list-page';
import { newPasskeyPage } from './use-page';

const DONE: ReadonlyMap<string, string> = new Map([
  ['added', 'The passkey is added. Sign in with it next time.'],
  ['renamed', 'The name is saved.'],
  ['removed', 'The passkey is removed.'],
]);

const to = (done: string): VisitAnswer => ({ to: `/account/passkeys?done=${done}` });

type Act = (session: Session, visit: Visit) => Promise<VisitAnswer>;

type ShowPage = (session: Session, shown: { done?: string | null; form?: PasskeyForm }) => Promise<AccountPage>;

/** A form that is refused is shown again with the reason. */
const shownAgain =
  (page: ShowPage, of: PasskeyForm['of'], act: Act): Act =>
  async (session, visit) => {
    const id = visit.params.passkey_id ?? null;
    try {
      if (of !== 'remove' && labelOf(visit) === '') {
        const filled = again(visit.form, { label: 'Enter a name for the passkey.' });
        return { status: 422, page: await page(session, { form: { of, id, filled } }) };
      }
      return await act(session, visit);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || error.code === 'rate_limit') throw error;
      const filled = refused(visit.form, PASSKEY_LABELS, error);
      return { status: error.status, page: await page(session, { form: { of, id, filled } }) };
    }
  };

export function passkeyRoutes({ get, post }: OwnerVisits, { accounts, judge }: AccountPagesDeps): void {
  const page: ShowPage = async ({ accountId }, shown) =>
    passkeysPage({
      ...{ passkeys: await accounts.passkeys(accountId), account: await accounts.account(accountId) },
      ...shown,
    });

  const form = (of: PasskeyForm['of'], act: Act): Act => shownAgain(page, of, act);
  get('/account/passkeys', async (session, { query }) => ({
    page: await page(session, { done: DONE.get(query.get('done') ?? '') }),
  }));
  post(
    '/account/passkeys',
    form('add', async ({ accountId }, { browser: { visitor }, ...visit }) => {
      const label = judge.label(labelOf(visit));
      const wish = { accountId, password: visit.form.get('password') };
      return { page: newPasskeyPage(await accounts.requestNewPasskey(wish, visitor), label) };
    }),
  );
  post(
    '/account/passkeys/new',
    form('add', async ({ accountId }, { browser: { visitor }, ...visit }) => {
      const response = visit.form.get('credential') ?? '';
      await accounts.addPasskey({ accountId, label: judge.label(labelOf(visit)), response }, visitor);
      return to('added');
    }),
  );
  post(
    '/account/passkeys/:passkey_id/rename',
    form('rename', async ({ accountId }, visit) => {
      await accounts.renamePasskey(accountId, visit.params.passkey_id!, judge.label(labelOf(visit)));
      return to('renamed');
    }),
  );
  post(
    '/account/passkeys/:passkey_id/remove',
    form('remove', async ({ accountId }, { browser: { visitor }, form, params }) => {
      await accounts.removePasskey(
        { accountId, password: form.get('password'), passkeyId: params.passkey_id! },
        visitor,
      );
      return to('removed');
    }),
  );
}

const labelOf = ({ form }: Pick<Visit, 'form'>): string => (form.get('label') ?? '').trim();
