// Which proxies before the API may say where a request comes from, as the setting TRUSTED_PROXIES has it. Imports
// nothing of ours.
import { isIP } from 'node:net';

/**
 * How many proxies stand before the API; or their addresses, networks in CIDR form and `loopback`, `linklocal`,
 * `uniquelocal`.
 */
export type TrustedProxies = number | readonly string[];

const MOST = 10;
const NAMED = ['loopback', 'linklocal', 'uniquelocal'];

/** What a sentence about a wrong setting says. */
export const TRUSTED_PROXIES_FORM = `a count up to ${MOST}, or addresses, CIDR networks and ${NAMED.join(', ')}`;

/** Null if it cannot be read, or would trust everybody. */
export function readTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d+$/.test(text)) return Number(text) <= MOST ? Number(text) : null;
  const networks = text.split(',').map((each) => each.trim());
  if (!networks.every((each) => NAMED.includes(each) || isNetwork(each))) return null;
  const given = [...new Set(networks.filter((each) => !NAMED.includes(each)))];
  return isEverybody(given.filter(isV4)) || isEverybody(given.filter((each) => !isV4(each))) ? null : networks;
}

/** No operator has proxies in so large a share of all addresses of a family. */
const LARGEST_SHARE = 1 / 32;

function isEverybody(networks: readonly string[]): boolean {
  const share = networks.reduce((sum, each) => sum + 2 ** -Number(each.split('/')[1] ?? (isV4(each) ? 32 : 128)), 0);
  return share >= LARGEST_SHARE || networks.some((each) => !isV4(each) && holdsV4(each));
}

const isV4 = (network: string): boolean => network.includes('.') && !network.includes(':');

/**
 * Whether an IPv6 network lies where IPv4 addresses have their second spelling (`::ffff:0:0/96`): write those as IPv4.
 */
function holdsV4(network: string): boolean {
  const [address = '', bits] = network.split('/');
  const first = Number.parseInt(address.split(':')[0] || '0', 16);
  return first < 0x200 && bits !== undefined && Number(bits) < 128;
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '32', ...more] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && /^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most && !address.includes('%');
}
