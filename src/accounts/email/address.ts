// Email addresses as we accept them: `local@domain` that SMTP can carry without quoting. Nothing that passes can end a
// header line.
import { domainToASCII } from 'node:url';
import { POPULAR_DOMAINS, run } from '@zootools/email-spell-checker';

export const MOST_ADDRESS_CHARACTERS = 254;
const MOST_LOCAL_CHARACTERS = 64;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Letters of every script: `domainToASCII` would also accept what only an address of the web may have. */
const NAME = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** At least two labels, and no number as the last one: an IP address is no domain. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;

export interface Address {
  /** As it was given, but for its domain: that is in lower case and in its ASCII form. */
  readonly email: string;
  readonly domain: string;
}

/** Null: the text is no address. */
export function readAddress(text: string): Address | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const sent = text.slice(at + 1);
  const domain = NAME.test(sent) ? domainToASCII(sent) : '';
  const isValid = at > 0 && local.length <= MOST_LOCAL_CHARACTERS && LOCAL.test(local) && DOMAIN.test(domain);
  const email = `${local}@${domain}`;
  return isValid && email.length <= MOST_ADDRESS_CHARACTERS ? { email, domain } : null;
}

/** Providers of mail that the library's list does not have. */
const MORE_DOMAINS = [
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'gmx.com',
  'mail.com',
  'fastmail.com',
  'bigpond.com',
  'bigpond.net.au',
  'outlook.com.au',
  'hotmail.com.au',
  'live.com.au',
  'yahoo.com.au',
  'iinet.net.au',
  'internode.on.net',
  'ozemail.com.au',
  'westnet.com.au',
];
const DOMAINS = [...new Set([...POPULAR_DOMAINS, ...MORE_DOMAINS])];

/** How many letters may differ: more, if the domain is known to receive no mail. */
const FAR = { perhaps: 2, surely: 3.5 };

/** The address at a well-known provider that was probably meant; null if none is near. */
export function meantAddress({ email, domain }: Address, isWrong: keyof typeof FAR): string | null {
  if (DOMAINS.includes(domain)) return null;
  const lists = { domains: DOMAINS, secondLevelDomains: [], topLevelDomains: [] };
  const found = run({ email, ...lists, domainThreshold: FAR[isWrong] });
  return found ? `${email.slice(0, email.lastIndexOf('@'))}@${found.domain}` : null;
}

/** `jo.citizen@example.com` as `j…@example.com`: its owner knows it again, and others do not learn it. */
export function maskAddress(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
