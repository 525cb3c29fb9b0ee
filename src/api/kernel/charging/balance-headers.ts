// The headers about credits: the cost, the balance of the account and, near the limit, the plan that the measured use
// needs (D6, A 7).
import type { AppError } from '../../../errors';
import { type Burn, burnOf, type CreditMonth, includedCredits, isNearLimit, upgradeFor } from '../../../plans/credits';
import { monthlyCredits } from '../../../plans/overage';
import type { Balance } from '../../../store/credits/credits';
import type { Caller } from '../endpoint/caller';
import { CREDITS_USED, type MeteredCall, type SetHeader } from '../endpoint/meter';
import { outOfCredits, type Seller, setUpgradeHeaders } from '../endpoint/upgrade';

const COST = 'X-Credits-Cost';

/** `wallMs`: now, epoch milliseconds. */
export function createBalanceHeaders(seller: Seller, wallMs: () => number) {
  const burnSoFar = (
    { caller }: Pick<MeteredCall, 'caller'>,
    { used, remaining, lastAt }: Balance,
    period: CreditMonth,
  ): Burn => {
    const nowMs = wallMs();
    const lastMs = typeof lastAt === 'string' ? Date.parse(lastAt) : null;
    return burnOf({ used, remaining, lastMs }, period, Date.parse(caller.accountSince), nowMs);
  };

  const setBalance = (
    call: Pick<MeteredCall, 'caller' | 'setHeader'>,
    verdict: { readonly cost: number } | 'refused' | 'uncharged',
    balance: Balance,
    period: CreditMonth,
    burn = burnSoFar(call, balance, period),
  ): void => {
    const { caller, setHeader } = call;
    const { used, remaining } = balance;
    setCreditHeaders(setHeader, typeof verdict === 'string' ? 0 : verdict.cost, used, used + remaining, remaining);
    setHeader('X-Credits-Pct-Used', pctUsed(balance).toFixed(1));
    const { overage: allowed } = monthlyCredits(caller);
    if (balance.overage > 0 || allowed > 0) setHeader('X-Credits-Overage', String(balance.overage));
    const isNear = isNearLimit(used, includedCredits(used + remaining, { allowed, used: balance.overage }));
    if (isNear) setHeader('X-Credits-Warning', 'approaching-limit');
    const upgrade = isNear || verdict === 'refused' ? upgradeFor(caller.plan, burn) : null;
    if (upgrade) setUpgradeHeaders(setHeader, caller.plan, upgrade, seller);
  };

  return {
    setBalance,
    /** The 402 of the call, after setting its headers. */
    refusal(call: MeteredCall, balance: Balance, period: CreditMonth): AppError {
      const burn = burnSoFar(call, balance, period);
      setBalance(call, 'refused', balance, period, burn);
      return outOfCredits(call, balance.remaining, burn, period, seller.baseUrl);
    },
  };
}

/** For a call that is not charged, or not yet. */
export function setUncharged({ role }: Caller, setHeader: SetHeader): void {
  if (role === 'customer') setHeader(COST, '0');
  else setCreditHeaders(setHeader, 0, 0, 'unlimited', 'unlimited');
}

const pctUsed = ({ used, remaining }: Balance): number =>
  used + remaining === 0 ? 100 : (100 * used) / (used + remaining);

function setCreditHeaders(
  setHeader: SetHeader,
  cost: number,
  used: number,
  limit: number | 'unlimited',
  remaining: number | 'unlimited',
): void {
  setHeader(COST, String(cost));
  setHeader(CREDITS_USED, String(used));
  setHeader('X-Credits-Limit', String(limit));
  setHeader('X-Credits-Remaining', String(remaining));
}
