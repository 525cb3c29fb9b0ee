// The addresses of the pictures for shared pages. They are asked for again each time, because a race goes on.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { namesTag } from '../../entity-tags';
import { SHARED_DATA } from '../../security-headers';
import type { Cards, Picture } from './cards';

export const CARD_PATHS = { home: '/cards/home.png', docs: '/cards/docs.png', board: '/cards/board.png' } as const;

export const raceCardPath = (raceId: string): string => `/race/${encodeURIComponent(raceId)}/card.png`;

export function cardRoutes(router: Router, cards: Cards): void {
  for (const name of ['home', 'docs', 'board'] as const)
    router.get(CARD_PATHS[name], async (ctx) => sendPicture(ctx, await cards[name]()));
  router.get('/race/:race_id/card.png', async (ctx) => {
    const picture = await cards.race(ctx.params.race_id!);
    if (picture !== null) sendPicture(ctx, picture);
  });
}

function sendPicture(ctx: Context, { png, hash }: Picture): void {
  ctx.set(SHARED_DATA);
  ctx.set('Cache-Control', 'public, no-cache');
  ctx.set('ETag', `"${hash}"`);
  ctx.status = 200;
  if (namesTag(ctx.req.headers['if-none-match'], `"${hash}"`)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'image/png';
  ctx.body = png;
}
