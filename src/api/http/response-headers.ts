// Collects the headers of a response in one flat list that is written at once: calling `setHeader` for each of them costs as much as
// all other work on a small response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';
import type { Context, Middleware } from 'koa';
import { framedBy, isCrossOrigin, isEmbedded, openedTo } from './cross-origin';
import { requestId } from './request-id';

/** The default policy upgrades every request of a page to https, which a plain local stack does not serve. */
const POLICY: HelmetOptions = {
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null, frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
};

/** Sent with every response of pages. */
const EVERYWHERE: readonly string[] = [...securityHeaders(), 'Vary', 'Accept-Encoding'];

/** Sent with every response of operations, and with refusals that have no address. */
export const CROSS_ORIGIN = openedTo(EVERYWHERE);

/** Sent with every response of widgets. */
const EMBEDDED = framedBy(EVERYWHERE);

function securityHeaders(): string[] {
  const flat: string[] = [];
  const recorder = { setHeader: (name: string, value: string) => flat.push(name, value), removeHeader: () => {} };
  helmet(POLICY)({} as IncomingMessage, recorder as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  return flat;
}

/** Name, value, name, value, … */
export const headersOf = (ctx: Context): string[] => ctx.state.headers as string[];

/** Starts the list, and sets its headers if the response has not written its head by then. Never overwrites a header that is set. */
export const responseHeaders: Middleware = async (ctx, next) => {
  const id = requestId(ctx.req.headers['x-request-id']);
  ctx.state.requestId = id;
  const url = ctx.req.url ?? '';
  const usual = isCrossOrigin(url) ? CROSS_ORIGIN : isEmbedded(url) ? EMBEDDED : EVERYWHERE;
  ctx.state.headers = [...usual, 'X-Request-Id', id];
  await next();
  if (ctx.headerSent) return;
  const pending = headersOf(ctx);
  for (let i = 0; i < pending.length; i += 2) {
    if (!ctx.res.hasHeader(pending[i]!)) ctx.set(pending[i]!, pending[i + 1]!);
  }
};
