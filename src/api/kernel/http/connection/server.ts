// The API's HTTP server and every limit that it puts on connections. A request that is unreadable, late or opens a
// tunnel gets a problem document too (D5), or nothing if no byte of it came.
import { createServer, type Server } from 'node:http';
import type Koa from 'koa';
import type { TrustedProxies } from '../../../../trusted-proxies';
import { networkReader } from '../../session/client-address';
import { boundPerAddress } from './address-bound';
import { oneAtATime } from './one-at-a-time';
import { refuseUnreadable } from './unreadable';

export interface ServerLimits {
  /**
   * An inactive connection is closed, even if only a response is not being read. Node notices a stalled write at the
   * second of these intervals; 0: never.
   */
  readonly idleMs: number;
  /** From the first byte of a request to the end of its headers, and to the end of its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Between two requests of a connection; 0: no limit. */
  readonly keepAliveMs: number;
  /** Further connections are closed at once. */
  readonly connections: number;
  /** Per IPv4 address or IPv6 /64 that is not a trusted proxy. */
  readonly connectionsPerAddress: number;
}

export interface ServerPlace {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly trustedProxies: TrustedProxies;
}

export const LIMITS: ServerLimits = {
  // After a late request got its 408.
  idleMs: 35_000,
  headersMs: 20_000,
  requestMs: 30_000,
  // Longer than a load balancer keeps an idle connection (60 s), so that it never sends a request on a closing one.
  keepAliveMs: 65_000,
  connections: 2000,
  // Well above what the workers of one customer behind one address open.
  connectionsPerAddress: 256,
};

/** How often late requests are looked for. */
const CHECK_MS = 2000;
const HEADER_BYTES = 16_384;
/** Every client sends far fewer. */
const HEADERS = 200;

export function createApiServer(app: Koa, { baseUrl, trustedProxies }: ServerPlace, limits: ServerLimits): Server {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
    maxHeaderSize: HEADER_BYTES,
    // `readableHead` refuses a request without Host, with a problem document.
    requireHostHeader: false,
  };
  const server = createServer(options, oneAtATime(app.callback()));
  server.timeout = limits.idleMs;
  server.maxConnections = limits.connections;
  boundPerAddress(server, limits.connectionsPerAddress, networkReader(trustedProxies));
  server.maxHeadersCount = HEADERS;
  // An expectation other than 100-continue may be ignored (RFC 9110 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  refuseUnreadable(server, baseUrl);
  return server;
}

/** Rejects if the server fails, so that the process ends with the reason. */
export const serverFailed = (server: Server): Promise<never> =>
  new Promise((_, reject) => server.once('error', reject));

const DRAIN_MS = 10_000;

/** Accepts no new connection and ends when the last response is sent; connections that last longer are cut off. */
export function drained(server: Server, cutOff: AbortController): Promise<void> {
  // Otherwise a connection in use would get further requests, and the cut-off would interrupt one of them.
  server.keepAliveTimeout = 1;
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((done) => {
    const late = setTimeout(() => {
      cutOff.abort();
      server.closeAllConnections();
    }, DRAIN_MS);
    server.close(() => {
      clearTimeout(late);
      done();
    });
  });
}
