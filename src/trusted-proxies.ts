// Which proxies before the API may say where a request comes from, as the setting TRUSTED_PROXIES has it. Imports nothing of ours.
import { isIP } from 'node:net';

/** How many proxies stand before the API; or their addresses, networks in CIDR form and `loopback`, `linklocal`, `uniquelocal`. */
export type TrustedProxies = number | readonly string[];

const MOST = 10;
const NAMED = ['loopback', 'linklocal', 'uniquelocal'];

/** What a sentence about a wrong setting says. */
export const TRUSTED_PROXIES_FORM = `a count up to ${MOST}, or addresses, CIDR networks and ${NAMED.join(', ')}`;

/** Null if it cannot be read, or would trust everybody. */
export function readTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d+$/.test(text)) return Number(text) <= MOST ? Number(text) : null;
  const networks = text.split(',').map((each) => each.trim());
  return networks.every((each) => NAMED.includes(each) || isNetwork(each)) ? networks : null;
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '32', ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most && !address.includes('%');
}
