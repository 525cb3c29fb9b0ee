// Opens an account for a customer on behalf of an operator (A 1, D14): a plan, a primary key, and an owner if the address is given.
import { AppError, invalid } from '../../errors';
import type { NewAccounts } from '../../store/accounts/new-accounts';
import { readAddress } from '../email/address';
import { newKey, type Random } from './new-key';

interface AccountOrder {
  /** One that is sold. */
  readonly plan: string;
  /** Of the key. */
  readonly label: string;
  /** The operator vouches that it is the owner's, and that the owner has accepted the terms. Null: the account has no sign-in. */
  readonly email: string | null;
}

interface OpenedAccount {
  readonly accountId: string;
  /** Nowhere else. */
  readonly key: string;
}

/** Throws `validation` for what is no address, `conflict` if the address has an account. */
export type OpenAccount = (order: AccountOrder) => Promise<OpenedAccount>;

export function createOpenAccount(accounts: NewAccounts, wallMs: () => number, random: Random): OpenAccount {
  return async (order) => {
    const email = order.email === null ? null : addressOf(order.email);
    const { key, hash, last4 } = newKey(random);
    const accountId = await accounts.open({ ...order, email, hash, last4, at: new Date(wallMs()).toISOString() });
    if (accountId === null) throw new AppError('conflict', `${email} has an account already.`);
    return { accountId, key };
  };
}

/** The form under which its owner is found at sign-in. */
function addressOf(text: string): string {
  const address = readAddress(text.trim());
  if (address) return address.email;
  throw invalid([{ parameter: 'email', detail: 'email must be an email address, as jo@example.com.' }]);
}
