// The addresses that may use a key (A 5.3). Checked before the rate limit (D7), so that a request from elsewhere uses
// none of it.
import { BlockList, isIPv4 } from 'node:net';
import { AppError } from '../../../errors';
import type { Caller } from '../endpoint/caller';

/** By the ranges of a caller, which are cached as long as it is. */
const lists = new WeakMap<readonly string[], BlockList>();

/** `ranges`: CIDR, IPv4 or IPv6; empty: every address. */
export function isAllowed(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  if (address === '') return false;
  const list = lists.get(ranges) ?? listOf(ranges);
  lists.set(ranges, list);
  return list.check(address, familyOf(address));
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
}

export function notAllowed({ last4 }: Caller, address: string): AppError {
  const detail = `The allow-list of the key ending in ${last4} does not include your address, ${address}.`;
  return new AppError('ip_not_allowed', detail);
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');
