// Exporting and closing the account of a session.
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import type { AccountPagesDeps } from '../deps';
import { EMPTY, refused } from '../forms/filled';
import type { OwnerVisits } from '../panels/owner-visits';
import type { VisitAnswer } from '../visits';
import { CLOSE_LABELS, type ClosedByOwner, closePage } from './close-page';
import { exportPage } from './export-page';

const CLOSED: VisitAnswer = { to: '/login?done=closed' };

export function closingRoutes({ get, post }: OwnerVisits, { accounts, billing, account }: AccountPagesDeps): void {
  const read = async (session: Session): Promise<ClosedByOwner> => ({
    account: await accounts.account(session.accountId),
    standing: billing.sells ? await billing.standing(session) : null,
  });

  get('/account/export', async () => ({ page: exportPage() }));
  post('/account/export', async ({ accountId }) => {
    const day = new Date(account.wallMs()).toISOString().slice(0, 10);
    const pieces = await accounts.exported(accountId);
    const type = 'application/json; charset=utf-8';
    return { download: { name: `racing-odds-account-${day}.json`, type, pieces } };
  });

  get('/account/close', async (session) => ({ page: closePage(await read(session), EMPTY) }));
  post('/account/close', async (session, { browser, form }) => {
    const { accountId } = session;
    try {
      await accounts.close(
        { accountId, email: form.get('email') ?? '', password: form.get('password') },
        browser.visitor,
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { status: error.status, page: closePage(await read(session), refused(form, CLOSE_LABELS, error)) };
    }
    browser.forgetSession();
    return CLOSED;
  });
}
