// The link in every mail of a list that stops the mails of that list, without signing in: of one account and one list.
// It proves itself by an HMAC and works for ever. Its page has a button, because scanners of mail open every link
// (D40); mail programs stop the list by a POST to the same address (RFC 8058).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailList } from '../../store/accounts/mails';
import type { OwnerStore } from '../../store/accounts/owners';
import { linkTo, PAGES } from '../pages';

const STOP_PAGES = { alerts: 'stopAlerts', credits: 'stopCreditMails' } as const satisfies Record<
  MailList,
  keyof typeof PAGES
>;

const signatureOf = (list: MailList, accountId: string, secret: Buffer): string =>
  createHmac('sha256', secret).update(`${PAGES[STOP_PAGES[list]]}\n${accountId}`).digest('base64url');

interface StopLink {
  readonly baseUrl: string;
  readonly secret: Buffer;
}

/** Its `token` is the account, a dot, its signature. */
export const stopUrl = (list: MailList, accountId: string, { baseUrl, secret }: StopLink): string =>
  linkTo(baseUrl, STOP_PAGES[list], `${accountId}.${signatureOf(list, accountId, secret)}`);

/** The one in the text of a mail, a line of its own. Null: there is none. */
export const stopUrlIn = (list: MailList, body: string): string | null =>
  body.split('\n').find((line) => URL.canParse(line) && line.includes(`${PAGES[STOP_PAGES[list]]}?token=`)) ?? null;

interface MailStopDeps {
  readonly owners: Pick<OwnerStore, 'setMails'>;
  linkSecret(): Promise<Buffer>;
}

export interface MailStops {
  /** Whether the token is one of ours, for this list. */
  isLink(list: MailList, token: string): Promise<boolean>;
  /** False: it is no link of ours. A closed account has no mails to stop. */
  stop(list: MailList, token: string): Promise<boolean>;
}

export function createMailStops({ owners, linkSecret }: MailStopDeps): MailStops {
  /** Null: the token is none of ours. */
  const accountOf = async (list: MailList, token: string): Promise<string | null> => {
    const [accountId = '', signature = ''] = token.split('.');
    const sent = Buffer.from(signature);
    const right = Buffer.from(signatureOf(list, accountId, await linkSecret()));
    return sent.length === right.length && timingSafeEqual(sent, right) ? accountId : null;
  };
  return {
    isLink: async (list, token) => (await accountOf(list, token)) !== null,
    async stop(list, token) {
      const accountId = await accountOf(list, token);
      if (accountId !== null) await owners.setMails(accountId, list, false);
      return accountId !== null;
    },
  };
}
