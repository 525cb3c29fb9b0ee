// The price alerts of the account of a session, and what its browsers may show of them.
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import type { AccountPagesDeps } from '../deps';
import { type Filled, refused } from '../forms/filled';
import type { OwnerVisits } from '../panels/owner-visits';
import type { VisitAnswer, Visits } from '../visits';
import { accountTag, NEWS_PATH, sendAlertNews } from './news';
import { ALERT_LABELS, ALERTS_PATH, alertsPage, signUpForAlerts } from './page';

const DONE: ReadonlyMap<string, string> = new Map([
  ['added', 'The alert is made. You are notified once, when a bookmaker pays your price.'],
  ['there', 'This alert was there already. Delete it to make it again.'],
  ['removed', 'The alert is deleted.'],
  ['stopped', 'No alert waits any more.'],
  ['mails', 'Your choice of mails is saved.'],
]);

const to = (done: string): VisitAnswer => ({ to: `${ALERTS_PATH}?done=${done}` });

const NO_NEWS = { open: 0, reached: [] };

export function alertRoutes({ get }: Visits, owner: OwnerVisits, { alerts, accounts }: AccountPagesDeps): void {
  const page = async (
    { accountId }: Session,
    fields: URLSearchParams,
    shown: { filled?: Filled; done?: string | null },
  ) => {
    const raceId = fields.get('race');
    const wish = { number: fields.get('runner') ?? '', market: fields.get('market') ?? 'win' };
    const offer = raceId === null ? null : await alerts.offer(raceId);
    const mailed = (await accounts.account(accountId)).alertMails ?? false;
    const account = accountTag(accountId);
    return alertsPage({ ...(await alerts.list(accountId)), account, mailed, offer, wish, ...shown });
  };

  get(ALERTS_PATH, async ({ browser, query }) => {
    const session = await browser.session();
    if (session === null) return { page: signUpForAlerts() };
    return { page: await page(session, query, { done: DONE.get(query.get('done') ?? '') ?? null }) };
  });
  owner.post(ALERTS_PATH, async (session, { form }) => {
    const order = {
      ...{ raceId: form.get('race') ?? '', number: form.get('runner') ?? '' },
      ...{ market: form.get('market') ?? '', atLeast: form.get('price') ?? '' },
    };
    try {
      return to(await alerts.add(session.accountId, order));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const filled = refused(form, ALERT_LABELS, error);
      return { status: error.status, page: await page(session, form, { filled }) };
    }
  });
  owner.post(`${ALERTS_PATH}/stop`, async ({ accountId }) => {
    await alerts.stop(accountId);
    return to('stopped');
  });
  owner.post(`${ALERTS_PATH}/:alert_id/delete`, async ({ accountId }, { params }) => {
    await alerts.remove(accountId, params.alert_id!);
    return to('removed');
  });

  owner.post(`${ALERTS_PATH}/mails`, async ({ accountId }, { form }) => {
    await accounts.setMails(accountId, 'alerts', form.has('on'));
    return to('mails');
  });
  get(NEWS_PATH, async ({ browser }) => {
    const session = await browser.session();
    const news = session === null ? NO_NEWS : await alerts.news(session.accountId);
    return { serve: async (ctx) => sendAlertNews(ctx, session?.accountId ?? null, news) };
  });
}
