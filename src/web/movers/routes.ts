// The address of the movers.
import type Router from '@koa/router';
import type { SendPage } from '../past/routes';
import type { MoverPages } from './movers';
import { moverFilter, moversMain, moversPath } from './page';

const FRAGMENT = '/movers/fragment';
const EVERY_MS = 5000;

interface MoverRoutesDeps {
  readonly movers: MoverPages;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

export function moverPages(router: Router, { movers, now }: MoverRoutesDeps, send: SendPage): void {
  router.get(['/movers', FRAGMENT], async (ctx) => {
    const filter = moverFilter(ctx.query);
    const main = moversMain(await movers.read(), filter, now());
    const refresh = { path: moversPath(filter, FRAGMENT), everyMs: EVERY_MS };
    send(ctx, { title: 'Movers', canonical: moversPath(filter), main, refresh });
  });
}
