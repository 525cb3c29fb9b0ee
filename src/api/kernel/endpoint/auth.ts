// The kinds of authentication that operations declare.
import type { Plan } from '../../../plans/plans';

/**
 * `key`: an X-API-Key is required. `primary_key`: the account's own key, not a team key. `internal`: an operator's key
 * (D14). `session`: the cookie of a console session; `session_or_key`: either. `signed_link`: the address itself
 * authenticates the sender, and the handler checks it. `none`: nothing.
 */
export type Auth = 'key' | 'primary_key' | 'internal' | 'session' | 'session_or_key' | 'signed_link' | 'none';

/** The account that a key or a session belongs to. */
export interface Account {
  readonly accountId: string;
  readonly accountSince: string;
  readonly plan: Plan;
}

export const isKeyed = (auth: Auth): boolean => auth === 'key' || auth === 'primary_key' || auth === 'internal';
