// Decides which operations a key may call by its role (D14, A 1), before its request is read. A pusher's key pushes one
// book's prices and sees nothing.
import { AppError } from '../../../errors';
import type { Caller } from './caller';
import type { Endpoint } from './endpoint';

/** `params`: the parameters of the path, as sent. Throws a 403. */
export function requireRole(
  { auth, pushedBook }: Pick<Endpoint, 'auth' | 'pushedBook'>,
  { role, bookmakerKey }: Caller,
  params: Readonly<Record<string, string>>,
): void {
  if (role === 'pusher') {
    if (pushedBook !== undefined && params[pushedBook] === bookmakerKey) return;
    throw new AppError('plan_required', `This key may only push the prices of ${bookmakerKey}.`);
  }
  if (auth === 'internal' && role !== 'internal') throw new AppError('plan_required', OPERATORS_ONLY);
}

export const OPERATORS_ONLY = 'Only operator keys may call this operation; no plan includes it.';
