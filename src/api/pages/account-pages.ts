// What the account pages take of the API: their source over its services, and what is HTTP in them.
import { randomBytes } from 'node:crypto';
import type { Accounts } from '../../accounts/accounts';
import { type Billing, NO_BILLING } from '../../accounts/billing/billing';
import { createReferrals } from '../../accounts/referral/referrals';
import { ownOrigins } from '../../own-origin';
import type { AddressBudget } from '../../store/redis/address-budget';
import type { Stores } from '../../store/stores';
import type { AccountSource } from '../../web/account/source';
import type { AccountPagesDeps } from '../../web/account/visits';
import { type ProblemLog, refusalOf } from '../kernel/http/problem';
import { readForm } from '../kernel/input/form';
import { createAddressCount } from '../kernel/limits/address-count';
import { createIpLimit } from '../kernel/limits/ip-limit';
import { browserOf } from '../kernel/session/browser';
import { createSessions } from '../kernel/session/session';
import { ENDPOINTS } from '../operations';
import { createAccountReader } from '../operations/account/account-reader';
import { createKeyServices, type KeyStores } from '../operations/keys/keys';
import { createConsole } from './console/console';

interface AccountPages {
  readonly stores: KeyStores &
    Pick<Stores, 'usage' | 'dailyUsage' | 'overage' | 'sessions' | 'referralCodes' | 'ownedWebhooks' | 'ownedWidgets'>;
  readonly accounts: Accounts;
  /** Default: the service takes no payments. */
  readonly billing?: Billing;
  /** Default: this process counts alone. */
  readonly addressBudget?: AddressBudget;
  readonly baseUrl: string;
  /** Default: that of `baseUrl`. */
  readonly ownOrigins?: readonly string[];
  wallMs(): number;
  readonly log: ProblemLog;
}

export function createAccountPages({
  stores,
  accounts,
  billing = NO_BILLING,
  addressBudget,
  ...rest
}: AccountPages): AccountPagesDeps {
  const { baseUrl, ownOrigins: own = ownOrigins(baseUrl), wallMs, log } = rest;
  const { usage, dailyUsage, overage, sessions, referralCodes, ownedWebhooks, ownedWidgets } = stores;
  const source = createConsole({
    accounts,
    billing,
    account: createAccountReader(usage, wallMs),
    ownedKeys: createKeyServices(stores, wallMs).ownedKeys,
    ipLimit: createIpLimit(createAddressCount(addressBudget ?? null, wallMs)),
    referrals: createReferrals(referralCodes, randomBytes),
    dailyUsage,
    overage,
    sessions,
    baseUrl,
    ownOrigins: own,
    webhooks: ownedWebhooks,
    widgets: ownedWidgets,
    find: createSessions(sessions, baseUrl, own, wallMs).find,
    served: new Set(ENDPOINTS.flatMap(({ gate }) => gate?.right ?? [])),
  });
  return accountPagesOver(source, log);
}

export const accountPagesOver = (source: AccountSource, log: ProblemLog): AccountPagesDeps => ({
  source,
  visitorOf: (ctx) => browserOf(ctx, source.baseUrl),
  readForm,
  refusalOf: (ctx, error) => refusalOf(ctx, error, log),
});
