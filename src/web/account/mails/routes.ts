// The links that stop mails of a list, without a session: the token is all that they need. A mail program posts to
// the address of the link itself (RFC 8058), the button of its page posts a form.
import type { MailList } from '../../../store/accounts/mails';
import type { AccountPagesDeps } from '../deps';
import type { Visits } from '../visits';
import { LISTS, mailsStoppedPage, noStopLinkPage, stopMailsPage } from './page';

export function mailStopRoutes({ get, postByLink }: Visits, { mailStops }: Pick<AccountPagesDeps, 'mailStops'>): void {
  for (const list of Object.keys(LISTS) as MailList[]) {
    const { path } = LISTS[list];
    get(path, async ({ query }) => {
      const token = query.get('token') ?? '';
      return (await mailStops.isLink(list, token))
        ? { page: stopMailsPage(list, token) }
        : { status: 404, page: noStopLinkPage(true) };
    });
    postByLink(path, async ({ form, query }) =>
      (await mailStops.stop(list, form.get('token') ?? query.get('token') ?? ''))
        ? { page: mailsStoppedPage(list) }
        : { status: 404, page: noStopLinkPage(false) },
    );
  }
}
