// Who asks, and what the browser of a signed-in owner keeps, without HTTP: the API and the pages turn cookies into a
// `Visitor` and a `SessionCookies` into cookies (`api/kernel/session/visitor.ts`). Nothing that a browser had before a
// sign-in is valid after it (session fixation).
import type { Plan } from '../plans/plans';
import type { NewSession } from '../store/accounts/sessions';
import { hashOf, mintToken, type Random } from './token';

/** Where a request comes from, for the mail about what it does. */
export interface SentFrom {
  /** Of the client; empty if its connection is gone. */
  readonly address: string;
  /** The header, whatever it holds. */
  readonly userAgent: string;
}

export interface Visitor extends SentFrom {
  /** What limits count: an IPv4 address or an IPv6 /64. */
  readonly network: string;
  /** Cookies as they were sent, whatever they hold. */
  readonly cookies: {
    readonly session?: string;
    /** Of a browser in which an account was signed in before. */
    readonly browser?: string;
    /** Of a browser that signed up. */
    readonly signup?: string;
    /** Of a browser that tries to sign in with a passkey. */
    readonly passkey?: string;
  };
}

/** A new cookie. */
interface Kept {
  readonly token: string;
  readonly seconds: number;
}

export interface SessionCookies {
  readonly accountId: string;
  /** Instant. */
  readonly expiresAt: string;
  readonly session: Kept;
  readonly browser: Kept;
}

const DAY_SECONDS = 86_400;
/** A 5.4. */
const SESSION_DAYS = 30;
const BROWSER_DAYS = 365;

/** A session that is open. */
export interface Session {
  /** SHA-256 of the token. */
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly accountSince: string;
  readonly plan: Plan;
}

export interface Starting {
  readonly session: NewSession;
  /** To give back once the session is stored. */
  signedIn(accountId: string): SessionCookies;
}

/** A session with new tokens; those that the browser has now end when it is stored. */
export function newSession({ cookies }: Visitor, nowMs: number, random: Random): Starting {
  const session = mintToken(random);
  const browser = mintToken(random);
  const until = (days: number): string => new Date(nowMs + days * DAY_SECONDS * 1000).toISOString();
  const expiresAt = until(SESSION_DAYS);
  return {
    session: {
      at: new Date(nowMs).toISOString(),
      session: { tokenHash: session.hash, expiresAt, replaces: hashOf(cookies.session) },
      browser: { tokenHash: browser.hash, expiresAt: until(BROWSER_DAYS), replaces: hashOf(cookies.browser) },
    },
    signedIn: (accountId) => ({
      accountId,
      expiresAt,
      session: { token: session.token, seconds: SESSION_DAYS * DAY_SECONDS },
      browser: { token: browser.token, seconds: BROWSER_DAYS * DAY_SECONDS },
    }),
  };
}
