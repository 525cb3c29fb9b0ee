// Opens an account for a customer on behalf of an operator (A 1, D14): a plan, a primary key, and an owner if the
// address is given.
import { AppError, invalid } from '../../errors';
import { PLAN_IDS } from '../../plans/plans';
import type { NewAccounts } from '../../store/accounts/new-accounts';
import { type Address, readAddress } from '../email/address';
import { mailboxOf } from '../email/mailbox';
import { refuseThrowAway } from '../email/throw-away';
import { newKey, type Random } from './new-key';

interface AccountOrder {
  /** One that is sold. */
  readonly plan: string;
  /** Of the key. */
  readonly label: string;
  /**
   * The operator vouches that it is the owner's, and that the owner has accepted the terms. Null: the account has no
   * sign-in.
   */
  readonly email: string | null;
}

interface OpenedAccount {
  readonly accountId: string;
  /** Nowhere else. */
  readonly key: string;
}

/**
 * Throws `validation` for what is no address, `conflict` if the address has an account. For a Free account `conflict`
 * also if another spelling of the mailbox has one, and `disposable_address`.
 */
export type OpenAccount = (order: AccountOrder) => Promise<OpenedAccount>;

export function createOpenAccount(accounts: NewAccounts, wallMs: () => number, random: Random): OpenAccount {
  return async (order) => {
    const address = order.email === null ? null : addressOf(order.email);
    const onePerMailbox = order.plan === FREE;
    if (address && onePerMailbox) refuseThrowAway(address);
    const email = address?.email ?? null;
    const { key, hash, last4 } = newKey(random);
    const at = new Date(wallMs()).toISOString();
    const accountId = await accounts.open({ ...order, email, mailboxOf, onePerMailbox, hash, last4, at });
    if (accountId === null)
      throw new AppError('conflict', `${email} has an account already${onePerMailbox ? OR_SPELLING : ''}.`);
    return { accountId, key };
  };
}

const FREE = PLAN_IDS[0];
const OR_SPELLING = ', perhaps under another spelling';

/** The form under which its owner is found at sign-in. */
function addressOf(text: string): Address {
  const address = readAddress(text.trim());
  if (address) return address;
  throw invalid([{ parameter: 'email', detail: 'email must be an email address, as jo@example.com.' }]);
}
