// How many accounts one network may open: five in 24 hours, counted when the account is opened, because only that gives
// credits. Never depends on an address, so it tells nothing of one.
import { AppError } from '../errors';
import type { AddressBudget } from '../store/redis/address-budget';

const MOST_ACCOUNTS = 5;
const WITHIN_MS = 24 * 3_600_000;

/**
 * Throws `rate_limit` if the network has opened its accounts. Resolves to what gives the place back, for an account
 * that was not opened.
 */
export async function takeAccountShare(counts: AddressBudget, network: string): Promise<() => Promise<void>> {
  const share = [`accounts of ${network}`, MOST_ACCOUNTS, WITHIN_MS] as const;
  const waitMs = await counts.take(...share);
  if (waitMs === 0) return () => counts.giveBack(...share);
  const detail = `Each network may open ${MOST_ACCOUNTS} accounts in 24 hours, and from yours so many were opened. Sign in, if one of them is yours.`;
  throw new AppError('rate_limit', detail, { retry_after_seconds: Math.ceil(waitMs / 1000) });
}

/**
 * Before a link to open an account is mailed: throws `rate_limit` if it could not be used in this network. Takes
 * nothing.
 */
export async function requireAccountShare(counts: AddressBudget, network: string): Promise<void> {
  const giveBack = await takeAccountShare(counts, network);
  await giveBack();
}
