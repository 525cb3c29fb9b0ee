// The kinds of authentication that operations declare.
import type { Plan } from '../../../plans/plans';

/**
 * `key`: an X-API-Key is required. `primary_key`: that of the account itself, not one of a team. `internal`: an
 * operator's key (D14). `session`: the cookie of a console session; `session_or_key`: one of both. `signed_link`: the
 * address itself proves who sends it, to the handler. `none`: nothing.
 */
export type Auth = 'key' | 'primary_key' | 'internal' | 'session' | 'session_or_key' | 'signed_link' | 'none';

/** The account that a key or a session belongs to. */
export interface Account {
  readonly accountId: string;
  readonly accountSince: string;
  readonly plan: Plan;
}

export const isKeyed = (auth: Auth): boolean => auth === 'key' || auth === 'primary_key' || auth === 'internal';
