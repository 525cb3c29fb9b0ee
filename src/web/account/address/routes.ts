// Changing the address of the account of a session. What the mailed links open is in `entry/routes.ts`.
import { AppError } from '../../../errors';
import type { AccountPagesDeps } from '../deps';
import { again, EMPTY, type Filled, refused } from '../forms/filled';
import type { OwnerVisits } from '../panels/owner-visits';
import { ADDRESS_LABELS, addressPage, addressSentPage } from './address-page';

export function addressRoutes({ get, post }: OwnerVisits, { accounts }: AccountPagesDeps): void {
  get('/account/email', async ({ accountId }) => ({ page: addressPage(await accounts.account(accountId), EMPTY) }));
  get('/account/email/sent', async () => ({ page: addressSentPage() }));
  post('/account/email', async ({ accountId }, { browser, form }) => {
    const wish = { accountId, email: form.get('email') ?? '', password: form.get('password') };
    try {
      await accounts.askAddressChange(wish, browser.visitor);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { status: error.status, page: addressPage(await accounts.account(accountId), filledOf(form, error)) };
    }
    return { to: '/account/email/sent' };
  });
}

/** An address that cannot receive mail is what is wrong with its field. */
const filledOf = (form: URLSearchParams, error: AppError): Filled =>
  error.status === 400 ? again(form, { email: error.message }) : refused(form, ADDRESS_LABELS, error);
