// The headers of a response wait in one flat list until its head is written: a list goes out in one piece, where each `setHeader`
// costs as much as the rest of a small answer's way together.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Context, Middleware } from 'koa';
import { requestId } from './request-id';

/** The default policy upgrades every request of a page to https, which a plain local stack does not serve. */
const POLICY = { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } };

/** Of every response: none of them depends on the request. */
const EVERYWHERE: readonly string[] = [...securityHeaders(), 'Vary', 'Accept-Encoding'];

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

/** Opens the list; sets what is in it where nobody has written the head. A header that was set by then is left as it is. */
export const responseHeaders: Middleware = async (ctx, next) => {
  const id = requestId(ctx.req.headers['x-request-id']);
  ctx.state.requestId = id;
  ctx.state.headers = [...EVERYWHERE, 'X-Request-Id', id];
  await next();
  if (ctx.headerSent) return;
  const waiting = headersOf(ctx);
  for (let i = 0; i < waiting.length; i += 2) {
    if (!ctx.res.hasHeader(waiting[i]!)) ctx.set(waiting[i]!, waiting[i + 1]!);
  }
};
