// The forms of plan, payment and referral. A form that calls the payment provider counts with the operations that do.
import { AppError } from '../../../errors';
import { INTERVALS } from '../../../plans/prices';
import type { AccountPagesDeps } from '../deps';
import { leavingPage } from './leaving';
import { type OwnerVisits, onPage } from './owner-visits';

export function billingRoutes({ post }: OwnerVisits, { billing, referrals }: AccountPagesDeps): void {
  post(
    '/account/billing/upgrade',
    async (session, { browser, form }) => {
      const [plan = '', text] = (form.get('offer') ?? '').split(' ');
      const interval = INTERVALS.find((one) => one === text);
      if (!interval) throw new AppError('conflict', 'Choose a plan to change to.');
      await browser.countProviderCall();
      return { page: leavingPage((await billing.upgradeLink(session, { plan, interval })).url) };
    },
    onPage,
  );
  post(
    '/account/billing/portal',
    async (session, { browser }) => {
      await browser.countProviderCall();
      return { page: leavingPage((await billing.portal(session)).url) };
    },
    onPage,
  );
  post(
    '/account/billing/cancel',
    async (session, { browser }) => {
      await browser.countProviderCall();
      await billing.cancel(session);
      return { to: '/account?done=cancelled' };
    },
    onPage,
  );
  post(
    '/account/billing/overage',
    async (session, { browser, form }) => {
      await browser.countProviderCall();
      await billing.setOverage(session, form.get('on') === 'yes');
      return { to: '/account?done=overage' };
    },
    onPage,
  );
  post(
    '/account/referral',
    async ({ accountId }, { form }) => {
      await referrals.choose(accountId, form.get('payout') === 'none' ? 'none' : 'credits');
      return { to: '/account?done=referral' };
    },
    onPage,
  );
}
