// Redeems a mailed link of any purpose except a new password, and keeps the session of those that sign in.
import type { Static } from '@sinclair/typebox';
import type { Accounts } from '../../../accounts/accounts';
import { AppError } from '../../../errors';
import type { Browser } from '../../kernel/session/browser';
import { keepSignedIn, visitorOf } from '../../kernel/session/visitor';
import type { LinkRedeemed } from './credentials-schema';
import { presentLoginByLink, presentReplacedKey, presentVerified } from './present-account-owner';

export async function redeemLink(
  accounts: Accounts,
  token: string,
  browser: Browser,
  baseUrl: string,
): Promise<Static<typeof LinkRedeemed>> {
  const { purpose } = await accounts.viewLink(token);
  const visitor = visitorOf(browser, baseUrl);
  if (purpose === 'reset')
    throw new AppError('conflict', 'This link sets a new password: send it to /v1/password/reset.');
  if (purpose === 'change_email' || purpose === 'undo_email')
    throw new AppError('conflict', 'This link changes the address of an account: open its page.');
  if (purpose === 'replace_key') return presentReplacedKey(await accounts.replaceKey(token, visitor));
  if (purpose === 'verify') {
    const verified = await accounts.verify(token, visitor);
    keepSignedIn(browser, baseUrl, verified.signedIn);
    return presentVerified(verified);
  }
  const signedIn = await accounts.loginByLink(token, visitor);
  keepSignedIn(browser, baseUrl, signedIn);
  return presentLoginByLink(signedIn);
}
