// The account page in plain values: owner, keys, credits of the month and plan. Every read is the account's own.
import type { AccountReader } from '../../../accounts/billing/account-reader';
import type { OwnedKeys } from '../../../accounts/keys/owned-keys';
import type { Session } from '../../../accounts/visitor';
import { isNearLimit, periodAt } from '../../../plans/credits';
import { publicKeyId } from '../../../plans/key-id';
import type { RightName } from '../../../plans/rights';
import type { DailyUsageStore } from '../../../store/credits/daily-usage';
import type { AccountKey } from '../../../store/keys/team-keys';
import type { AccountView, CreditUse, KeyCard } from '../../../web/account/source';
import { billingCard, type PaymentDeps, referralCard } from './payments';
import { nextPlan, planCard } from './plan-cards';
import { type WebhookReads, webhookCards } from './webhook-cards';
import { type WidgetReads, widgetCards } from './widget-cards';

export interface ViewDeps extends PaymentDeps, WidgetReads {
  readonly account: AccountReader;
  readonly ownedKeys: Pick<OwnedKeys, 'list'>;
  readonly dailyUsage: DailyUsageStore;
  readonly webhooks: WebhookReads;
  /** The rights that operations ask for. */
  readonly served: ReadonlySet<RightName>;
}

/** Who owns the account. */
type Owner = Pick<AccountView, 'email' | 'hasPassword' | 'marketingOptIn'>;

export async function accountView(
  deps: ViewDeps,
  session: Session,
  owner: Owner,
  webhook: string | null,
): Promise<AccountView> {
  const { plan, accountId, accountSince } = session;
  const period = periodAt(deps.account.wallMs()).id;
  const keys = await deps.ownedKeys.list(accountId);
  const primary = keys.find(({ isPrimary }) => isPrimary);
  const issuedAt = primary?.issuedAt ?? accountSince;
  return {
    ...owner,
    plan: planCard(plan),
    next: nextPlan(plan, issuedAt, deps.served),
    key: primary ? keyCard(primary) : null,
    team: keys.filter(({ isPrimary }) => !isPrimary).map(keyCard),
    credits: await creditUse(deps, session, primary?.keyId ?? NO_KEY, period),
    billing: await billingCard(deps, session, period),
    referral: await referralCard(deps, session),
    webhooks: await webhookCards(deps.webhooks, session, issuedAt, webhook),
    widgets: await widgetCards(deps, session, issuedAt, deps.account.wallMs()),
  };
}

/** Names no key, so that none was used. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';

async function creditUse(deps: ViewDeps, session: Session, keyId: string, period: string): Promise<CreditUse> {
  const { accountId, accountSince, plan } = session;
  const { account, dailyUsage } = deps;
  const [overage, days] = await Promise.all([
    deps.overage.overage(accountId, period),
    dailyUsage.inPeriod(accountId, period),
  ]);
  const use = await account.read({
    accountId,
    accountSince,
    plan,
    keyId,
    overage: overage?.on ?? false,
    role: 'customer',
  });
  return {
    startMs: use.period.startMs,
    resetMs: use.period.endMs,
    used: use.used,
    limit: use.limit!,
    isNear: isNearLimit(use.used, use.included!),
    remaining: use.remaining!,
    granted: use.usage.granted,
    projected: use.burn.measured ? use.burn.projected : null,
    days,
  };
}

const epochMs = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

const keyCard = (key: AccountKey): KeyCard => ({
  id: publicKeyId(key.keyId),
  label: key.label,
  last4: key.last4,
  isPrimary: key.isPrimary,
  createdMs: Date.parse(key.issuedAt),
  rotatedMs: epochMs(key.rotatedAt),
  previousValidUntilMs: epochMs(key.previousValidUntil),
  lastUsedMs: epochMs(key.lastUsedAt),
  calls: key.calls,
  credits: key.credits,
  allowed: key.allowedAddresses,
});
