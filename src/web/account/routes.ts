// The addresses of the account pages.
import type Router from '@koa/router';
import type { AccountPagesDeps } from './deps';
import { entryRoutes } from './entry/routes';
import { accountRoutes } from './panels/routes';
import { createVisits, type SendAccountPage } from './visits';

export function accountPages(router: Router, deps: AccountPagesDeps, send: SendAccountPage): void {
  const visits = createVisits(router, deps, send);
  entryRoutes(visits, deps);
  accountRoutes(visits, deps);
}
