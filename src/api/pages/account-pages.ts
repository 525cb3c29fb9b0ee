// What the account pages take of the API: their source over its services, and what is HTTP in them.
import type { Stores } from '../../store/stores';
import type { AccountSource } from '../../web/account/source';
import type { AccountPagesDeps } from '../../web/account/visits';
import { type ProblemLog, refusalOf } from '../kernel/http/problem';
import { readForm } from '../kernel/input/form';
import { browserOf } from '../kernel/session/browser';
import { ENDPOINTS } from '../operations';
import type { Parts } from '../parts';
import { createConsole } from './console/console';

interface AccountPages {
  readonly parts: Pick<Parts, 'services' | 'ipLimit' | 'sessions'>;
  readonly stores: Pick<Stores, 'dailyUsage' | 'overage' | 'ownedWebhooks' | 'ownedWidgets'>;
  readonly baseUrl: string;
  readonly ownOrigins: readonly string[];
  readonly log: ProblemLog;
}

export function createAccountPages({ parts, stores, baseUrl, ownOrigins, log }: AccountPages): AccountPagesDeps {
  const { services, ipLimit, sessions } = parts;
  const { accounts, billing, account, ownedKeys, referrals } = services;
  const { dailyUsage, overage, ownedWebhooks: webhooks, ownedWidgets: widgets } = stores;
  const source = createConsole({
    ...{ accounts, billing, account, ownedKeys, referrals, ipLimit, baseUrl, ownOrigins },
    ...{ dailyUsage, overage, webhooks, widgets },
    sessions: services.sessions,
    find: sessions.find,
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
