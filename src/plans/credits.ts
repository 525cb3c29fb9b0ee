// Credits by UTC month (D12), and the plan that a rate of use needs. Pure: the instant is an argument.
import { PLANS, type Plan } from './plans';

const DAY_MS = 86_400_000;

/** A UTC month. */
export interface CreditMonth {
  /** Its first day, `YYYY-MM-01`. */
  readonly id: string;
  readonly startMs: number;
  /** The first instant of the next month. */
  readonly endMs: number;
}

export function periodAt(ms: number): CreditMonth {
  const at = new Date(ms);
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  return { id: new Date(startMs).toISOString().slice(0, 10), startMs, endMs };
}

/** From 80 % used (D6), in whole numbers, so that headers and `/v1/usage` never differ by a rounding. */
export const isNearLimit = (used: number, limit: number): boolean => 5 * used >= 4 * limit;

/**
 * `limit`: all that may be used in a month, at no more than the plan's price: without overage, `allowed` now or already
 * used.
 */
export const includedCredits = (limit: number, overage: { readonly allowed: number; readonly used: number }): number =>
  limit - Math.max(overage.allowed, overage.used);

/** An account's use of credits in this month, measured since the account exists. */
export interface Burn {
  readonly perDay: number;
  /** Credits of the whole month at this rate, from the account's first day on. */
  readonly projected: number;
  /** False on the first day, whose use counts as that of a whole day: `projected` is then a minimum. */
  readonly measured: boolean;
}

/** Fewer count as none: most calls cost less, and an account that stops at them has not stopped by itself. */
const FEW_LEFT = 20;

/** The use of a month, and when a call was last charged; null: unknown. */
interface Use {
  readonly used: number;
  readonly remaining: number;
  readonly lastMs: number | null;
}

/** Days without remaining credits do not count: they would hide the rate at which the others were used. */
export function burnOf(
  { used, remaining, lastMs }: Use,
  { startMs, endMs }: CreditMonth,
  accountSinceMs: number,
  nowMs: number,
): Burn {
  const sinceMs = Math.max(startMs, accountSinceMs);
  const untilMs = remaining < FEW_LEFT && lastMs !== null ? Math.min(lastMs, nowMs) : nowMs;
  const days = Math.max(DAY_MS, untilMs - sinceMs) / DAY_MS;
  const perDay = used / days;
  const left = Math.max(0, endMs - Math.max(untilMs, sinceMs + DAY_MS)) / DAY_MS;
  return { perDay, projected: Math.ceil(used + perDay * left), measured: nowMs - sinceMs >= DAY_MS };
}

export interface Upgrade {
  readonly plan: Plan & { readonly monthlyPriceAud: number };
  /** Whether it has the credits that the rate needs. */
  readonly covers: boolean;
  /** The credits of a month at the measured rate; null if the rate is not measured yet. */
  readonly sizedFor: number | null;
}

/**
 * The cheapest plan on sale above this one that covers the rate, otherwise the largest; null if there is none above it.
 */
export function upgradeFor(plan: Plan, burn: Burn): Upgrade | null {
  const above = PLANS.filter(isOnSale).filter(({ rank }) => rank > plan.rank);
  const enough = above.find(({ monthlyCredits }) => monthlyCredits >= burn.projected);
  const best = enough ?? above.at(-1);
  const sizedFor = burn.measured ? burn.projected : null;
  return best ? { plan: best, covers: enough !== undefined, sizedFor } : null;
}

const isOnSale = (plan: Plan): plan is Upgrade['plan'] => plan.monthlyPriceAud !== null;
