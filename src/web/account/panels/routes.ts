// The account page and what its buttons do.
import { AppError } from '../../../errors';
import { addressRoutes } from '../address/routes';
import { alertRoutes } from '../alerts/routes';
import { jobRoutes } from '../backfill/routes';
import { closingRoutes } from '../closing/routes';
import { creditRoutes } from '../credits/routes';
import type { AccountPagesDeps } from '../deps';
import { newKeyPage } from '../entry/new-key';
import { fileRoutes } from '../files/routes';
import { linesOf } from '../forms/fields';
import { refused } from '../forms/filled';
import { mailStopRoutes } from '../mails/routes';
import { primaryOf, readOwnAccount } from '../own-account';
import { passkeyRoutes } from '../passkeys/routes';
import { refusedRoutes } from '../refused/routes';
import type { VisitAnswer, Visits } from '../visits';
import { webhookRoutes } from '../webhooks/routes';
import { accountPage } from './account-page';
import { billingRoutes } from './billing-routes';
import { ALLOW_LABELS } from './key';
import { createOwnerVisits, type OwnerVisits, onPage } from './owner-visits';
import { PASSWORD_LABELS } from './sign-in';
import { teamRoutes } from './team-routes';

/** What the page reports after a form, by the name in its address: no other text of an address is shown. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['addresses', 'The allowed addresses are saved.'],
  ['password', 'The password is saved. Other devices are signed out.'],
  ['address', 'Your account has the new address.'],
  ['marketing', 'Your choice of email is saved.'],
  ['team', 'The key is saved.'],
  ['team-deleted', 'The key is deleted: calls with it fail from now on.'],
  ['webhook-deleted', 'The webhook is deleted: nothing is posted to it from now on.'],
  ['overage', 'Overage is changed.'],
  ['paid', 'The payment is received. The plan counts from now on.'],
  ['paying', 'Your order is received. The plan counts once the payment is confirmed, usually within a minute.'],
  ['referral', 'Your choice is saved. It counts from now on.'],
  ['cancelled', 'The plan is cancelled. You keep it until the end of the time that you have paid for.'],
]);

/** From the provider's page of payment, whose id leaves the address. */
const BACK = { paid: '/account?done=paid', paying: '/account?done=paying', unknown: '/account' } as const;

export function accountRoutes(visits: Visits, deps: AccountPagesDeps): void {
  const owner = createOwnerVisits(visits, deps);
  owner.get('/account', async (session, { browser: { address }, query }) => {
    const checkout = query.get('checkout');
    if (checkout !== null && deps.billing.sells)
      return { to: BACK[(await deps.billing.returned(session, checkout)) ?? 'unknown'] };
    if (query.get('from') === 'billing' && deps.billing.sells) {
      await deps.billing.cameBack(session);
      return { to: '/account' };
    }
    const done = DONE.get(query.get('done') ?? '') ?? null;
    return { page: accountPage(await readOwnAccount(deps, session), { address, done }) };
  });
  creditRoutes(owner, deps);
  refusedRoutes(owner, deps);
  webhookRoutes(owner, deps);
  jobRoutes(owner, deps);
  fileRoutes(owner, deps);
  keyRoutes(owner, deps);
  teamRoutes(owner, deps);
  settingsRoutes(owner, deps);
  billingRoutes(owner, deps);
  addressRoutes(owner, deps);
  passkeyRoutes(owner, deps);
  alertRoutes(visits, owner, deps);
  mailStopRoutes(visits, deps);
  closingRoutes(owner, deps);
  signOutRoutes(owner, deps);
}

function keyRoutes({ post }: OwnerVisits, { ownedKeys, judge, baseUrl }: AccountPagesDeps): void {
  const title = 'Your new API key';
  post(
    '/account/key/rotate',
    async ({ accountId }, { browser: { visitor }, form }) => {
      const minted = await ownedKeys.rotatePrimary(accountId, form.get('immediate') === 'yes', visitor);
      return { page: newKeyPage(title, minted, baseUrl) };
    },
    onPage,
  );
  // Mints a replacement for a key that is lost, because no key is stored.
  post(
    '/account/key/reveal',
    async ({ accountId }, { browser: { visitor } }) => ({
      page: newKeyPage(title, await ownedKeys.reveal(accountId, visitor), baseUrl),
    }),
    onPage,
  );
  post(
    '/account/addresses',
    async ({ accountId }, { browser: { visitor }, form }) => {
      const primary = primaryOf(await ownedKeys.list(accountId));
      if (!primary) throw new AppError('conflict', 'The account has no key that works.');
      const addresses = judge.addresses(linesOf(form.get('ip_whitelist')));
      await ownedKeys.restrict({ accountId, keyId: primary.keyId }, addresses, visitor);
      return { to: '/account?done=addresses' };
    },
    ({ form }, error) => ({ of: 'addresses', filled: refused(form, ALLOW_LABELS, error) }),
  );
}

function settingsRoutes({ post }: OwnerVisits, { accounts, judge }: AccountPagesDeps): void {
  post(
    '/account/password',
    async ({ accountId }, { browser: { visitor }, form }) => {
      const change = { current: form.get('current_password'), password: form.get('new_password') ?? '' };
      judge.password(change);
      await accounts.setPassword({ accountId, ...change }, visitor);
      return { to: '/account?done=password' };
    },
    ({ form }, error) => ({ of: 'password', filled: refused(form, PASSWORD_LABELS, error) }),
  );
  post(
    '/account/credit-mails',
    async ({ accountId }, { form }) => {
      await accounts.setMails(accountId, 'credits', form.has('on'));
      return { to: '/account?done=marketing' };
    },
    onPage,
  );
  post(
    '/account/marketing',
    async ({ accountId }, { form }) => {
      await accounts.setMarketing(accountId, form.has('opt_in'));
      return { to: '/account?done=marketing' };
    },
    onPage,
  );
}

const SIGNED_OUT: VisitAnswer = { to: '/login?done=signed-out' };

function signOutRoutes({ post }: OwnerVisits, { sessions }: AccountPagesDeps): void {
  post('/logout', async ({ tokenHash }, { browser }) => {
    await sessions.remove(tokenHash);
    browser.forgetSession();
    return SIGNED_OUT;
  });
  post('/account/sign-out-everywhere', async ({ accountId }, { browser }) => {
    await sessions.removeAll(accountId);
    browser.forgetSession();
    return SIGNED_OUT;
  });
}
