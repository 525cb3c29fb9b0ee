// X-Request-Id on every response: the caller's when it is a UUID or 32 hex digits, otherwise minted (D4).
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

const ACCEPTED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export const requestId: Middleware = async (ctx, next) => {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = ACCEPTED.test(sent) ? sent : randomUUID().replaceAll('-', '');
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};
