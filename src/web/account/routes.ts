// The addresses of the account pages.
import type Router from '@koa/router';
import { entryRoutes } from './entry/routes';
import { accountRoutes } from './panels/routes';
import { type AccountPagesDeps, createVisits, type SendAccountPage } from './visits';

export function accountPages(router: Router, deps: AccountPagesDeps, send: SendAccountPage): void {
  const visits = createVisits(router, deps, send);
  entryRoutes(visits, deps.source);
  accountRoutes(visits, deps.source);
}
