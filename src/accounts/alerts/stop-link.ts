// The link in every mail of a price alert that stops all alerts of an account, without signing in. It proves itself by
// an HMAC and works for ever; its page has a button, because scanners of mail open every link (D40). Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PAGES } from '../pages';

const signatureOf = (accountId: string, secret: Buffer): string =>
  createHmac('sha256', secret).update(`${PAGES.stopAlerts}\n${accountId}`).digest('base64url');

/** As the `token` of the link: the account, a dot, its signature. */
export const stopToken = (accountId: string, secret: Buffer): string =>
  `${accountId}.${signatureOf(accountId, secret)}`;

/** The account whose alerts the token stops; null: it is no token of ours. */
export function accountOfStopToken(token: string, secret: Buffer): string | null {
  const [accountId = '', signature = ''] = token.split('.');
  const sent = Buffer.from(signature);
  const right = Buffer.from(signatureOf(accountId, secret));
  return sent.length === right.length && timingSafeEqual(sent, right) ? accountId : null;
}
