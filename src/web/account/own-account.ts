// Reads the account that its page shows, by the services of accounts and from the stores. Every read is the account's
// own. The hash of the password, and secrets in addresses of webhooks, never leave this file: no template gets them.
import type { Accounts } from '../../accounts/accounts';
import type { AccountReader, AccountUse } from '../../accounts/billing/account-reader';
import type { Billing } from '../../accounts/billing/billing';
import type { Standing } from '../../accounts/billing/standing';
import type { OwnedKeys } from '../../accounts/keys/owned-keys';
import { withoutQuery } from '../../accounts/leaving/without-query';
import type { Referrals } from '../../accounts/referral/referrals';
import type { Session } from '../../accounts/visitor';
import { periodAt } from '../../plans/credits';
import { type NextPlan, nextPlan } from '../../plans/next-plan';
import type { Plan } from '../../plans/plans';
import type { RightName } from '../../plans/rights';
import type { OwnedAccount } from '../../store/accounts/owners';
import type { Referral } from '../../store/accounts/referrals';
import type { DailyUsageStore, DayUsage } from '../../store/credits/daily-usage';
import type { OverageStore } from '../../store/credits/overage';
import type { RefusedCallStore, RefusedSum } from '../../store/keys/refused-calls';
import type { AccountKey } from '../../store/keys/team-keys';
import type { StoredWebhook, WebhookStore } from '../../store/webhooks/webhooks';
import type { StoredWidget, WidgetStore } from '../../store/widgets/widgets';
import type { OwnedAlerts } from './alerts/source';

export interface OwnAccountDeps {
  readonly accounts: Pick<Accounts, 'account'>;
  readonly account: AccountReader;
  readonly billing: Billing;
  readonly ownedKeys: OwnedKeys;
  readonly referrals: Referrals;
  readonly dailyUsage: DailyUsageStore;
  readonly overage: Pick<OverageStore, 'overage'>;
  readonly webhooks: Pick<WebhookStore, 'list'>;
  readonly widgets: Pick<WidgetStore, 'list'>;
  readonly refusedCalls: Pick<RefusedCallStore, 'sums' | 'newest'>;
  readonly alerts: OwnedAlerts;
  /** The rights that operations ask for. */
  readonly served: ReadonlySet<RightName>;
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
}

export interface OwnAccount extends Pick<OwnedAccount, 'email' | 'marketingOptIn' | 'creditMails' | 'alertMails'> {
  readonly baseUrl: string;
  readonly hasPassword: boolean;
  readonly plan: Plan;
  readonly next: NextPlan | null;
  /** Null: every key of the account was withdrawn. */
  readonly primary: AccountKey | null;
  readonly team: readonly AccountKey[];
  /** Of the primary key: older keys have rights of their own. */
  readonly issuedAt: string;
  readonly use: AccountUse;
  readonly days: readonly DayUsage[];
  /** Null: this service takes no payments, with which rewards come. */
  readonly payments: { readonly standing: Standing; readonly isOverageOn: boolean; readonly referral: Referral } | null;
  /** Their addresses are without a query. */
  readonly webhooks: readonly StoredWebhook[];
  readonly widgets: readonly StoredWidget[];
  readonly refused: readonly RefusedSum[];
  /** Price alerts that wait. */
  readonly openAlerts: number;
}

/** Names no key, so that none was used. */
const NO_KEY = '00000000-0000-0000-0000-000000000000';

export async function readOwnAccount(deps: OwnAccountDeps, session: Session): Promise<OwnAccount> {
  const { accountId, plan } = session;
  const { account, baseUrl } = deps;
  const at = new Date(account.wallMs()).toISOString();
  const period = periodAt(account.wallMs()).id;
  const { passwordHash, ...owned } = await deps.accounts.account(accountId);
  const { email, marketingOptIn, creditMails, alertMails } = owned;
  const { keys, primary, issuedAt, overage, use } = await readKeysAndUse(deps, session);
  return {
    ...{ baseUrl, email, marketingOptIn, creditMails, alertMails },
    ...{ hasPassword: passwordHash !== null, plan, primary, issuedAt },
    next: nextPlan(plan, issuedAt, deps.served),
    team: keys.filter(({ isPrimary }) => !isPrimary),
    use,
    days: await deps.dailyUsage.inPeriod(accountId, period, 'endpoint'),
    payments: deps.billing.sells ? await readPayments(deps, session, overage) : null,
    webhooks: (await deps.webhooks.list(accountId)).map((one) => ({ ...one, url: withoutQuery(one.url) })),
    widgets: await deps.widgets.list(accountId, at),
    refused: await deps.refusedCalls.sums(accountId, at),
    openAlerts: await deps.alerts.countOpen(accountId),
  };
}

type KeysAndUseDeps = Pick<OwnAccountDeps, 'account' | 'ownedKeys' | 'overage'>;

/** The keys of the account, by which of them it is judged, and what it may still use. */
export async function readKeysAndUse({ account, ownedKeys, overage }: KeysAndUseDeps, session: Session) {
  const { accountId, accountSince, plan } = session;
  const keys = await ownedKeys.list(accountId);
  const primary = primaryOf(keys);
  const isOverageOn = (await overage.overage(accountId, periodAt(account.wallMs()).id))?.on ?? false;
  const of = { accountId, accountSince, plan, keyId: primary?.keyId ?? NO_KEY, overage: isOverageOn } as const;
  const use = await account.read({ ...of, role: 'customer' });
  return { keys, primary, issuedAt: primary?.issuedAt ?? accountSince, overage: isOverageOn, use };
}

const readPayments = async (
  { billing, referrals }: OwnAccountDeps,
  session: Session,
  isOverageOn: boolean,
): Promise<OwnAccount['payments']> => ({
  standing: await billing.standing(session),
  referral: await referrals.read(session.accountId),
  isOverageOn,
});

/** Null: every key of the account was withdrawn. */
export const primaryOf = (keys: readonly AccountKey[]): AccountKey | null =>
  keys.find(({ isPrimary }) => isPrimary) ?? null;
