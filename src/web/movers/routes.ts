// The address of the movers.
import type Router from '@koa/router';
import type { SendPage } from '../past/routes';
import type { MoverPages } from './movers';
import { moverFilter, moversMain, moversPath } from './page';

interface MoverRoutesDeps {
  readonly movers: MoverPages;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

export function moverPages(router: Router, { movers, now }: MoverRoutesDeps, send: SendPage): void {
  router.get('/movers', async (ctx) => {
    const filter = moverFilter(ctx.query);
    const main = moversMain(await movers.read(), filter, now());
    send(ctx, { title: 'Movers', canonical: moversPath(filter), main });
  });
}
