// Console sessions: a random token in a cookie that scripts cannot read. A request that changes something must come
// from the service's own pages: a browser names the origin of every such request (CSRF).
import type { Context } from 'koa';
import { hashToken } from '../../../accounts/token';
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import { isOwnOrigin } from '../../../own-origin';
import { planNamed } from '../../../plans/plans';
import type { SessionStore } from '../../../store/accounts/sessions';

export interface Sessions {
  /** The session of this token from a cookie; null: there is none, or it has ended. */
  find(token: string | undefined): Promise<Session | null>;
  /** The session of the request's cookie. Throws `unauthorized`; a 403 for a request from a page of another origin. */
  identify(ctx: Context): Promise<Session>;
  /**
   * Throws a 403 for a request from a page of another origin that changes something: it could sign a visitor in to the
   * attacker's account.
   */
  requireOwnPage(ctx: Context): void;
}

export { hashToken };

const MOST_COOKIE = 200;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers send a `__Host-` cookie to this host only, over https only, and let no other host set it. */
export const hostCookie = (baseUrl: string, name: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name;

export const sessionCookie = (baseUrl: string): string => hostCookie(baseUrl, 'session');

/** `own`: origins of the service's pages. */
export function createSessions(
  store: SessionStore,
  baseUrl: string,
  own: readonly string[],
  wallMs: () => number,
): Sessions {
  const name = sessionCookie(baseUrl);
  const requireOwnPage = (ctx: Context): void => {
    if (!SAFE.has(ctx.method) && !isOwnOrigin(ctx.req.headers, own))
      throw new AppError('plan_required', OWN_PAGES_ONLY);
  };
  const find = async (token: string | undefined): Promise<Session | null> => {
    if (!token || token.length > MOST_COOKIE) return null;
    const tokenHash = hashToken(token);
    const row = await store.find(tokenHash, new Date(wallMs()).toISOString());
    if (!row) return null;
    const plan = planNamed(row.plan);
    if (!plan) throw new Error(`account ${row.accountId} has the unknown plan '${row.plan}'`);
    return { tokenHash, accountId: row.accountId, accountSince: row.accountSince, plan };
  };
  return {
    find,
    requireOwnPage,
    async identify(ctx) {
      const token = ctx.cookies.get(name);
      if (!token) throw signIn();
      requireOwnPage(ctx);
      const session = await find(token);
      if (!session) throw signIn();
      return session;
    },
  };
}

const signIn = (): AppError =>
  new AppError('unauthorized', 'Sign in: this operation needs a console session, sent as a cookie.');

export const OWN_PAGES_ONLY = 'A browser may send this request from the pages of the service only.';
