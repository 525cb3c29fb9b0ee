// Checks what HTTP itself defines about a request, before any operation sees it. Below this, an address is always a
// path with an optional query. Never assumes that an address is readable: Koa's `ctx.path` throws if it is not.
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../../errors';

const ORIGIN = /^https?:\/\/[^/?#]+/i;

/**
 * Reduces the absolute form of an address (RFC 9112 3.2.2) to its path and query. Leaves an unreadable one unchanged.
 */
export const localAddress: Middleware = (ctx, next) => {
  const { url = '' } = ctx.req;
  if (ORIGIN.test(url) && URL.canParse(url)) ctx.req.url = url.replace(ORIGIN, '').replace(/^(?!\/)/, '/');
  return next();
};

/** Refuses an unreadable address, and a wrong Host (RFC 9112 3.2). */
export const readableHead: Middleware = ({ req }, next) => {
  const problem = addressProblem(req) ?? hostProblem(req);
  if (problem !== null) throw new AppError('bad_request', problem);
  return next();
};

/** Together with a `#`, Koa reads this as a host with a user: it throws, or finds no path. */
const NAMES_USER = /^\/\/[^@/]+@/;

function addressProblem({ url = '' }: IncomingMessage): string | null {
  const isReadable = url.startsWith('/') ? !NAMES_USER.test(url) && canDecode(pathIn(url)) : url === '*';
  return isReadable ? null : `The address of the request cannot be read: ${url.slice(0, 200)}`;
}

function hostProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 0) return httpVersion === '1.0' ? null : 'The request has no Host header.';
  if (hosts > 1) return 'The request has more than one Host header.';
  return isHost(headers.host ?? '') ? null : 'The Host header is not a host with an optional port.';
}

/**
 * A name or an IP address, with an optional port, which may be empty (RFC 3986 3.2.3). All of it is empty if the client
 * knows none.
 */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[([\da-f:.]+)\])(?::(\d{0,5}))?$/i;

function isHost(host: string): boolean {
  if (host === '') return true;
  const [whole, ipv6, port] = HOST.exec(host) ?? [];
  if (whole === undefined || host.length > 260 || Number(port ?? 0) > 65_535) return false;
  return ipv6 === undefined || isIPv6(ipv6);
}

/** The path as it was sent, for logs: never the query, which may contain a key by mistake. */
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
