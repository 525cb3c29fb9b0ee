// X-Request-Id on every response: the caller's when it is a UUID or 32 hex digits, otherwise minted (D4).
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { headersOf } from './response-headers';

const ACCEPTED = /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export const requestId: Middleware = (ctx, next) => {
  const sent = ctx.req.headers['x-request-id'];
  const id = typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID().replaceAll('-', '');
  ctx.state.requestId = id;
  headersOf(ctx).push('X-Request-Id', id);
  return next();
};
