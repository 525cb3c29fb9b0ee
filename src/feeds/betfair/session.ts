// What a call to Betfair is signed with: an application key and a session token, from configuration. How a session is opened and kept alive is
// documented by host alone (`identitysso.betfair.com.au`, `identitysso-cert…`), not by path: whoever runs the service brings the token.
import type { FeedEndpoint } from '../feed';

export interface Credentials {
  readonly appKey: string;
  readonly session: string;
}

/** Empty texts where nothing is configured: the simulator asks for none. */
export function credentialsOf({ settings }: Pick<FeedEndpoint, 'settings'>): Credentials {
  return { appKey: settings?.app_key ?? '', session: settings?.session ?? '' };
}

export function sessionHeaders(endpoint: Pick<FeedEndpoint, 'settings'>): Record<string, string> {
  const { appKey, session } = credentialsOf(endpoint);
  return { ...(appKey && { 'x-application': appKey }), ...(session && { 'x-authentication': session }) };
}
