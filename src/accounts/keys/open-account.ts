// Opens an account for a customer on behalf of an operator (A 1, D14): a plan, a primary key, and an owner if the address is given.
import { AppError } from '../../errors';
import type { NewAccounts } from '../../store/accounts/new-accounts';
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

/** Throws `conflict` if the address has an account. */
export type OpenAccount = (order: AccountOrder) => Promise<OpenedAccount>;

export function createOpenAccount(accounts: NewAccounts, wallMs: () => number, random: Random): OpenAccount {
  return async (order) => {
    const { key, hash, last4 } = newKey(random);
    const accountId = await accounts.open({ ...order, hash, last4, at: new Date(wallMs()).toISOString() });
    if (accountId === null) throw new AppError('conflict', `${order.email} has an account already.`);
    return { accountId, key };
  };
}
