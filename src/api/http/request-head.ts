// Judges what HTTP itself defines of a request, before any operation sees it. Below this, an address is always a path with an optional
// query. Never trusts that an address can be read: Koa's `ctx.path` throws if it cannot.
import type { Context, Middleware } from 'koa';
import { AppError } from '../../errors';

const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** Reduces the absolute form of an address (RFC 9112 3.2.2) to its path and query. Leaves one that cannot be read as it is. */
export const localAddress: Middleware = (ctx, next) => {
  const { url = '' } = ctx.req;
  if (ORIGIN.test(url) && URL.canParse(url)) ctx.req.url = url.replace(ORIGIN, '').replace(/^(?!\/)/, '/');
  return next();
};

/** Refuses an address that cannot be read. */
export const readableHead: Middleware = (ctx, next) => {
  const { url = '' } = ctx.req;
  if (url.startsWith('/') ? !canDecode(pathIn(url)) : url !== '*') {
    throw new AppError('bad_request', `The address of the request cannot be read: ${url.slice(0, 200)}`);
  }
  return next();
};

/** The path as it was sent, for logs: never the query, which may have a key in it by mistake. */
export const sentPath = ({ req }: Context): string => pathIn(req.url ?? '').slice(0, 200);

const pathIn = (url: string): string => /^[^?#]*/.exec(url)![0];

function canDecode(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
