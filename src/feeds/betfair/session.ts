// The credentials of a call to Betfair: an application key and a session token, from configuration.
// Only the host of Betfair's login is documented (`identitysso.betfair.com.au`, `identitysso-cert…`), not its path, so
// the operator provides the token.
import type { FeedEndpoint } from '../feed';

export interface Credentials {
  readonly appKey: string;
  readonly session: string;
}

/** Empty if not configured: the simulator needs no credentials. */
export function credentialsOf({ settings }: Pick<FeedEndpoint, 'settings'>): Credentials {
  return { appKey: settings?.app_key ?? '', session: settings?.session ?? '' };
}

export function sessionHeaders(endpoint: Pick<FeedEndpoint, 'settings'>): Record<string, string> {
  const { appKey, session } = credentialsOf(endpoint);
  return { ...(appKey && { 'x-application': appKey }), ...(session && { 'x-authentication': session }) };
}
