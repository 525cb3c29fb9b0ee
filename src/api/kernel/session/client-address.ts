// The address that a request comes from. Behind proxies it is read from X-Forwarded-For, but only as far as trusted
// proxies wrote it, because any client can send that header. Never throws, whatever the header contains.
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Context, Middleware } from 'koa';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../../../trusted-proxies';

export interface Client {
  /**
   * In the shortest form; an IPv4 address written as IPv6 (`::ffff:`) becomes IPv4. Empty if the connection is gone.
   */
  readonly address: string;
  /** What limits count: an IPv4 address, or the /64 of an IPv6 address, because one customer has all of it. */
  readonly network: string;
}

export const clientOf = (ctx: Context): Client => ctx.state.client as Client;

export function clientAddress(trusted: TrustedProxies): Middleware {
  const read = clientReader(trusted);
  return (ctx, next) => {
    ctx.state.client = read(ctx.req);
    return next();
  };
}

export function clientReader(trusted: TrustedProxies): (request: IncomingMessage) => Client {
  const trust = trustOf(trusted);
  return (request) => {
    // From the connection's own address outwards, up to the first that no trusted proxy wrote.
    const hops = proxyAddr.all(request, trust).map(bare);
    const address = shortest(hops.findLast((hop) => isIP(hop) > 0) ?? '');
    return { address, network: networkOf(address) };
  };
}

/** What limits count for a connection; null if a trusted proxy opened it, for many clients, or it is gone. */
export function networkReader(trusted: TrustedProxies): (socket: Pick<Socket, 'remoteAddress'>) => string | null {
  const trust = trustOf(trusted);
  return ({ remoteAddress }) => {
    const address = bare(remoteAddress);
    return isIP(address) === 0 || trust(address, 0) ? null : networkOf(shortest(address));
  };
}

function trustOf(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if (typeof trusted === 'number') return (_, hop) => hop < trusted;
  const listed = proxyAddr.compile([...trusted]);
  return (address, hop) => isIP(bare(address)) > 0 && listed(bare(address), hop);
}

/**
 * Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. A zone (`fe80::1%br-lan`) is a name local to this
 * machine.
 */
function bare(hop: string | undefined): string {
  const [, inBrackets, v4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop ?? '') ?? [];
  return (inBrackets ?? v4 ?? hop ?? '').replace(/%.*/, '');
}

const shortest = (address: string): string =>
  address === '' || isIPv4(address) ? address : ipaddr.process(address).toString();

function networkOf(address: string): string {
  if (address === '' || isIPv4(address)) return address;
  const groups = (ipaddr.parse(address) as ipaddr.IPv6).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
