// Operations about an account's money and people: its owner may call them by a session or by the primary key, but not
// by a team key.
import { AppError } from '../../../errors';
import type { Account } from './auth';
import type { Call } from './endpoint';

/** The account of the owner. Throws a 403. */
export function ownAccount({ account, caller }: Pick<Call, 'account' | 'caller'>): Account {
  if (caller && !caller.isPrimary) throw new AppError('plan_required', PRIMARY_ONLY);
  return account!;
}

export const PRIMARY_ONLY = 'Only the primary key of the account may call this operation.';
