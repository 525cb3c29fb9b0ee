// The account's own view of its credits, in the shapes of its responses.
import type { Static } from '@sinclair/typebox';
import type { AccountUse } from '../../../accounts/billing/account-reader';
import { maskAddress } from '../../../accounts/email/address';
import { hintOf } from '../../../accounts/keys/new-key';
import { isNearLimit, type Upgrade, upgradeFor } from '../../../plans/credits';
import { publicKeyId } from '../../../plans/key-id';
import { PLANS, type Plan } from '../../../plans/plans';
import type { Activity } from '../../../store/credits/usage';
import type { Caller } from '../../kernel/endpoint/caller';
import { checkoutFor, type Seller, upgradeUrl } from '../../kernel/endpoint/upgrade';
import { roundPct } from '../../wire/rounded';
import { presentScopes } from '../keys/present-keys';
import type { KeyInfo } from './key-info-schema';
import type { Usage, UsageAnalytics } from './usage-schema';

const DAY_MS = 86_400_000;
const instant = (ms: number): string => new Date(ms).toISOString();

export function presentUsage(caller: Caller, use: AccountUse, nowMs: number, seller: Seller): Static<typeof Usage> {
  const { usage, period, burn, used, limit, included, remaining } = use;
  const isNear = included !== null && isNearLimit(used, included);
  const isShort = included !== null && burn.projected > included;
  const upgrade = isNear || isShort ? upgradeFor(caller.plan, burn) : null;
  const reset = instant(period.endMs);
  const emptyMs = remaining === null || used === 0 ? Infinity : nowMs + (remaining / burn.perDay) * DAY_MS;
  const recent = ({ endpoint, credits, at }: Activity) => ({ endpoint, credits, ts: at });
  return {
    plan: caller.plan.id,
    account_email_masked: usage.email && maskAddress(usage.email),
    credits_used: used,
    credits_limit: limit,
    credits_remaining: remaining,
    credits_overage: usage.overage,
    reset_at: reset,
    period_start: instant(period.startMs),
    next_reset_at: reset,
    burn_rate_per_day: roundPct(burn.perDay),
    projected_month_end_credits: burn.projected,
    projected_exhaustion_date: emptyMs < period.endMs ? instant(emptyMs).slice(0, 10) : null,
    warning: isNear ? 'approaching-limit' : null,
    upgrade: upgrade && presentUpgrade(caller.plan, upgrade, seller),
    all_time: { ...totals(usage.allTime), endpoints: usage.allTime.length },
    all_time_by_endpoint: [...usage.allTime],
    usage_by_endpoint: [...usage.allTime],
    recent_activity: usage.recent.map(recent),
    usage_by_endpoint_period: [...usage.inPeriod],
    recent_activity_period: usage.recentInPeriod.map(recent),
    plans: Object.fromEntries(
      PLANS.map(({ id, monthlyCredits, monthlyPriceAud }) => [
        id,
        { credits_per_month: monthlyCredits, price_aud: monthlyPriceAud },
      ]),
    ),
  };
}

function presentUpgrade(now: Plan, upgrade: Upgrade, seller: Seller) {
  const { plan, covers, sizedFor } = upgrade;
  const checkout = checkoutFor(now, upgrade, seller);
  return {
    recommended_plan: plan.id,
    credits_per_month: plan.monthlyCredits,
    price_aud: plan.monthlyPriceAud,
    url: upgradeUrl(seller.baseUrl),
    covers_projected_need: covers,
    sized_for_credits_per_month: sizedFor,
    checkout: checkout && {
      method: checkout.method,
      endpoint: checkout.endpoint,
      body: { email: null, ...checkout.body },
    },
  };
}

export function presentAnalytics(
  kind: 'rolling' | 'billing',
  use: AccountUse,
  days: number,
  nowMs: number,
): Static<typeof UsageAnalytics> {
  const { usage, period, used, limit, remaining } = use;
  const startMs = kind === 'billing' ? period.startMs : startOfDay(nowMs) - (days - 1) * DAY_MS;
  const rows = kind === 'billing' ? usage.inPeriod : usage.inDays;
  const { calls, credits } = totals(rows);
  return {
    period: kind,
    period_days: kind === 'billing' ? roundPct((nowMs - startMs) / DAY_MS) : days,
    period_start: instant(startMs),
    period_end: instant(nowMs),
    credits_limit: limit,
    credits_used_this_period: used,
    credits_remaining: remaining,
    total_calls: calls,
    total_credits: credits,
    by_endpoint: [...rows],
  };
}

export function presentKey(caller: Caller, { usage, used, limit, remaining }: AccountUse): Static<typeof KeyInfo> {
  return {
    key_hint: hintOf(caller.last4),
    plan: caller.plan.id,
    org_id: caller.accountId,
    org_name: null,
    credits_used: used,
    credits_limit: limit,
    credits_remaining: remaining,
    key_version: caller.version,
    last_used_at: usage.lastUsedAt,
    last_used_ip: null,
    ip_whitelist: [...caller.allowedAddresses],
    scopes: presentScopes(caller.scopes),
    created_at: caller.issuedAt,
    rotated_at: caller.rotatedAt,
    key_id: publicKeyId(caller.keyId),
    label: caller.label,
    is_primary: caller.isPrimary,
    valid_until: caller.expiresAt,
  };
}

const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

function totals(rows: AccountUse['usage']['allTime']): { calls: number; credits: number } {
  const sum = (pick: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return { calls: sum((row) => row.calls), credits: sum((row) => row.credits) };
}
