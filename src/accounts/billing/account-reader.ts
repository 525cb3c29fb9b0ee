// What an account has used and has left, by the figures of the last committed charge: the same as in the headers of a
// charge (D41).
import { type Burn, burnOf, type CreditMonth, includedCredits, periodAt } from '../../plans/credits';
import { monthlyCredits } from '../../plans/overage';
import type { Usage, UsageStore } from '../../store/credits/usage';
import type { ApiKeyRow } from '../../store/keys/keys';
import type { Payer } from './deps';

export interface AccountUse {
  readonly usage: Usage;
  readonly period: CreditMonth;
  readonly burn: Burn;
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  /** Of the limit, without overage. */
  readonly included: number | null;
  readonly remaining: number | null;
}

/** An account, and the key whose last use is read. */
interface ReadAccount extends Payer {
  readonly keyId: string;
  readonly accountSince: string;
  /** Whether overage is switched on. */
  readonly overage: boolean;
  readonly role: ApiKeyRow['role'];
}

export interface AccountReader {
  /** `days`: UTC days up to today, for `usage.inDays`. */
  read(of: ReadAccount, days?: number): Promise<AccountUse>;
  /** Epoch milliseconds. */
  wallMs(): number;
}

const DAY_MS = 86_400_000;

export function createAccountReader(store: UsageStore, wallMs: () => number): AccountReader {
  return {
    wallMs,
    async read(of, days = 1) {
      const { accountId, keyId, accountSince, role } = of;
      const nowMs = wallMs();
      const period = periodAt(nowMs);
      const since = new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10);
      const usage = await store.usage({ accountId, keyId, period: period.id, since });
      const { used, fromGrants, overage, granted } = usage;
      const monthly = monthlyCredits(of);
      const ofPlan = Math.max(0, monthly.allowance - (used - fromGrants - overage));
      const remaining = ofPlan + granted + Math.max(0, monthly.overage - overage);
      const [last] = usage.recentInPeriod;
      const use = { used, remaining, lastMs: last ? Date.parse(last.at) : null };
      const burn = burnOf(use, period, Date.parse(accountSince), nowMs);
      if (role !== 'customer') return { usage, period, burn, used, limit: null, included: null, remaining: null };
      const limit = used + remaining;
      const included = includedCredits(limit, { allowed: monthly.overage, used: overage });
      return { usage, period, burn, used, limit, included, remaining };
    },
  };
}
