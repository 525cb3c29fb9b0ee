// Lets scripts of every origin call the operations and read the document (CORS). Keys are sent in a header and never in
// a cookie, so credentials are not allowed. Pages are readable by their own origin only.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { methodsAt } from './methods';

/**
 * Whether the address, a path with an optional query, is open to other origins: operations, the document, the public
 * reports and the feeds. `/mcp` checks the origin itself.
 */
export const isCrossOrigin = (url: string): boolean =>
  /^\/(?:v1\/|(?:v1|mcp|[a-z-]+\.json|openapi\.yaml|changelog\.xml)(?:\?|$))/.test(url);

/** Whether other sites may use the address: each widget's own policy states which. */
export const isEmbedded = (url: string): boolean => url.startsWith('/widgets/');

/** The response headers that scripts may read. */
export const EXPOSED = [
  'X-Request-Id',
  'ETag',
  'X-Data-Age-Seconds',
  'Retry-After',
  'Link',
  'X-Total-Rows',
  'X-Rows-Offset',
  'Location',
  'Allow',
  'WWW-Authenticate',
  'Accept-Encoding',
  'Accept-Ranges',
  'Content-Range',
  'Content-Disposition',
  'X-Horizon-Hours',
  'X-Horizon-Used-Hours',
  'X-Credits-Cost',
  'X-Credits-Used',
  'X-Credits-Limit',
  'X-Credits-Remaining',
  'X-Credits-Pct-Used',
  'X-Credits-Overage',
  'X-Credits-Warning',
  'X-Upgrade-Plan',
  'X-Upgrade-Credits',
  'X-Upgrade-Price-AUD',
  'X-Upgrade-Url',
  'X-Upgrade-Covers',
  'X-Upgrade-Sized-For',
  'X-Upgrade-Checkout-Method',
  'X-Upgrade-Checkout-Endpoint',
  'X-Upgrade-Checkout-Body',
  'X-Upgrade-Prorated',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Policy',
  'RateLimit',
  'RateLimit-Policy',
  'X-Archive-Window-Days',
];

/** Sent with every response of an address that is open. */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED.join(', '),
};

const SENT_HEADERS = [
  'X-API-Key',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'If-Range',
  'Last-Event-ID',
  'X-Request-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];
/** A day; browsers shorten it. */
const PREFLIGHT_SECONDS = 86_400;

/** Answers a preflight, for free and without a key, because a preflight carries none. */
export function preflight(routers: readonly Router[]): Middleware {
  return (ctx, next) => {
    const isPreflight = ctx.req.method === 'OPTIONS' && 'access-control-request-method' in ctx.req.headers;
    if (!isPreflight || !isCrossOrigin(ctx.req.url ?? '')) return next();
    const methods = methodsAt(routers, ctx.path);
    if (methods.length === 0) return next();
    ctx.set('Access-Control-Allow-Methods', methods.join(', '));
    ctx.set('Access-Control-Allow-Headers', SENT_HEADERS.join(', '));
    ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
    ctx.status = 204;
    return undefined;
  };
}
