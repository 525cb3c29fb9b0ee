// The URL of a webhook, before anything is sent (D30, D60). A problem is a sentence for its owner, which names no
// address that a name resolved to.
import { isIP } from 'node:net';
import { type AddressRules, mayBePosted } from './public-address';
import { NameNotFound, type Resolver } from './resolver';

const LONGEST_URL = 2048;

const NOT_PUBLIC = 'its host is not a public address';

/** The problem with the URL as written; null: none. */
export function urlProblem(text: string, rules: AddressRules): string | null {
  if (text.length > LONGEST_URL) return `it is longer than ${LONGEST_URL} characters`;
  if (!URL.canParse(text) || !/^https?:\/\/[\x21-\x7e]+$/i.test(text)) return 'it is not an absolute https:// URL';
  const url = new URL(text);
  if (url.protocol === 'http:' && !rules.allowHttp) return 'it must begin with https://';
  if (url.username !== '' || url.password !== '') return 'it must not contain a user name or a password';
  if (url.port !== '' && !rules.allowLoopback && !rules.allowHttp) return 'its port must be 443';
  return hostProblem(text, url, rules);
}

function hostProblem(text: string, url: URL, rules: AddressRules): string | null {
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    // The parser reads octal, hexadecimal and whole numbers as addresses, and shortens them.
    if (isIP(host) === 4 && !isWrittenAs(text, host)) return 'its address must be four decimal numbers';
    return mayBePosted(host, rules) ? null : NOT_PUBLIC;
  }
  if (isLocalName(host)) return rules.allowLoopback ? null : NOT_PUBLIC;
  return /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}\.?$/.test(host) ? null : NOT_PUBLIC;
}

const isWrittenAs = (text: string, host: string): boolean => {
  const [, written = ''] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? [];
  return written.replace(/:\d*$/, '') === host;
};

/** Without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

export const isLocalName = (host: string): boolean => /^(.+\.)?localhost\.?$/.test(host);

/**
 * The problem with where the URL's host resolves to; null: none, or its names cannot be resolved at the moment: the
 * connection is checked in any case.
 */
export async function resolvedProblem(text: string, rules: AddressRules, resolve: Resolver): Promise<string | null> {
  const host = hostOf(new URL(text));
  if (isIP(host) !== 0 || isLocalName(host)) return null;
  try {
    const addresses = await resolve(host);
    return addresses.every((address) => mayBePosted(address, rules)) ? null : NOT_PUBLIC;
  } catch (error) {
    return error instanceof NameNotFound ? 'its host has no address' : null;
  }
}
