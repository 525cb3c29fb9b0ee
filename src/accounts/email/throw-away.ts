// Domains whose mailboxes are open to everybody or last for minutes: a public list that is kept
// (github.com/disposable-email-domains, CC0), as a package. A newer list is a newer version of it.
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { AppError } from '../../errors';
import type { Address } from './address';

const DOMAINS = disposableEmailBlocklistSet();

/**
 * `domain`: lower case, in its ASCII form. The domains below one of the list count too, because such a service takes
 * mail for all of them.
 */
function isThrowAway(domain: string): boolean {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
    if (DOMAINS.has(name)) return true;
  return false;
}

/** Throws `disposable_address`. Depends on the domain alone, so it tells nothing of an address. */
export function refuseThrowAway({ domain }: Address): void {
  if (!isThrowAway(domain)) return;
  const detail = `${domain} gives out throw-away mailboxes, which cannot have a Free account. Use an address that you keep. Nothing was created.`;
  throw new AppError('disposable_address', detail);
}
