// Which addresses a webhook may be posted to (D30, D60): only public ones, in any notation. Pure.
import ipaddr from 'ipaddr.js';

/** For tests and the local stack; all false in production. */
export interface AddressRules {
  /** This machine's own addresses, on any port. */
  readonly allowLoopback: boolean;
  /** `http://`, on any port. */
  readonly allowHttp: boolean;
}

/** All that was ever assigned to networks of the public internet. */
const GIVEN_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const DOCUMENTATION_V6 = ipaddr.parseCIDR('3fff::/20') as [ipaddr.IPv6, number];
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/** Whether a webhook may be posted to `address`, in dotted decimal or IPv6. */
export function mayBePosted(address: string, { allowLoopback }: Pick<AddressRules, 'allowLoopback'>): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = innermost(ipaddr.parse(address));
  if (parsed.range() === 'loopback') return allowLoopback;
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(...GIVEN_V6) && !parsed.match(...DOCUMENTATION_V6));
}

/**
 * An IPv4 address written as IPv6 reaches the IPv4 address. 6to4 and Teredo are not allowed at all, because anyone may
 * run a relay.
 */
function innermost(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(...NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
