// Reads an allow-list (A 5.3): IPv4 and IPv6 addresses and CIDR ranges. An IPv4 address that is written as IPv6
// (`::ffff:192.0.2.1`) is its IPv4 address (D40), because requests are judged by that. Never widens a range silently:
// one that names a single address of itself is refused.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { InputProblem } from '../../errors';

export const MOST_RANGES = 100;

export type ReadRanges =
  | { readonly ranges: readonly string[] }
  | {
      /** `pointer`: the place in the list. */
      readonly problems: readonly InputProblem[];
    };

/** The ranges in CIDR form, each once, in their order. */
export function readRanges(texts: readonly string[]): ReadRanges {
  const read = texts.map(rangeOf);
  const problems = read.flatMap((one, i) => ('fault' in one ? [{ pointer: `/${i}`, detail: one.fault }] : []));
  if (problems.length > 0) return { problems };
  return { ranges: [...new Set(read.flatMap((one) => ('range' in one ? [one.range] : [])))] };
}

type Read = { readonly range: string } | { readonly fault: string };

const MAPPED_BITS = 96;
const BITS = /^(?:0|[1-9]\d{0,2})$/;
/** Longer texts are not repeated in full. */
const shown = (text: string): string => `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`;

function rangeOf(text: string): Read {
  const [address = '', bits, ...more] = text.trim().split('/');
  // Stricter than the library: no octal, no short forms, no zone.
  const known = isIP(address) !== 0 && !address.includes('%') && more.length === 0;
  if (!known || (bits !== undefined && !BITS.test(bits)))
    return { fault: `${shown(text)} is neither an IPv4 or IPv6 address nor a CIDR range such as 203.0.113.0/24.` };
  // The library takes `::192.0.2.1`, which is IPv6, for `::ffff:192.0.2.1`; in its hexadecimal form it does not.
  const parsed = ipaddr.parse(isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);
  const whole = parsed.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? whole : Number(bits);
  if (length > whole) return { fault: `${shown(text)} has a prefix longer than ${whole} bits.` };
  if ('isIPv4MappedAddress' in parsed && parsed.isIPv4MappedAddress() && length >= MAPPED_BITS)
    return exact(parsed.toIPv4Address(), length - MAPPED_BITS);
  return exact(parsed, length);
}

function exact(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): Read {
  const bytes = address.toByteArray();
  const masked = bytes.map((byte, i) => byte & (0xff << Math.max(0, Math.min(8, 8 * (i + 1) - length))));
  const network = ipaddr.fromByteArray(masked).toString();
  if (masked.every((byte, i) => byte === bytes[i])) return { range: `${network}/${length}` };
  return { fault: `${address}/${length} begins inside its range: send ${network}/${length}, or ${address} alone.` };
}
