// Collects the headers of a response in one flat list that is written at once: calling `setHeader` for each of them
// costs as much as all other work on a small response.
import type { Context, Middleware } from 'koa';
import { DATA, SECURITY_HEADERS, SHARED_DATA, transportSecurity } from '../../../security-headers';
import { CORS, isCrossOrigin, isEmbedded } from './cross-origin';
import { requestId } from './request-id';

const VARY = { Vary: 'Accept-Encoding' };

const flat = (...parts: readonly Readonly<Record<string, string>>[]): readonly string[] =>
  Object.entries(Object.assign({}, ...parts) as Record<string, string>).flat();

/** Sent with every response of operations, and with refusals that have no address. */
export const crossOriginHeaders = (baseUrl: string): readonly string[] =>
  flat(SHARED_DATA, transportSecurity(baseUrl), VARY, CORS);

/** Name, value, name, value, … */
export const headersOf = (ctx: Context): string[] => ctx.state.headers as string[];

/**
 * Starts the list, and sets its headers if the response has not written its head by then. Never overwrites a header
 * that is set.
 */
export function responseHeaders(baseUrl: string): Middleware {
  const crossOrigin = crossOriginHeaders(baseUrl);
  const embedded = flat(SHARED_DATA, transportSecurity(baseUrl), VARY);
  const own = flat(DATA, transportSecurity(baseUrl), VARY);
  return async (ctx, next) => {
    const id = requestId(ctx.req.headers['x-request-id']);
    ctx.state.requestId = id;
    const url = ctx.req.url ?? '';
    const usual = isCrossOrigin(url) ? crossOrigin : isEmbedded(url) ? embedded : own;
    ctx.state.headers = [...usual, 'X-Request-Id', id];
    await next();
    if (!ctx.headerSent) setMissing(ctx);
  };
}

/** A document has all of its security headers: what it omits, it omits on purpose. */
function setMissing(ctx: Context): void {
  const isDocument = ctx.res.hasHeader('Content-Security-Policy');
  const pending = headersOf(ctx);
  for (let i = 0; i < pending.length; i += 2) {
    const name = pending[i]!;
    if (!ctx.res.hasHeader(name) && !(isDocument && SECURITY_HEADERS.includes(name))) ctx.set(name, pending[i + 1]!);
  }
}
